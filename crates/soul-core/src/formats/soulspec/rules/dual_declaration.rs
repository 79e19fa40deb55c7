//! Safety is declared twice: laws in the manifest, conduct in SOUL.md.

use serde_json::Value;

use super::laws::rule_of;
use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
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
        .collect();
    if document.file(document.soul_file()).is_none() {
        return;
    }
    let weight = if document.is_embodied() { profile.weight() } else { Severity::Info };
    for (index, law) in &laws {
        if !acts_on(&body, law) {
            let path = format!("safety.laws[{index}]");
            let message = format!("nothing in SOUL.md acts on the law {}", shown(law));
            let diagnostic = Diagnostic::new(Code::DeclarativeOnly, message)
                .severity(weight)
                .field(path.clone())
                .at(document.at(&path));
            diagnostics.push_with(|| diagnostic.help("say in SOUL.md what the agent does because of it"));
        }
    }
    if laws.is_empty()
        && document.is_embodied()
        && ["harm", "hurt", "injur", "safety", "emergency"].iter().any(|word| body.contains(word))
    {
        let diagnostic =
            Diagnostic::new(Code::BehavioralOnly, "SOUL.md speaks of safety, and the manifest declares no law");
        diagnostics.push(
            diagnostic
                .severity(profile.weight())
                .field("safety.laws")
                .at(document.at("environment"))
                .help("declare it in `safety.laws` too, where a machine can read it"),
        );
    }
}

/// Whether a text takes up a law: most of the law's telling words, by their stems, are in it.
fn acts_on(body: &str, law: &str) -> bool {
    const EMPTY: [&str; 24] = [
        "must", "shall", "should", "will", "never", "always", "their", "there", "that", "this", "with", "from", "into",
        "when", "where", "while", "except", "first", "second", "third", "other", "would", "does", "such",
    ];
    let words: Vec<String> = law
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && !EMPTY.contains(word))
        .map(|word| word.chars().take(5).collect())
        .collect();
    let found = words.iter().filter(|word| body.contains(word.as_str())).count();
    words.is_empty() || found * 2 >= words.len()
}
