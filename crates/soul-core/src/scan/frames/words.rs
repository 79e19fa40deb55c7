//! What words may name, remembered: the same words make up most of any text, and a look at a small table tells them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::concept::{CONCEPTS, Concepts};
use super::keys::{self, Head, NEXT};
use super::lexicon::{Entries, Entry, Lexicon};
use crate::scan::swar;

/// What is known of words. It depends on nothing but the lexicons, so it stays from one text to the next.
pub(super) struct Words {
    short: Table<1, 13>,
    medium: Table<2, 12>,
    sets: Sets,
}

/// What words may name by themselves, and whether they may [begin](BEGINS) phrases: each set once, the empty one first.
/// Many words name the same, and tables of numbers leave room in the second cache.
struct Sets {
    sets: Vec<Concepts>,
    numbers: BTreeMap<Concepts, u16>,
}

/// Words of less than `8 * N` bytes, two for each of `1 << BITS` hashes: with one place for a hash, common words would
/// take turns and be learned over and over.
///
/// The sets of most words have a number that fits into the words themselves, which stay in the second cache between texts.
struct Table<const N: usize, const BITS: u32> {
    /// The bytes of words, zeros after them, and in the highest byte, which no word fills, the number of what it names;
    /// the one that was learned last first.
    words: Vec<[[u64; N]; 2]>,
    /// The set of each word with the number [`MORE`].
    numbers: Vec<[u16; 2]>,
}

/// The number of all sets that have none of their own in one byte. The first sets that come up are the most common.
const MORE: u16 = 0xff;

/// Where the number of a set is in the bytes of a word.
const NUMBER: u32 = u64::BITS - 8;

/// Set in the concepts of a word that may begin phrases. No concept has this bit.
const BEGINS: Concepts = 1 << 127;
const _: () = assert!(CONCEPTS.len() < 127);

thread_local! {
    static WORDS: RefCell<Words> = const { RefCell::new(Words::new()) };
}

/// Passes on what this thread knows of words.
pub(super) fn with<T>(work: impl FnOnce(&mut Words) -> T) -> T {
    WORDS.with(|words| match words.try_borrow_mut() {
        Ok(mut words) => work(&mut words),
        Err(_) => work(&mut Words::new()),
    })
}

impl Words {
    const fn new() -> Self {
        let sets = Sets { sets: Vec::new(), numbers: BTreeMap::new() };
        Self { short: Table::new(), medium: Table::new(), sets }
    }

    /// Reads words of ASCII with a space between them, from a place to another one or to anything else. Where that is,
    /// and everything that the entries name that may begin with the words.
    #[inline(always)]
    pub(super) fn read(&mut self, lexicon: &Lexicon, text: &[u8], mut at: usize, to: usize) -> (usize, Concepts) {
        let mut all = 0;
        while at < to {
            let Some((word, run, named)) = self.known(lexicon, text, at) else {
                let (run, named) = long(lexicon, text, at);
                return (at + run, (all | named) & !BEGINS);
            };
            if run == 0 {
                break;
            }
            all |= named;
            if named & BEGINS != 0 {
                let next = swar::eight(text, at + run);
                lexicon.keys.of_phrases(keys::word(word, run), next, |key| all |= compared(lexicon, key, text, at));
            }
            at += run;
            // Most words have a space after them.
            if text.get(at) != Some(&b' ') {
                break;
            }
            at += 1;
        }
        (at, all & !BEGINS)
    }

    /// How many letters and digits of ASCII begin here, if no entry begins with them. None for a long word too.
    #[inline]
    pub(super) fn skip_unnamed(&mut self, lexicon: &Lexicon, text: &[u8], at: usize) -> Option<usize> {
        // Every entry names something.
        self.known(lexicon, text, at).filter(|(_, _, concepts)| *concepts == 0).map(|(_, run, _)| run)
    }

    /// The word of ASCII at a place, its length, and what is known of it; none if it is too long to be remembered. Where
    /// no word is, its length is 0.
    #[inline(always)]
    fn known(&mut self, lexicon: &Lexicon, text: &[u8], at: usize) -> Option<([u64; 2], usize, Concepts)> {
        let first = swar::eight(text, at);
        let run = swar::alphanumerics(first);
        if run == 0 {
            return Some(([0; 2], 0, 0));
        }
        if run < 8 {
            let word = swar::first(first, run);
            return Some(([word, 0], run, self.short.concepts_of(&mut self.sets, lexicon, [word], run)));
        }
        let second = swar::eight(text, at + 8);
        let more = swar::alphanumerics(second);
        if more == 8 {
            return None;
        }
        let word = [first, swar::first(second, more)];
        Some((word, 8 + more, self.medium.concepts_of(&mut self.sets, lexicon, word, 8 + more)))
    }
}

impl Sets {
    /// The number of a set; none if there are too many.
    fn number(&mut self, set: Concepts) -> Option<u16> {
        if self.sets.is_empty() {
            self.sets.push(0);
            self.numbers.insert(0, 0);
        }
        if let Some(number) = self.numbers.get(&set) {
            return Some(*number);
        }
        let number = u16::try_from(self.sets.len()).ok()?;
        self.sets.push(set);
        self.numbers.insert(set, number);
        Some(number)
    }
}

impl<const N: usize, const BITS: u32> Table<N, BITS> {
    const fn new() -> Self {
        Self { words: Vec::new(), numbers: Vec::new() }
    }

