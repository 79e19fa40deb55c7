//! Words that people use for each other: `related.txt`, one meaning a line.
//!
//! The list is read through once for a query, which costs less than making an index of it does for
//! the one query that a process is usually started for.

use std::collections::HashSet;

use super::fold::{is_dense, normalised, push_folded};
use super::tokens::{TermKind, tokens};

const LIST: &str = include_str!("related.txt");

/// A meaning that a query speaks of.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// Which of the words that were given has it; none if it was found within a run.
    pub(super) word: Option<usize>,
    /// The terms of all words that have it.
    pub(super) terms: Vec<String>,
}

/// The meanings of words, given by their terms, and of what stands anywhere in the runs of the text.
pub(super) fn meanings(text: &str, words: &[&str]) -> Vec<Meaning> {
    let pieces = pieces(text);
    let mut found = Vec::new();
    for line in lines() {
        let terms = || line.split(' ').filter_map(term_of).collect();
        let mut within = false;
        for word in line.split(' ') {
            if !word.starts_with(|c: char| c.is_ascii()) {
                within |= pieces.contains(word);
                continue;
            }
            // A stem begins as its word does; few words are worth stemming.
            let alike = |term: &&str| word.as_bytes().first_chunk::<2>() == term.as_bytes().first_chunk();
            if words.iter().any(alike) {
                let term = term_of(word);
                let index = words.iter().position(|known| term.as_deref() == Some(known));
                found.extend(index.map(|index| Meaning { word: Some(index), terms: terms() }));
            }
        }
        if within {
            found.push(Meaning { word: None, terms: terms() });
        }
    }
    found
}

/// Every piece of the text's runs that could be a word of the list.
fn pieces(text: &str) -> HashSet<String> {
    const LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;
    let mut folded = String::new();
    if text.contains(is_dense) {
        normalised(text).chars().for_each(|c| push_folded(&mut folded, c));
    }
    let chars: Vec<char> = folded.chars().collect();
    let runs = chars.split(|c| !is_dense(*c));
    runs.flat_map(|run| LENGTHS.flat_map(move |length| run.windows(length)))
        .map(|piece| piece.iter().collect())
        .collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    LIST.lines().filter(|line| !line.starts_with('#'))
}

/// The one term that stands for a word: its stem, or of a run the pair in its middle, where compounds
/// are joined and which is therefore the most its own. A single character is none.
fn term_of(word: &str) -> Option<String> {
    let mut terms = Vec::new();
    tokens(word, &mut |term, kind| {
        if matches!(kind, TermKind::Word | TermKind::Whole | TermKind::Pair) {
            terms.push(term.to_owned());
        }
    });
    let middle = terms.len() / 2;
    terms.into_iter().nth(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_something_to_say() {
        let mut all: Vec<_> = lines().collect();
        for line in &all {
            assert!(line.split(' ').filter_map(term_of).count() > 1, "{line}");
            assert!(line.split(' ').all(|word| !word.is_empty()), "{line}");
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count > 100);
    }

    #[test]
    fn words_are_known_in_every_script() {
        let invoice = meanings("invoice", &["invoic"]);
        assert!(invoice[0].word == Some(0) && invoice[0].terms.contains(&"bill".to_owned()));
        let invoice = meanings("請求書はどこ", &[]);
        assert!(invoice[0].word.is_none() && invoice[0].terms.contains(&"bill".to_owned()));
        assert!(meanings("数据库备份", &[]).len() > 1);
        assert_eq!(meanings("xyzzy", &["xyzzi"]), []);
        assert_eq!(meanings("", &["", "a"]), []);
        assert_eq!(term_of("データベース").as_deref(), Some("タベ"));
        assert_eq!(term_of("茶"), None);
    }
}
