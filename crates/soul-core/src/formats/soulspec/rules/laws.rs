//! Safety laws: each with a rank and a text, no two of one rank.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    let laws = document.value("safety.laws").and_then(Value::as_array);
    let mut ranks: Vec<(i64, usize)> = Vec::new();
    for (index, law) in laws.into_iter().flatten().enumerate() {
        let path = format!("safety.laws[{index}]");
        let at = |code, message: String| Diagnostic::new(code, message).field(path.clone()).at(document.at(&path));
        if rule_of(law).is_none_or(|rule| rule.trim().is_empty()) {
            diagnostics.push_error(|| {
                at(Code::IncompleteLaw, format!("law {} says nothing", index + 1))
                    .help("add `rule`: the law in a sentence")
            });
        }
        let Some(rank) = law.get("priority").and_then(Value::as_i64) else {
            diagnostics.push_error(|| {
                at(Code::IncompleteLaw, format!("law {} has no rank", index + 1)).help("add `priority`: 0 comes first")
            });
            continue;
        };
        match ranks.iter().find(|(other, _)| *other == rank) {
            Some((_, first)) => {
                let first = document.at(&format!("safety.laws[{first}]"));
                diagnostics.push_error(|| {
                    at(Code::LawOrder, format!("two laws have the rank {rank}, so neither comes first"))
                        .related(first, "the other one")
                        .help("give each law a rank of its own")
                });
            }
            None => ranks.push((rank, index)),
        }
    }
}

/// A law's text, under either of its names.
pub(super) fn rule_of(law: &Value) -> Option<&str> {
    law.get("rule").or_else(|| law.get("law")).and_then(Value::as_str)
}
