//! Which words can begin an entry of a lexicon: most cannot, and a look at two small tables says so.

use crate::scan::swar;

/// Bits by a hash, for words, for stems, and for words with what follows them.
const WORDS: u32 = 16;
const STEMS: u32 = 14;
const PHRASES: u32 = 16;

/// Bits for words that begin with anything but a letter of ASCII, and how many of their bytes count, as far as they have
/// them: two letters of China, three of Russia.
const WIDE: u32 = 15;
const WIDTHS: [usize; 3] = [2, 3, 6];

/// So many bytes after the first word of a phrase count: a space and two letters.
const NEXT: usize = 3;

/// Of a stem, at most so many bytes count.
const STEM: usize = 5;

/// Sets of the first words of entries. Says yes for a few words too many, and never no for one that begins an entry.
#[derive(Debug, Default)]
pub(super) struct Gate {
    words: Vec<u64>,
    stems: Vec<u64>,
    phrases: Vec<u64>,
    wide: Vec<u64>,
}

impl Gate {
    pub(super) fn new<'a>(entries: impl Iterator<Item = (&'a [u8], bool)>) -> Self {
        let [words, stems, phrases, wide] = [WORDS, STEMS, PHRASES, WIDE].map(|bits| vec![0; 1 << (bits - 6)]);
        let mut gate = Self { words, stems, phrases, wide };
        let add = |table: &mut [u64], (at, bit): (usize, u64)| table[at] |= bit;
        for (entry, stem) in entries {
            let run = entry.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let bytes = swar::first(swar::eight(entry, 0), run);
            if run == 0 {
                let width = WIDTHS.into_iter().rev().find(|width| entry.len() >= *width).unwrap_or(WIDTHS[0]);
                add(&mut gate.wide, place(swar::first(swar::eight(entry, 0), width), WIDE));
                continue;
            }
            if run < 8 && entry.len() >= run + NEXT {
                add(&mut gate.phrases, place(phrase(bytes, swar::eight(entry, run)), PHRASES));
            } else {
                add(&mut gate.words, place(bytes, WORDS));
            }
            if stem && run == entry.len() {
                add(&mut gate.stems, place(swar::first(bytes, STEM.min(run)), STEMS));
            }
        }
        gate
    }

    /// Whether a word whose first bytes are letters or digits of ASCII can begin an entry: its first eight bytes, how many
    /// of these are such, and the bytes after those.
    #[inline]
    pub(super) fn admits(&self, bytes: u64, run: usize, next: u64) -> Admitted {
        // The end of a long word is not seen, and a letter beyond ASCII goes on with a short one.
        let whole = run < 8 && (bytes >> (run * 8)) & 0x80 == 0;
        let word = swar::first(bytes, run);
        let stem = |length: usize| has(&self.stems, swar::first(word, length), STEMS);
        // All of them, without a branch for each.
        if run < 8 && !whole | stem(2) | stem(3) | stem(4) | stem(STEM) {
            Admitted::Stem
        } else if has(&self.phrases, phrase(word, next), PHRASES) | has(&self.words, word, WORDS) {
            if whole { Admitted::Word } else { Admitted::Stem }
        } else if run >= 8 && stem(2) | stem(3) | stem(4) | stem(STEM) {
            Admitted::Stem
        } else {
            Admitted::No
        }
    }

    /// Whether a word that begins with another letter can begin an entry: its first eight bytes.
    #[inline]
    pub(super) fn admits_wide(&self, bytes: u64) -> bool {
        let begins = |length: usize| has(&self.wide, swar::first(bytes, length), WIDE);
        begins(WIDTHS[0]) | begins(WIDTHS[1]) | begins(WIDTHS[2])
    }
}

/// Whether a word can begin an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admitted {
    No,
    /// Only as a whole word.
    Word,
    /// As a whole or as the start of it.
    Stem,
}

/// Where in a trie the first words of entries lead.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    /// The word as a number, the node and its depth, by a hash of the word; the number 0 stands for no word.
    slots: Vec<(u64, u32, u32)>,
}

impl Jumps {
    pub(super) fn new(words: impl Iterator<Item = (u64, u32, u32)>) -> Self {
        let mut words: Vec<(u64, u32, u32)> = words.collect();
        words.sort_unstable();
        words.dedup();
        let mut jumps = Self { slots: vec![(0, 0, 0); (words.len() * 4 / 3 + 1).next_power_of_two()] };
        for jump in words {
            let mut at = jumps.first_slot(jump.0);
            while jumps.slots[at].0 != 0 {
                at = (at + 1) % jumps.slots.len();
            }
            jumps.slots[at] = jump;
        }
        jumps
    }

    /// The node of a word, and how many of its bytes lead there.
    #[inline]
    pub(super) fn get(&self, word: u64) -> Option<(u32, usize)> {
        let mut at = self.first_slot(word);
        loop {
            let (known, node, depth) = *self.slots.get(at)?;
            if known == word {
                return Some((node, depth as usize));
            }
            if known == 0 {
                return None;
            }
            at = (at + 1) % self.slots.len();
        }
    }

    #[inline]
    fn first_slot(&self, word: u64) -> usize {
        (hash(word) >> 32) as usize & self.slots.len().wrapping_sub(1)
    }
}

/// The first word of a phrase and what follows it, as one number.
#[inline]
const fn phrase(word: u64, next: u64) -> u64 {
    word ^ swar::first(next, NEXT).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29)
}

/// Whether a number is in a set of bits.
#[inline]
fn has(table: &[u64], number: u64, bits: u32) -> bool {
    let (at, bit) = place(number, bits);
    table.get(at).is_none_or(|bits| bits & bit != 0)
}

/// The place of a number among so many bits.
#[inline]
const fn place(number: u64, bits: u32) -> (usize, u64) {
    let hash = hash(number) >> (u64::BITS - bits);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

#[inline]
const fn hash(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_an_entry_is_admitted_and_most_words_are_not() {
        let entries = [("never mind", false), ("cancel", true), ("owner", false), ("übergeh", true), ("go", true)];
        let gate = Gate::new(entries.iter().map(|(entry, stem)| (entry.as_bytes(), *stem)));
        let admits = |text: &str| {
            let bytes = swar::eight(text.as_bytes(), 0);
            let run = swar::alphanumerics(bytes);
            gate.admits(bytes, run, swar::eight(text.as_bytes(), run)) != Admitted::No
        };
        for text in ["never mind", "cancel", "cancelling it", "owner.", "going", "go", "señor"] {
            assert!(admits(text), "{text}");
        }
        let others = ["owners", "nevermore", "never again", "can", "the", "g", "house", "information"];
        assert!(others.iter().filter(|text| admits(text)).count() < 2);
        let wide = |text: &str| gate.admits_wide(swar::eight(text.as_bytes(), 0));
        assert!(wide("übergehen") && !wide("über") && !wide("忽略"));
    }

    #[test]
    fn every_word_leads_to_its_node() {
        let words: Vec<(u64, u32, u32)> = (1..1_000).map(|n| (n * n, n as u32, 2)).collect();
        let jumps = Jumps::new(words.iter().copied());
        assert!(words.iter().all(|(word, node, _)| jumps.get(*word) == Some((*node, 2))));
        assert_eq!((jumps.get(3), Jumps::default().get(4)), (None, None));
    }
}
