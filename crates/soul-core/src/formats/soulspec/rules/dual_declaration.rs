//! Safety is declared twice: laws in the manifest, conduct in SOUL.md.

use serde_json::Value;

use super::laws::rule_of;
use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
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
    // A comparison of words can be wrong, so it never stands in the way of publishing.
    let weight = if document.is_embodied() { Severity::Warning } else { Severity::Info };
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
    if laws.is_empty() && document.is_embodied() && speaks_of_safety(&body) {
        let diagnostic =
            Diagnostic::new(Code::BehavioralOnly, "SOUL.md speaks of safety, and the manifest declares no law");
        diagnostics.push(
            diagnostic
                .field("safety.laws")
                .at(document.at("environment"))
                .help("declare it in `safety.laws` too, where a machine can read it"),
        );
    }
}

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

/// Whether a text takes up a law: half of the law's telling words, by their stems or by another word
/// for the same, are in it. Scripts without spaces are compared by pairs of characters.
fn acts_on(body: &str, law: &str) -> bool {
    const EMPTY: [&str; 26] = [
        "must", "shall", "should", "will", "never", "always", "their", "there", "that", "this", "with", "from", "into",
        "when", "where", "while", "except", "first", "second", "third", "other", "would", "does", "such", "robot",
        "being",
    ];
    const SAME: [&[&str]; 4] = [
        &["harm", "hurt", "injur", "damag"],
        &["human", "person", "peopl", "user"],
        &["obey", "follo", "order"],
        &["prote", "safe", "keep", "guard"],
    ];
    let lower = law.to_lowercase();
    let mut pieces: Vec<String> = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_ascii() {
            let letters: Vec<char> = word.chars().collect();
            pieces.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if word.len() >= 4 && !EMPTY.contains(&word) {
            pieces.push(word.chars().take(5).collect());
        }
    }
    let found = |piece: &&String| {
        let group = SAME
            .iter()
            .find(|group| group.iter().any(|same| piece.starts_with(same) || same.starts_with(piece.as_str())));
        body.contains(piece.as_str()) || group.is_some_and(|group| group.iter().any(|same| body.contains(same)))
    };
    let count = pieces.iter().filter(found).count();
    pieces.is_empty() || count * 2 >= pieces.len()
}
