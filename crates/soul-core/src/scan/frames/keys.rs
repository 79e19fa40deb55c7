//! Keys: what an entry begins with, hashed. The key of an entry leads to its bucket, and a few bits say for most words of
//! a text that no entry has a key of theirs.
//!
//! Entries that begin with a letter or digit of ASCII have the key of their first [word](Head), the others that of their
//! first [bytes](wide). A walk through a trie would wait for memory at each letter.

use crate::scan::swar::{self, eight};

/// So many bytes after the first word of a phrase count: a space and two letters, or six if it has them. "To the" begins
/// many phrases, "to the ow" few.
pub(super) const NEXT: usize = 3;
pub(super) const FURTHER: usize = 7;

/// Of a stem, at most so many bytes count.
pub(super) const STEM: usize = 5;

/// Of an entry that begins with a letter beyond ASCII or a mark, so many bytes count as it has: two or four letters of
/// China, three or six of Russia.
const WIDTHS: [usize; 4] = [2, 3, 6, 12];

/// What an entry is, by its key: one word or little more, several words, a word that goes on, or no word of ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Phrase,
    Stem,
    Wide,
}

/// The sizes of the filters in bytes, which are powers of two.
pub(super) const SIZES: [usize; 5] = [1 << 14, 1 << 15, 1 << 13, 1 << 15, 1 << 13];

/// Filters of the keys of each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    words: Filter<{ SIZES[0] }>,
    phrases: Filter<{ SIZES[1] }>,
    stems: Filter<{ SIZES[2] }>,
    wide: Filter<{ SIZES[3] }>,
    /// The first words of phrases.
    firsts: Filter<{ SIZES[4] }>,
}

impl Default for Keys {
    fn default() -> Self {
        let (words, phrases, stems) = (Filter::EMPTY, Filter::EMPTY, Filter::EMPTY);
        Self { words, phrases, stems, wide: Filter::EMPTY, firsts: Filter::EMPTY }
    }
}

/// A Bloom filter with two bits of one word of 64 bits for each key: it says yes for a few others, never no for one of
/// its own.
#[derive(Debug, Clone, Copy)]
struct Filter<const BYTES: usize>(&'static [u8; BYTES]);

impl<const BYTES: usize> Filter<BYTES> {
    const EMPTY: Self = Self(&[0; BYTES]);

    #[inline(always)]
    fn has(self, key: u64) -> bool {
        let pair = pair(key);
        eight(self.0, place(key, BYTES)) & pair == pair
    }
}

/// Where the bits of a key are in a filter of so many bytes.
#[inline(always)]
const fn place(key: u64, bytes: usize) -> usize {
    (key >> 40) as usize % (bytes / 8) * 8
}

#[inline(always)]
const fn pair(key: u64) -> u64 {
    1 << (key & 63) | 1 << (key >> 6 & 63)
}

/// The bucket of a key.
#[inline(always)]
pub(super) const fn bucket(key: u64) -> usize {
    (key >> 12) as usize % super::lexicon::BUCKETS
}

/// Adds a key to a filter that is being made.
pub(super) fn add(filter: &mut [u8], key: u64) {
    let at = place(key, filter.len());
    let bits = eight(filter, at) | pair(key);
    filter[at..at + 8].copy_from_slice(&bits.to_le_bytes());
}

impl Keys {
    /// The filters at the start of a file, and what follows them.
    pub(super) fn read(file: &'static [u8]) -> Option<(Self, &'static [u8])> {
        let (words, rest) = file.split_first_chunk()?;
        let (phrases, rest) = rest.split_first_chunk()?;
        let (stems, rest) = rest.split_first_chunk()?;
        let (wide, rest) = rest.split_first_chunk()?;
        let (firsts, rest) = rest.split_first_chunk()?;
        let keys = Self {
            words: Filter(words),
            phrases: Filter(phrases),
            stems: Filter(stems),
            wide: Filter(wide),
            firsts: Filter(firsts),
        };
        Some((keys, rest))
    }

    /// The keys that entries which begin with a word of ASCII may have.
    #[inline(always)]
    pub(super) fn of_head(&self, head: &Head, mut each: impl FnMut(u64)) {
        let stem = |length: usize| hash(stem(head.first, length));
        // All of them, without a branch for each: most words have none.
        let has_stem =
            self.stems.has(stem(2)) | self.stems.has(stem(3)) | self.stems.has(stem(4)) | self.stems.has(stem(STEM));
        if has_stem {
            (2..=STEM.min(head.run)).map(stem).filter(|key| self.stems.has(*key)).for_each(&mut each);
        }
        if self.words.has(hash(head.word)) {
            each(hash(head.word));
        }
        self.of_phrases(head.word, head.next, each);
    }

    /// The keys that phrases which begin with a word, and with what follows it, may have.
    #[inline(always)]
    pub(super) fn of_phrases(&self, word: u64, next: u64, mut each: impl FnMut(u64)) {
        let (short, long) = phrases(word, next);
        if self.phrases.has(hash(short)) {
            each(hash(short));
        }
        if self.phrases.has(hash(long)) {
            each(hash(long));
        }
    }

    /// The keys that entries which begin with anything else may have.
    #[inline(always)]
    pub(super) fn of_wide(&self, text: &[u8], start: usize, each: impl FnMut(u64)) {
        let (low, high) = (eight(text, start), eight(text, start + 8));
        let [a, b, c, d] = WIDTHS;
        let keys = [wide(low, high, a), wide(low, high, b), wide(low, high, c), wide(low, high, d)];
        if keys.iter().fold(false, |any, key| any | self.wide.has(*key)) {
            keys.into_iter().filter(|key| self.wide.has(*key)).for_each(each);
        }
    }

    /// Whether a word may begin phrases.
    pub(super) fn begins(&self, word: u64) -> bool {
        self.firsts.has(hash(word))
    }
}

/// A word of ASCII.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// How many letters and digits it has.
    pub(super) run: usize,
    first: u64,
    /// The word itself if it has less than eight bytes, otherwise a hash.
    pub(super) word: u64,
    /// The eight bytes after it.
    next: u64,
}

