//! Safety is declared twice: laws in the manifest, conduct in SOUL.md.

use serde_json::Value;

use super::laws::rule_of;
use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::counterpart::has_counterpart;
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let body = document.body().to_lowercase();
    let laws: Vec<(usize, &str)> = document
        .value("safety.laws")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(index, law)| Some((index, rule_of(law)?)))
        .take(MOST_LAWS)
        .collect();
    if document.file(document.soul_file()).is_none() {
        return;
    }
    // What has a body is held to both declarations; to others the second one is a recommendation.
    let weight = if document.is_embodied() { profile.weight() } else { Severity::Info };
    for (index, law) in &laws {
        if !has_counterpart(&body, law) {
            let path = format!("safety.laws[{index}]");
            let message = format!("SOUL.md does not act on the law {}", shown(law));
            let diagnostic = Diagnostic::new(Code::DeclarativeOnly, message)
                .severity(weight)
                .field(path.clone())
                .at(document.at(&path));
            diagnostics.push_error(|| diagnostic.help("say in SOUL.md how the agent follows it"));
        }
    }
    if laws.is_empty() && document.is_embodied() && speaks_of_safety(&body) {
        let diagnostic =
            Diagnostic::new(Code::BehavioralOnly, "SOUL.md mentions safety, but the manifest declares no safety law");
        diagnostics.push(
            diagnostic
                .severity(weight)
                .field("safety.laws")
                .at(document.at("environment"))
                .help("declare it in `safety.laws` too, where programs can read it"),
        );
    }
}

/// So many laws are compared with the text; nobody acts on more.
const MOST_LAWS: usize = 50;

/// Whether a text says how people are kept safe.
fn speaks_of_safety(body: &str) -> bool {
    const WORDS: [&str; 12] = [
        "harm",
        "harms",
        "harmed",
        "hurt",
        "hurts",
        "injure",
        "injures",
        "injury",
        "safety",
        "emergency",
        "protect",
        "protects",
    ];
    body.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
