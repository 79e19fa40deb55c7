//! Forms of writing that a soul may forbid, and where an output has them. Code is nobody's prose, so what
//! stands in it is no form.

use std::ops::Range;

use super::measures::is_emoji;
use super::prose::{Prose, unmarked};
use crate::markup::markdown;

/// A form of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Emoji,
    Exclamation,
    Lists,
    Tables,
    Headings,
    Capitals,
}

impl Form {
    /// Where an output has it, and what it is called.
    pub(super) fn found_in(self, output: &Prose<'_>) -> Option<(Range<usize>, &'static str)> {
        let text = without_code(output.text);
        let character = |is: &dyn Fn(usize, char) -> bool| {
            let (at, c) = text.char_indices().find(|(at, c)| is(*at, *c))?;
            Some(at..at + c.len_utf8())
        };
        let line = |is: &dyn Fn(&str) -> bool| {
            let mut at = 0;
            text.split_inclusive('\n').find_map(|line| {
                let start = at;
                at += line.len();
                is(line).then(|| start..start + line.trim_end().len())
            })
        };
        match self {
            Self::Emoji => character(&|_, c| is_emoji(c)).map(|range| (range, "an emoji")),
            Self::Exclamation => {
                // `!=` compares, and `![` shows a picture.
                let exclaims = |at: usize, c: char| match c {
                    '!' => !text[at + 1..].starts_with(['=', '[']),
                    c => c == '！',
                };
                character(&exclaims).map(|range| (range, "an exclamation mark"))
            }
            Self::Lists => line(&|line| unmarked(line).1).map(|range| (range, "a list")),
            Self::Tables => {
                line(&|line| line.trim().starts_with('|') && line.contains("---")).map(|range| (range, "a table"))
            }
            Self::Headings => {
                let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
                line(&is_heading).map(|range| (range, "a heading"))
            }
            Self::Capitals => shouted_word(&text).map(|range| (range, "words in capitals")),
        }
    }
}

/// Words that are no name in any field: in capitals, they are raised in voice.
const ORDINARY: [&str; 44] = [
    "absolutely",
    "all",
    "always",
    "amazing",
    "attention",
    "because",
    "best",
    "can",
    "come",
    "course",
    "don",
    "ever",
    "every",
    "everything",
    "free",
    "from",
    "great",
    "have",
    "here",
    "immediately",
    "important",
    "just",
    "like",
    "love",
    "more",
    "must",
    "never",
    "not",
    "nothing",
    "now",
    "only",
    "please",
    "really",
    "right",
    "should",
    "stop",
    "that",
    "the",
    "this",
    "very",
    "what",
    "will",
    "wow",
    "you",
];
/// A word of so many letters is no abbreviation.
const LONG: usize = 9;

/// A word in capitals that is neither an abbreviation nor a name, as those of files and variables are.
fn shouted_word(text: &str) -> Option<Range<usize>> {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '$' | '@');
    let mut at = 0;
    text.split_inclusive(|c: char| !part_of_name(c)).find_map(|piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        let capitals = word.chars().all(|c| c.is_alphabetic() && c.is_uppercase());
        let known = ORDINARY.contains(&word.to_lowercase().as_str());
        let shouted = capitals && !word.is_empty() && (known || word.chars().count() > LONG);
        shouted.then(|| start..start + word.len())
    })
}

/// A text in which code is blank, with every other byte in its place.
fn without_code(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in markdown::code(text) {
        for byte in &mut bytes[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // Whole spans were blanked, which begin and end between characters.
    String::from_utf8(bytes).unwrap_or_default()
}
