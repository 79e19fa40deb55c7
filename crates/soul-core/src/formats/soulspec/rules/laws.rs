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
                at(Code::IncompleteLaw, format!("law {} has no rule", index + 1))
                    .help("add `rule` with the law in one sentence")
            });
        }
        // A rank of the wrong type is reported by the table of fields.
        let given = law.get("priority").filter(|rank| !rank.is_null());
        if given.is_some_and(|rank| rank.as_f64().is_none_or(|rank| rank.fract() != 0.0)) {
            continue;
        }
        if given.and_then(Value::as_f64).is_some_and(|rank| rank < 0.0) {
            diagnostics.push_error(|| {
                at(Code::IncompleteLaw, format!("law {} has a negative rank", index + 1)).help("0 comes first")
            });
        }
        let Some(rank) = given.and_then(Value::as_f64).map(|rank| rank as i64) else {
            diagnostics.push_error(|| {
                at(Code::IncompleteLaw, format!("law {} has no rank", index + 1)).help("add `priority`: 0 comes first")
            });
            continue;
        };
        match ranks.iter().find(|(other, _)| *other == rank) {
            Some((_, first)) => {
                let first = document.at(&format!("safety.laws[{first}]"));
                diagnostics.push_error(|| {
                    at(Code::LawOrder, format!("two laws have the rank {rank}"))
                        .related(first, "the other one")
                        .help("give each law its own rank")
                });
            }
            None => ranks.push((rank, index)),
        }
    }
}

/// A law's text, under either of its names.
pub(crate) fn rule_of(law: &Value) -> Option<&str> {
    law.get("rule").and_then(Value::as_str).or_else(|| law.get("law").and_then(Value::as_str))
}
