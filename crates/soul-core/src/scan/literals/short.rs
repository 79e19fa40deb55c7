//! Literals of up to three bytes: all of one length are looked for at once.

use aho_corasick::packed::Searcher;
use memchr::memmem::Finder;

use super::Placed;

/// Literals of one length, with their numbers.
#[derive(Debug)]
pub(super) struct Short {
    /// In order; a literal that several rules have is there several times.
    literals: Vec<(Box<[u8]>, u32)>,
    finder: Finders,
}

#[derive(Debug)]
enum Finders {
    Packed(Searcher),
    /// One for each, where the processor cannot look for several, or there is only one.
    Each(Vec<Finder<'static>>),
}

impl Short {
    pub(super) fn new(mut literals: Vec<(Box<[u8]>, u32)>) -> Self {
        literals.sort_unstable();
        let mut distinct: Vec<&[u8]> = literals.iter().map(|(bytes, _)| &bytes[..]).collect();
        distinct.dedup();
        let packed = if distinct.len() > 1 { Searcher::new(&distinct) } else { None };
        let each = || Finders::Each(distinct.iter().map(|bytes| Finder::new(bytes).into_owned()).collect());
        let finder = packed.map_or_else(each, Finders::Packed);
        Self { literals, finder }
    }

    /// Adds every place of each of the literals in a text.
    pub(super) fn find(&self, text: &[u8], all: &mut Vec<Placed>) {
        match &self.finder {
            Finders::Packed(searcher) => {
                self.find_with(text, all, |rest| searcher.find(rest).map(|found| found.start()));
            }
            Finders::Each(finders) => {
                finders.iter().for_each(|finder| self.find_with(text, all, |rest| finder.find(rest)));
            }
        }
    }

    fn find_with(&self, text: &[u8], all: &mut Vec<Placed>, next: impl Fn(&[u8]) -> Option<usize>) {
        let Some(length) = self.literals.first().map(|(bytes, _)| bytes.len()) else { return };
        let mut from = 0;
        while let Some(after) = next(&text[from..]) {
            let start = from + after;
            let found = &text[start..start + length];
            let first = self.literals.partition_point(|(bytes, _)| **bytes < *found);
            let same = self.literals[first..].iter().take_while(|(bytes, _)| **bytes == *found);
            all.extend(same.map(|(_, number)| (start + length, start, *number)));
            // At one place stands only one of them, and another one may begin inside of it.
            from = start + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(literals: &[&str], text: &str) -> Vec<Placed> {
        let literals = literals.iter().zip(0..).map(|(literal, number)| (Box::from(literal.as_bytes()), number));
        let mut all = Vec::new();
        Short::new(literals.collect()).find(text.as_bytes(), &mut all);
        all.sort_unstable();
        all
    }

    #[test]
    fn every_place_of_every_literal_is_found() {
        assert_eq!(found(&["aba", "bab", "aba"], "xababa"), [(4, 1, 0), (4, 1, 2), (5, 2, 1), (6, 3, 0), (6, 3, 2)]);
        assert_eq!(found(&["@"], "@a@"), [(1, 0, 0), (3, 2, 0)]);
        assert_eq!(found(&["![", "]("], &format!("{}![a](b)", "x".repeat(90))), [(92, 90, 0), (95, 93, 1)]);
        assert!(found(&["![", "]("], "!").is_empty());
    }
}
