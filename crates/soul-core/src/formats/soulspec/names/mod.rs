//! What the files of a package call the agent, and whether they agree.
//!
//! `validate` and the scanner both ask. Only explicit statements count, and doubt speaks for agreement: a warning
//! that is usually wrong would be ignored where it is right.

mod stated;

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::Span;

/// A name that a text states for the agent, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatedName<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Span,
}

/// A text that states a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stating {
    Soul,
    Identity,
}

/// A name that disagrees with another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameMismatch<'a> {
    /// Where the name is stated.
    pub(crate) stating: Stating,
    pub(crate) stated: StatedName<'a>,
    /// The other name, and what states it.
    pub(crate) other: &'a str,
    pub(crate) stated_by: &'static str,
}

/// The names of SOUL.md and IDENTITY.md that are not those of the manifest, or of one another if it has none.
pub(crate) fn name_mismatches<'a>(
    manifest: &'a Map<String, Value>,
    soul: Option<&'a str>,
    identity: Option<&'a str>,
) -> Vec<NameMismatch<'a>> {
    let word = |key: &str| manifest.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let mut others: Vec<&str> = ["displayName", "name"].into_iter().filter_map(word).collect();
    let mut stated_by = "the manifest";
    let summary = manifest.get("disclosure").and_then(|disclosure| disclosure["summary"].as_str());
    let prose: String = word("description").into_iter().chain(summary).flat_map(|text| [text, " "]).collect();
    // Both are a line each; more than that is not theirs to be searched.
    let prose: String = prose.chars().take(1_000).collect();
    let prose = format!(" {} ", words(&prose).join(" "));
    // A name that the manifest speaks of is no stranger.
    let is_mentioned = |name: &str| prose.contains(&format!(" {} ", words(name).join(" ")));
    let texts = [(Stating::Identity, identity.map(stated::in_identity)), (Stating::Soul, soul.map(stated::in_soul))];
    let mut mismatches = Vec::new();
    for (stating, names) in texts {
        let names = names.unwrap_or_default();
        let Some(first) = names.first() else { continue };
        let agrees = |name: &StatedName<'_>| {
            is_mentioned(name.name) || others.iter().any(|other| is_same_name(name.name, other))
        };
        match others.first().copied() {
            None => {
                others = names.iter().map(|stated| stated.name).collect();
                stated_by = "IDENTITY.md";
            }
            Some(other) if !names.iter().any(agrees) => {
                mismatches.push(NameMismatch { stating, stated: first.clone(), other, stated_by });
            }
            Some(_) => {}
        }
    }
    mismatches
}

/// Whether two names may be of the same agent: one contains the other, they share a telling word or its stem, or
/// one is the initials of the other. Names in different scripts cannot be compared.
fn is_same_name(a: &str, b: &str) -> bool {
    const COMMON: [&str; 12] =
        ["the", "agent", "bot", "assistant", "soul", "persona", "and", "von", "van", "captain", "master", "doctor"];
    let (a, b) = (words(a), words(b));
    let (joined_a, joined_b) = (a.concat(), b.concat());
    let is_latin = |text: &str| text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let initials = |words: &[String]| words.iter().filter_map(|word| word.chars().next()).collect::<String>();
    let is_telling = |word: &&String| word.chars().count() >= 3 && !COMMON.contains(&word.as_str());
    is_latin(&joined_a) != is_latin(&joined_b)
        || joined_a.contains(&joined_b)
        || joined_b.contains(&joined_a)
        || a.iter().filter(is_telling).any(|one| b.iter().filter(is_telling).any(|other| have_one_stem(one, other)))
        || (a.len() > 1 && initials(&a) == joined_b)
        || (b.len() > 1 && initials(&b) == joined_a)
}

/// Whether one word begins with the other, or both begin with the same five letters: `Recruiter`, `Recruiting`.
fn have_one_stem(a: &str, b: &str) -> bool {
    const STEM: usize = 5;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    shared >= STEM || a.starts_with(b) || b.starts_with(a)
}

/// The words of a text without case, accents and punctuation; `EvidenceQA` is two.
fn words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    let mut was_lower = false;
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        if was_lower && c.is_uppercase() {
            plain.push(' ');
        }
        was_lower = c.is_lowercase();
        plain.extend(c.to_lowercase());
    }
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn strangers(manifest: &Value, soul: &str, identity: &str) -> Vec<(Stating, String)> {
        let found = name_mismatches(manifest.as_object().unwrap(), Some(soul), Some(identity));
        found.into_iter().map(|mismatch| (mismatch.stating, mismatch.stated.name.to_owned())).collect()
    }

    #[test]
    fn three_names_disagree() {
        let manifest = json!({ "name": "alpha-bot", "displayName": "Alpha Bot" });
        let found = strangers(&manifest, "I am Zed.", "- **Name:** Bob");
        assert_eq!(found, [(Stating::Identity, "Bob".to_owned()), (Stating::Soul, "Zed".to_owned())]);
        assert_eq!(strangers(&json!({}), "I am Zed.", "Name: Bob"), [(Stating::Soul, "Zed".to_owned())]);
    }

    #[test]
    fn doubt_speaks_for_agreement() {
        for (shown, soul, identity) in [
            ("Reef Guide", "# Reef Guide\n\nYou are a reef guide.", "# Identity\n\nRole: guide"),
            ("Brad", "# Brad — Development Partner\n\nYou are Brad. A formal partner.", "- **Name:** Brad"),
            ("Dr. Ada Lovelace", "You are Ada.", "Name: Lady Lovelace"),
            ("José", "I am Jose!", "**Name**: JOSÉ 🤖"),
            ("Site Reliability Engineer", "You are SRE, on call.", ""),
            ("GameDesigner", "You are **Game Designer**, a builder.", "| Name | game_designer |"),
            ("Recruiting", "You are Recruiter.", "Name: RecruitBot"),
            ("Evidence Collector", "You are EvidenceQA, who asks for proof.", ""),
            ("Aria", "我是阿莉亚。", "名字：阿莉亚"),
            ("Aria", "You are helpful.", "- **Name:**\n  _(pick something you like)_"),
            ("Aria", "Say \"I am Zed.\" to nobody.\n\n> I am Zed.\n\n```\nI am Zed.\n```\nYou are British.", ""),
            ("Aria", "I am Not Zed's keeper. If asked: I am Bob.", ""),
            ("Reef", "# SOUL.md - Who You Are\n\nYou are becoming someone.", "# IDENTITY.md - Who Am I?"),
            ("Reef", "# Boundaries", ""),
        ] {
            assert_eq!(strangers(&json!({ "displayName": shown }), soul, identity), [], "{shown}");
        }
        let mentioned = json!({ "displayName": "Wise Dragon", "description": "Drakenoth keeps the logs." });
        assert_eq!(strangers(&mentioned, "", "Name: Drakenoth, the Keeper of Logs"), []);
    }
}
