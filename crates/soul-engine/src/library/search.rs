//! Finding souls by any text that is in them, whatever its case.
//!
//! A block of 64 souls has, for each gram of two or three bytes, one word whose bits say in which of
//! them the gram may be. The words of a query's grams leave few candidates, whose texts are read.

use std::fmt::Write;

use super::index::Entry;

/// How many words a block has; grams share them by hash.
const WORDS: usize = 1 << 13;

/// How many souls a block has: one a bit.
pub(super) const BLOCK: usize = 64;

/// The most grams of a query that are looked at; more would exclude hardly anybody.
const MOST_GRAMS: usize = 12;

/// Where the grams of up to 64 souls are.
#[derive(Debug)]
pub(super) struct Block(Box<[u64]>);

/// A query, ready to be asked of every block.
pub(super) struct Query {
    text: String,
    grams: Vec<usize>,
}

/// The text of a soul as it is searched: what people would look for, without case.
pub(super) fn text(parts: [&str; 4]) -> Box<str> {
    let mut text = String::with_capacity(parts.iter().map(|part| part.len() + 1).sum());
    for part in parts {
        fold(part, &mut text);
        text.push('\0');
    }
    text.into_boxed_str()
}

/// Text without case: lower case of upper case, so that what differs in lower case only is one.
fn fold(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
        return;
    }
    for c in text.chars() {
        match c {
            c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            c => c.to_uppercase().flat_map(char::to_lowercase).for_each(|c| {
                let _ = out.write_char(c);
            }),
        }
    }
}

fn of_three(gram: &[u8]) -> usize {
    let number = u32::from(gram[0]) << 16 | u32::from(gram[1]) << 8 | u32::from(gram[2]);
    (number.wrapping_mul(0x9E37_79B1) >> 19) as usize
}

fn of_two(gram: &[u8]) -> usize {
    let number = u32::from(gram[0]) << 8 | u32::from(gram[1]);
    (number.wrapping_mul(0x85EB_CA77) >> 19) as usize
}

impl Block {
    pub(super) fn new<'a>(souls: impl Iterator<Item = (usize, &'a Entry)>) -> Self {
        let mut words = vec![0_u64; WORDS].into_boxed_slice();
        for (place, soul) in souls {
            let bit = 1 << place;
            let bytes = soul.text.as_bytes();
            for gram in bytes.windows(3) {
                words[of_three(gram)] |= bit;
                words[of_two(gram)] |= bit;
            }
        }
        Self(words)
    }

    /// The souls that may hold all grams of the query.
    pub(super) fn candidates(&self, query: &Query) -> u64 {
        query.grams.iter().fold(u64::MAX, |found, gram| found & self.0[*gram])
    }
}

impl Query {
    pub(super) fn new(query: &str) -> Self {
        let mut text = String::new();
        fold(query, &mut text);
        let bytes = text.as_bytes();
        let mut grams: Vec<usize> = match bytes.len() {
            0 | 1 => Vec::new(),
            2 => vec![of_two(bytes)],
            _ => bytes.windows(3).map(of_three).collect(),
        };
        // Neighbours say much the same, so those that are looked at are taken from all over.
        let step = grams.len().div_ceil(MOST_GRAMS).max(1);
        grams = grams.into_iter().step_by(step).collect();
        Self { text, grams }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn is_in(&self, soul: &Entry) -> bool {
        // What stands between two fields is nobody's text.
        !self.text.contains('\0') && soul.text.contains(&*self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_count() {
        let folded = |text: &str| {
            let mut out = String::new();
            fold(text, &mut out);
            out
        };
        assert_eq!(folded("Concise OPS"), "concise ops");
        assert_eq!(folded("STRASSE Straße"), "strasse strasse");
        assert_eq!(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"));
    }
}
