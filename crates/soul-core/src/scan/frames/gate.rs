//! Which words can begin an entry of a lexicon: most cannot, and a look at two small tables says so.

use crate::scan::swar;

/// Bits by a hash, for words and for stems.
const WORDS: u32 = 16;
const STEMS: u32 = 15;

/// Of a stem, at most so many bytes count.
const STEM: usize = 5;

/// Sets of the first words of entries. Says yes for a few words too many, and never no for one that begins an entry.
#[derive(Debug, Default)]
pub(super) struct Gate {
    words: Vec<u64>,
    stems: Vec<u64>,
}

impl Gate {
    pub(super) fn new<'a>(entries: impl Iterator<Item = (&'a [u8], bool)>) -> Self {
        let mut gate = Self { words: vec![0; 1 << (WORDS - 6)], stems: vec![0; 1 << (STEMS - 6)] };
        for (entry, stem) in entries {
            let run = entry.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let bytes = swar::first(swar::eight(entry, 0), run);
            let (at, bit) = place(bytes, WORDS);
            gate.words[at] |= bit;
            if stem && run == entry.len() {
                let (at, bit) = place(swar::first(bytes, STEM.min(run)), STEMS);
                gate.stems[at] |= bit;
            }
        }
        gate
    }

    /// Whether a word whose first bytes are letters or digits of ASCII can begin an entry: its first eight bytes, and how
    /// many of these are such.
    #[inline]
    pub(super) fn admits(&self, bytes: u64, run: usize) -> bool {
        // A letter beyond ASCII goes on with the word.
        if run < 8 && (bytes >> (run * 8)) & 0x80 != 0 {
            return true;
        }
        let has = |table: &[u64], (at, bit): (usize, u64)| table.get(at).is_none_or(|bits| bits & bit != 0);
        let word = swar::first(bytes, run);
        let stem = |length: usize| has(&self.stems, place(swar::first(word, length), STEMS));
        // All of them, without a branch for each.
        has(&self.words, place(word, WORDS)) | stem(2) | stem(3) | stem(4) | stem(STEM)
    }
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
            gate.admits(bytes, swar::alphanumerics(bytes))
        };
        for text in ["never mind", "never", "cancel", "cancelling it", "owner.", "going", "go", "señor"] {
            assert!(admits(text), "{text}");
        }
        let others = ["owners", "nevermore", "can", "the", "g", "house", "information"];
        assert!(others.iter().filter(|text| admits(text)).count() < 2);
    }
}
