//! Which words can begin an entry of a lexicon: most cannot, and a look at two small tables says so.

use crate::scan::swar;

/// Bits by a hash, for words, for stems, and for words with what follows them.
const WORDS: u32 = 16;
const STEMS: u32 = 14;
const PHRASES: u32 = 16;

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
}

impl Gate {
    pub(super) fn new<'a>(entries: impl Iterator<Item = (&'a [u8], bool)>) -> Self {
        let [words, stems, phrases] = [WORDS, STEMS, PHRASES].map(|bits| vec![0; 1 << (bits - 6)]);
        let mut gate = Self { words, stems, phrases };
        let add = |table: &mut [u64], (at, bit): (usize, u64)| table[at] |= bit;
        for (entry, stem) in entries {
            let run = entry.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let bytes = swar::first(swar::eight(entry, 0), run);
            // Words of other alphabets are looked up anyway.
            if run == 0 {
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
    pub(super) fn admits(&self, bytes: u64, run: usize, next: u64) -> bool {
        // A letter beyond ASCII goes on with the word.
        if run < 8 && (bytes >> (run * 8)) & 0x80 != 0 {
            return true;
        }
        let has = |table: &[u64], (at, bit): (usize, u64)| table.get(at).is_none_or(|bits| bits & bit != 0);
        let word = swar::first(bytes, run);
        let stem = |length: usize| has(&self.stems, place(swar::first(word, length), STEMS));
        // All of them, without a branch for each.
        has(&self.phrases, place(phrase(word, next), PHRASES))
            | has(&self.words, place(word, WORDS))
            | stem(2)
            | stem(3)
            | stem(4)
            | stem(STEM)
    }
}

/// The first word of a phrase and what follows it, as one number.
#[inline]
const fn phrase(word: u64, next: u64) -> u64 {
    word ^ swar::first(next, NEXT).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29)
}

/// The place of a bit among so many.
#[inline]
const fn place(bytes: u64, bits: u32) -> (usize, u64) {
    let hash = bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits);
    ((hash >> 6) as usize, 1 << (hash & 63))
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
            gate.admits(bytes, run, swar::eight(text.as_bytes(), run))
        };
        for text in ["never mind", "cancel", "cancelling it", "owner.", "going", "go", "señor"] {
            assert!(admits(text), "{text}");
        }
        let others = ["owners", "nevermore", "never again", "can", "the", "g", "house", "information"];
        assert!(others.iter().filter(|text| admits(text)).count() < 2);
    }
}