impl Head {
    #[inline(always)]
    pub(super) fn read(bytes: &[u8], start: usize) -> Self {
        let first = eight(bytes, start);
        let mut run = swar::alphanumerics(first);
        let first = swar::first(first, run);
        let mut word = first;
        let mut next = eight(bytes, start + run);
        if run == 8 {
            loop {
                let more = swar::alphanumerics(next);
                word = hash(word) ^ swar::first(next, more);
                run += more;
                next = eight(bytes, start + run);
                if more < 8 {
                    break;
                }
            }
        }
        Self { run, first, word, next }
    }

    /// The key of an entry that begins with this word.
    fn key(&self, length: usize, is_stem: bool) -> (Kind, u64) {
        let (short, long) = phrases(self.word, self.next);
        if is_stem && self.run == length {
            (Kind::Stem, hash(stem(self.first, STEM.min(self.run))))
        } else if length < self.run + NEXT {
            (Kind::Word, hash(self.word))
        } else if length < self.run + FURTHER {
            (Kind::Phrase, hash(short))
        } else {
            (Kind::Phrase, hash(long))
        }
    }
}

/// The word of a [`Head`], given all bytes of one that has less than sixteen.
#[inline(always)]
pub(super) const fn word(bytes: [u64; 2], run: usize) -> u64 {
    if run < 8 { bytes[0] } else { hash(bytes[0]) ^ bytes[1] }
}

/// The key of an entry; of a phrase also that of its first word.
pub(super) fn key(entry: &[u8], is_stem: bool) -> (Kind, u64, Option<u64>) {
    if !entry.first().is_some_and(u8::is_ascii_alphanumeric) {
        let width = WIDTHS.into_iter().rev().find(|width| entry.len() >= *width).unwrap_or(WIDTHS[0]);
        return (Kind::Wide, wide(eight(entry, 0), eight(entry, 8), width), None);
    }
    let head = Head::read(entry, 0);
    let (kind, key) = head.key(entry.len(), is_stem);
    (kind, key, (kind == Kind::Phrase).then(|| hash(head.word)))
}

/// The first word of phrases with what follows it, less of it and more.
#[inline(always)]
const fn phrases(word: u64, next: u64) -> (u64, u64) {
    let seed = hash(word).rotate_left(29);
    (seed ^ swar::first(next, NEXT), !seed ^ swar::first(next, FURTHER))
}

/// The first bytes of a stem, kept distinct from a word of these.
#[inline(always)]
const fn stem(first: u64, length: usize) -> u64 {
    !swar::first(first, length)
}

/// The key of some first bytes of an entry that begins with no word of ASCII, given sixteen of them.
#[inline(always)]
const fn wide(low: u64, high: u64, width: usize) -> u64 {
    let first = hash(swar::first(low, width));
    if width > 8 { hash(first ^ swar::first(high, width - 8)) } else { first }
}

#[inline(always)]
const fn hash(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}
