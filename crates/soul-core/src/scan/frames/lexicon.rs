//! The lexicons: which words of a language name which concept, all languages together.
//!
//! `lexicon/*.txt` is the source: one file a language, lines of `concept: word stem* "several words" …`, comments after
//! `#`. A star at the end lets a word go on (`cancel*`); writing systems without spaces, and Arabic, never need it.
//! Entries are folded like the text that is scanned, so they are written as usual, with accents.
//!
//! `cargo xtask lexicon` [compiles](super::compile) the files into `lexicon.bin`, and the scanner reads that in place:
//! to parse, fold and index tens of thousands of entries takes most of a tenth of a second, and a process that scans one
//! file would spend it each time. A test fails if the two differ.

use std::sync::OnceLock;

use super::concept::Concepts;
use super::keys::{Head, Keys, bucket};
use crate::scan::swar;
use crate::scan::tables::{u16_at, u32_at, u128_at};

/// The languages, by the names of their files; the bit of a language is its place. `common` holds what is the same in
/// all of them.
pub(super) const LANGUAGES: [&str; 14] =
    ["common", "en", "zh", "ja", "ko", "es", "pt", "fr", "de", "ru", "ar", "tr", "hi", "pl"];

/// A set of languages, one bit each.
pub(super) type Languages = u16;

pub(super) const ALL: Languages = Languages::MAX;

/// The language in which a suffix of the verb forbids (`gönderme`).
pub(super) const TURKISH: Languages = 1 << 11;

/// The number of buckets of entries. About as many as there are different first words.
pub(super) const BUCKETS: usize = 1 << 15;

/// The sections of `lexicon.bin` after the keys: a section of `u32` for the buckets, then those of this header, each with
/// its length in bytes.
pub(super) const HEADER: usize = 4;

/// What a word means in the languages that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) concepts: Concepts,
    pub(super) languages: Languages,
    /// Whether the word may go on.
    pub(super) stem: bool,
}

/// In a `u16` of the file: whether an entry or a meaning is a stem. The other bits are a number.
pub(super) const STEM_BIT: u16 = 1 << 15;

/// The entries of all languages, as slices of `lexicon.bin`. Numbers are little-endian.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    pub(super) keys: Keys,
    /// Where the entries of each bucket begin, and where the last one ends.
    buckets: &'static [u8],
    /// Each has its length in a byte, the number of its meanings with [`STEM_BIT`], and its bytes.
    entries: &'static [u8],
    /// The first of the meanings of each number, and where the last one ends.
    firsts: &'static [u8],
    /// The number of a set of concepts with [`STEM_BIT`], and the languages.
    meanings: &'static [u8],
    /// Sets of concepts.
    sets: &'static [u8],
    /// The length of the longest entry.
    pub(super) longest: usize,
    /// A bit for each hash of the first character of an entry that begins with no word of ASCII.
    beginnings: Vec<u64>,
}

/// So many bits has a hash of a first character. Most symbols, and many letters, begin no entry.
const BEGINNING: u32 = 15;

/// The hash of the character that begins somewhere: of its bytes, of more than three the first; after one of ASCII also
/// of the next byte.
#[inline(always)]
fn beginning(bytes: &[u8], start: usize) -> usize {
    let eight = swar::eight(bytes, start);
    let width = if eight & 0xff >= 0xe0 { 3 } else { 2 };
    (swar::first(eight, width).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BEGINNING)) as usize
}

/// An entry at a place: where it ends, and the number of its meanings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) end: usize,
    pub(super) meanings: u16,
}

/// An entry as it stands in its bucket.
pub(super) struct Entry {
    pub(super) bytes: &'static [u8],
    pub(super) meanings: u16,
    pub(super) stem: bool,
}

impl Lexicon {
    /// None if the sections do not fit.
    pub(super) fn read(file: &'static [u8]) -> Option<Self> {
        let (keys, rest) = Keys::read(file)?;
        let (buckets, rest) = rest.split_at_checked((BUCKETS + 1) * 4)?;
        let (header, mut rest) = rest.split_at_checked(HEADER * 4)?;
        let mut section = |at: usize| {
            let (section, more) = rest.split_at_checked(u32_at(header, at * 4) as usize)?;
            rest = more;
            Some(section)
        };
        let (entries, firsts, meanings, sets) = (section(0)?, section(1)?, section(2)?, section(3)?);
        let longest = usize::from(*rest.first()?);
        let mut beginnings = vec![0; 1 << BEGINNING >> 6];
        for entry in parsed(entries).filter(|entry| !entry.bytes.first().is_some_and(u8::is_ascii_alphanumeric)) {
            // No entry is a single mark of ASCII.
            let at = beginning(entry.bytes, 0);
            beginnings[at / 64] |= 1 << (at % 64);
        }
        Some(Self { keys, buckets, entries, firsts, meanings, sets, longest, beginnings })
    }

