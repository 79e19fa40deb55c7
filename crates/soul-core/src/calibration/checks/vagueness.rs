//! Words that leave open what is meant. A strong model fills the gap with good sense, a small one with
//! whatever comes first; so this is where the two come apart.

use serde::{Deserialize, Serialize};

use crate::calibration::Case;
use crate::calibration::prose::{Prose, sentences};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::text::shown;

/// More of them in a hundred words than this, and the soul as a whole is called vague. Nine of ten souls
/// that people publish have fewer than 1.3.
const TOLERATED: f64 = 2.0;
/// A soul of fewer words is too short for a rate to mean anything.
const FEWEST: usize = 30;
/// So many sentences are named.
const NAMED: usize = 10;

/// Words and phrases that a model cannot act on.
const VAGUE: [&str; 58] = [
    "appropriate",
    "appropriately",
    "proper",
    "properly",
    "suitable",
    "reasonable",
    "reasonably",
    "relevant",
    "as needed",
    "as necessary",
    "when needed",
    "when necessary",
    "if needed",
    "if necessary",
    "where possible",
    "if possible",
    "when possible",
    "as much as possible",
    "as appropriate",
    "as required",
    "try to",
    "aim to",
    "strive to",
    "do your best",
    "be helpful",
    "be nice",
    "be good",
    "be smart",
    "be professional",
    "helpful",
    "nice",
    "good",
    "great",
    "best",
    "better",
    "high quality",
    "effective",
    "effectively",
    "efficient",
    "efficiently",
    "various",
    "several",
    "some",
    "certain",
    "things",
    "stuff",
    "etc",
    "and so on",
    "and more",
    "generally",
    "usually",
    "sometimes",
    "often",
    "mostly",
    "somewhat",
    "rather",
    "best practices",
    "user friendly",
];

/// How vague the prose of a soul is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vagueness {
    /// Number of words.
    pub words: usize,
    /// Number of vague words and phrases.
    pub vague: usize,
    /// Vague words and phrases per 100 words.
    pub per_100_words: f64,
}

/// How vague the soul's prose is.
pub(in crate::calibration) fn measured(case: &Case<'_>) -> Vagueness {
    let Some(body) = case.material.body() else { return Vagueness::default() };
    let prose = Prose::new(body.text);
    let vague = vague_in(&prose).len();
    let per_100_words = (prose.per_hundred(vague) * 100.0).round() / 100.0;
    Vagueness { words: prose.words.len(), vague, per_100_words }
}

pub(in crate::calibration) fn check(case: &Case<'_>, diagnostics: &mut Collector) {
    let Some(body) = case.material.body() else { return };
    let Vagueness { words, vague, per_100_words } = measured(case);
    if per_100_words > TOLERATED && words >= FEWEST {
        let verb = if vague == 1 { "is" } else { "are" };
        let message = format!("{vague} of the soul's {words} words {verb} vague");
        let help = "describe what the agent does, so that a reader can tell whether it did it";
        let found = Diagnostic::new(Code::VagueSoul, message).help(help);
        diagnostics.push(Diagnostic { file: Some(body.file.to_owned()), ..found });
    }
    let mut found: Vec<_> = sentences(body.text)
        .into_iter()
        .map(|range| (vague_in(&Prose::new(&body.text[range.clone()])), range))
        .filter(|(words, _)| !words.is_empty())
        .collect();
    // The worst first; those that are as bad in the order of the text.
    found.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    for (words, range) in found.into_iter().take(NAMED) {
        let named: Vec<String> = words.iter().map(|word| shown(word)).collect();
        let verb = if named.len() == 1 { "leaves" } else { "leave" };
        let message = format!("{} {verb} open what is meant", named.join(", "));
        let found = Diagnostic::new(Code::VagueSentence, message);
        diagnostics.push(found.in_file(body.file, body.source, body.span(&range)));
    }
}

/// What of a text is on the list, each place once: a phrase counts, and its words then do not.
fn vague_in(prose: &Prose<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < prose.words.len() {
        let phrase = |length: usize| {
            let words = prose.words.get(at..at + length)?;
            Some(words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
        };
        let known = (1..=4).rev().filter_map(|length| Some((length, phrase(length)?)));
        match known.into_iter().find(|(_, phrase)| VAGUE.contains(&phrase.as_str())) {
            // `better than that` says of what.
            Some((length, _)) if prose.words.get(at + length).is_some_and(|next| next.text == "than") => at += length,
            Some((length, phrase)) => {
                found.push(phrase);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::calibration::{Material, calibrate};
    use crate::formats::{Context, parse};
    use crate::model::Dialect;
    use crate::text::Source;

    #[test]
    fn one_word_is_vague_and_two_are() {
        let message = |prose: &str| {
            let source = Source::from(format!("{prose} {}", "Name the file. ".repeat(10)).as_str());
            let parsed = parse(source.clone(), Dialect::Plain, &Context::default());
            let files = BTreeMap::from([("SOUL.md".to_owned(), source)]);
            let report = calibrate(Material { soul: &parsed.document.soul(), own: "SOUL.md", files: &files });
            report.findings.into_iter().find(|found| found.code == Code::VagueSoul).map(|found| found.message)
        };
        assert_eq!(message("Be good.").as_deref(), Some("1 of the soul's 32 words is vague"));
        assert_eq!(message("Be good and proper.").as_deref(), Some("2 of the soul's 34 words are vague"));
        assert_eq!(message("Be quick."), None);
    }

    #[test]
    fn phrases_count_once() {
        let found = |text: &str| vague_in(&Prose::new(text));
        assert_eq!(
            found("Be helpful, try to follow best practices etc."),
            ["be helpful", "try to", "best practices", "etc"]
        );
        assert_eq!(found("A question is better than a command, rather than good."), ["good"]);
        assert_eq!(found("Answer within a day. Name the file and the line."), [""; 0]);
    }
}