    /// What a word may name by itself, and whether it may begin phrases.
    #[inline(always)]
    fn concepts_of(&mut self, sets: &mut Sets, lexicon: &Lexicon, word: [u64; N], run: usize) -> Concepts {
        let mixed = word.iter().fold(0, |mixed: u64, part| mixed.rotate_left(23) ^ part);
        let place = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS)) as usize;
        if let Some(known) = self.words.get(place) {
            // Without a branch for each of the two: nobody can tell which of them it is.
            let second = usize::from(!is_word(&known[0], &word));
            if is_word(&known[second], &word) {
                let number = (known[second][N - 1] >> NUMBER) as u16;
                let number = if number == MORE { self.numbers[place][second] } else { number };
                return sets.sets[usize::from(number)];
            }
        }
        self.learn(sets, lexicon, word, run, place)
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, sets: &mut Sets, lexicon: &Lexicon, mut word: [u64; N], run: usize, place: usize) -> Concepts {
        if self.words.is_empty() {
            self.words = vec![[[0; N]; 2]; 1 << BITS];
            self.numbers = vec![[0; 2]; 1 << BITS];
        }
        // With room after the word, so that eight bytes at a time can be read.
        let mut bytes = [0; 32];
        for (eight, part) in bytes.as_chunks_mut().0.iter_mut().zip(word) {
            *eight = part.to_le_bytes();
        }
        let concepts = learned(lexicon, &bytes, run);
        let Some(number) = sets.number(concepts) else { return concepts };
        word[N - 1] |= u64::from(number.min(MORE)) << NUMBER;
        self.words[place] = [word, self.words[place][0]];
        self.numbers[place] = [number, self.numbers[place][0]];
        concepts
    }
}

/// Whether an entry of a table is a word.
#[inline(always)]
fn is_word<const N: usize>(known: &[u64; N], word: &[u64; N]) -> bool {
    let differ = |at: usize| known[at] ^ word[at];
    (0..N - 1).fold(differ(N - 1) << (u64::BITS - NUMBER), |different, at| different | differ(at)) == 0
}

/// What the entries name that a word may be, given bytes that it begins.
fn learned(lexicon: &Lexicon, bytes: &[u8], run: usize) -> Concepts {
    let head = Head::read(bytes, 0);
    let mut concepts = if lexicon.keys.begins(head.word) { BEGINS } else { 0 };
    lexicon.keys.of_head(&head, |key| {
        let entries = lexicon.entries(key).filter(|entry| is_named(&bytes[..run], entry));
        entries.for_each(|entry| concepts |= lexicon.concepts_of(entry.meanings));
    });
    concepts
}

/// Whether an entry is a word, begins it as a stem, or is the word and little more (`don't`).
fn is_named(word: &[u8], entry: &Entry) -> bool {
    match entry.bytes.strip_prefix(word) {
        Some(more) => more.len() < NEXT && !more.first().is_some_and(u8::is_ascii_alphanumeric),
        None => entry.stem && word.starts_with(entry.bytes),
    }
}

/// What the entries with a key name that the text has at a place.
#[inline(never)]
fn compared(lexicon: &Lexicon, key: u64, text: &[u8], at: usize) -> Concepts {
    let mut entries = Entries::default();
    lexicon.compare(key, text, at, false, &mut entries);
    lexicon.concepts_of_all(&entries)
}

/// A word that is longer is rare, and looked up each time.
fn long(lexicon: &Lexicon, text: &[u8], at: usize) -> (usize, Concepts) {
    let head = Head::read(text, at);
    (head.run, lexicon.concepts_of_all(&lexicon.entries_of_word(text, at, &head)))
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::{BUCKETS, lexicon};
    use super::*;

    #[test]
    fn every_entry_names_something_and_no_sentence_ends_inside_of_one() {
        let entries = (0..BUCKETS as u64).flat_map(|bucket| lexicon().entries(bucket << 12));
        let mut count = 0;
        for Entry { bytes, meanings, .. } in entries {
            let ends = |pair: &[u8]| matches!(pair, [b'.' | b'!' | b'?', b' ']);
            assert!(lexicon().concepts_of(meanings) != 0 && !bytes.windows(2).any(ends), "{bytes:?}");
            count += 1;
        }
        assert!(count > 10_000);
    }

    #[test]
    fn a_word_is_the_same_each_time_it_is_read() {
        let text: String =
            (0..40_000).map(|number| format!("{} cancel transactions ", number * 7_919 % 30_011)).collect();
        let (mut words, bytes) = (Words::new(), text.as_bytes());
        let of = |words: &mut Words, word: &str| words.read(lexicon(), word.as_bytes(), 0, word.len());
        let (cancel, transactions) = (of(&mut words, "cancel"), of(&mut words, "transactions"));
        assert!(cancel.0 == 6 && cancel.1 != 0 && transactions.0 == 12);
        let mut at = 0;
        while at < bytes.len() {
            let (end, concepts) = words.read(lexicon(), bytes, at, at + 1);
            match &bytes[at..end] {
                b"cancel " => assert_eq!(concepts, cancel.1),
                b"transactions " => assert_eq!(concepts, transactions.1),
                _ => {}
            }
            at = end;
        }
        assert_eq!(words.skip_unnamed(lexicon(), b"qzxv is no word", 0), Some(4));
        assert_eq!(words.skip_unnamed(lexicon(), b"cancel it", 0), None);
    }
}