    /// The meanings of an entry.
    #[inline]
    pub(super) fn meanings_of(&self, number: u16) -> impl Iterator<Item = Meaning> {
        let at = usize::from(number) * 2;
        (u16_at(self.firsts, at)..u16_at(self.firsts, at + 2)).map(|meaning| {
            let at = usize::from(meaning) * 4;
            let (set, languages) = (u16_at(self.meanings, at), u16_at(self.meanings, at + 2));
            let concepts = u128_at(self.sets, usize::from(set & !STEM_BIT) * 16);
            Meaning { concepts, languages, stem: set & STEM_BIT != 0 }
        })
    }

    /// Everything that entries may mean.
    pub(super) fn concepts_of_all(&self, entries: &Entries) -> Concepts {
        entries.as_slice().iter().fold(0, |all, found| all | self.concepts_of(found.meanings))
    }

    /// Everything that an entry may mean.
    pub(super) fn concepts_of(&self, number: u16) -> Concepts {
        self.meanings_of(number).fold(0, |all, meaning| all | meaning.concepts)
    }

    /// The entries in the bucket of a key: those with this key, and a few others.
    #[inline]
    pub(super) fn entries(&self, key: u64) -> impl Iterator<Item = Entry> {
        let at = bucket(key) * 4;
        let range = u32_at(self.buckets, at) as usize..u32_at(self.buckets, at + 4) as usize;
        parsed(self.entries.get(range).unwrap_or_default())
    }

    /// The entries that a word of ASCII begins, the longest last.
    #[inline]
    pub(super) fn entries_of_word(&self, text: &[u8], start: usize, head: &Head) -> Entries {
        let mut found = Entries::default();
        self.keys.of_head(head, |key| self.compare(key, text, start, false, &mut found));
        found
    }

    /// Whether an entry may begin with the character here, which is no letter or digit of ASCII.
    #[inline(always)]
    pub(super) fn may_begin(&self, text: &[u8], start: usize) -> bool {
        let at = beginning(text, start);
        self.beginnings.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
    }

    /// The entries that begin with anything else, the longest last; `anywhere` if they may end within a word.
    pub(super) fn wide_entries(&self, text: &[u8], start: usize, anywhere: bool) -> Entries {
        let mut found = Entries::default();
        if self.may_begin(text, start) {
            self.keys.of_wide(text, start, |key| self.compare(key, text, start, anywhere, &mut found));
        }
        found
    }

    /// Adds the entries with a key that the text has at a place. One that is not a stem must end where its last word
    /// does, unless it may end anywhere.
    pub(super) fn compare(&self, key: u64, text: &[u8], start: usize, anywhere: bool, found: &mut Entries) {
        let rest = text.get(start..).unwrap_or_default();
        for Entry { bytes, meanings, stem } in self.entries(key) {
            // Entries of a bucket begin alike and end differently: the last bytes tell most of them apart.
            let is_same = rest.get(bytes.len().wrapping_sub(1)) == bytes.last() && rest.starts_with(bytes);
            if is_same && (stem || anywhere || is_word_end(rest, bytes.len())) {
                found.insert(Found { end: start + bytes.len(), meanings });
            }
        }
    }
}

/// Reads entries one after the other.
#[inline]
fn parsed(mut rest: &'static [u8]) -> impl Iterator<Item = Entry> {
    std::iter::from_fn(move || {
        let ([length, low, high], after) = rest.split_first_chunk()?;
        let (bytes, after) = after.split_at_checked(usize::from(*length))?;
        rest = after;
        let meanings = u16::from_le_bytes([*low, *high]);
        Some(Entry { bytes, meanings: meanings & !STEM_BIT, stem: meanings & STEM_BIT != 0 })
    })
}

/// The longest entries at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entries {
    found: [Found; 4],
    count: usize,
}

impl Entries {
    /// Adds an entry where its length belongs, each once; the shortest one gives way.
    pub(super) fn insert(&mut self, found: Found) {
        let at = self.found[..self.count].partition_point(|known| known.end < found.end);
        if self.found[at..self.count].first().is_some_and(|known| known.end == found.end) {
            return;
        }
        if self.count < self.found.len() {
            self.found[at..=self.count].rotate_right(1);
            self.found[at] = found;
            self.count += 1;
        } else if at > 0 {
            self.found[..at].rotate_left(1);
            self.found[at - 1] = found;
        }
    }

    pub(super) fn as_slice(&self) -> &[Found] {
        &self.found[..self.count]
    }
}

/// Whether no letter of an alphabet follows.
pub(super) fn is_word_end(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => true,
        Some(byte) if byte.is_ascii() => !byte.is_ascii_alphanumeric(),
        // Writing systems without spaces, and symbols, end a word; other letters go on with it.
        Some(byte) => matches!(byte, 0xe2..=0xed | 0xef..),
    }
}

pub(super) static FILE: &[u8] = include_bytes!("lexicon.bin");

/// The embedded lexicon. A test makes sure that it can be read.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| Lexicon::read(FILE).unwrap_or_default())
}
