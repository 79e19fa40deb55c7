//! Words that people use for each other: `related.txt`, one meaning a line.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::{is_dense, normalised, push_folded};
use super::tokens::{Kind, tokens};

static LIST: LazyLock<Related> = LazyLock::new(|| Related::read(include_str!("related.txt")));

/// The list, ready to be asked.
#[derive(Default)]
struct Related {
    /// The terms of each meaning.
    meanings: Vec<Vec<String>>,
    /// The meanings of a word, by its term.
    words: HashMap<String, Vec<usize>>,
    /// The meanings of words that may stand anywhere in a run.
    within: Vec<(String, usize)>,
}

impl Related {
    fn read(text: &str) -> Self {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let meaning = list.meanings.len();
            let mut terms = Vec::new();
            for word in line.split(' ') {
                let Some(term) = term_of(word) else { continue };
                if word.starts_with(is_dense) {
                    list.within.push((word.to_owned(), meaning));
                } else {
                    list.words.entry(term.clone()).or_default().push(meaning);
                }
                terms.push(term);
            }
            list.meanings.push(terms);
        }
        list
    }
}

/// The one term that stands for a word: its stem, or of a run the pair in its middle, where compounds
/// are joined and which is therefore the most its own. A single character is none.
fn term_of(word: &str) -> Option<String> {
    let mut terms = Vec::new();
    tokens(word, &mut |term, kind| {
        if matches!(kind, Kind::Word | Kind::Whole | Kind::Pair) {
            terms.push(term.to_owned());
        }
    });
    let middle = terms.len() / 2;
    terms.into_iter().nth(middle)
}

/// For each meaning that a text speaks of, the terms of it. The words of the text are given by their
/// terms.
pub(super) fn related<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Vec<&'static [String]> {
    let list = &*LIST;
    let mut found: Vec<usize> = words.filter_map(|word| list.words.get(word)).flatten().copied().collect();
    if text.contains(is_dense) {
        let mut folded = String::new();
        normalised(text).chars().for_each(|c| push_folded(&mut folded, c));
        found.extend(list.within.iter().filter(|(word, _)| folded.contains(word.as_str())).map(|(_, meaning)| meaning));
    }
    let mut seen = Vec::new();
    found.retain(|meaning| {
        !seen.contains(meaning) && {
            seen.push(*meaning);
            true
        }
    });
    found.into_iter().map(|meaning| list.meanings[meaning].as_slice()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(text: &str, words: &[&str]) -> usize {
        related(text, words.iter().copied()).len()
    }

    #[test]
    fn every_line_has_something_to_say() {
        assert!(LIST.meanings.len() > 100);
        assert!(LIST.meanings.iter().all(|terms| terms.len() > 1));
        let mut lines: Vec<_> = include_str!("related.txt").lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.iter().all(|line| !line.contains("  ") && line.trim() == *line));
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), LIST.meanings.len());
    }

    #[test]
    fn words_are_known_in_every_script() {
        assert!(meanings("", &["invoic"]) > 0);
        assert!(meanings("請求書はどこ", &[]) > 0);
        assert!(meanings("数据库备份", &[]) > 1);
        assert_eq!(meanings("", &["xyzzy"]), 0);
        assert_eq!(term_of("データベース").as_deref(), Some("タベ"));
        assert_eq!(term_of("茶"), None);
    }
}
