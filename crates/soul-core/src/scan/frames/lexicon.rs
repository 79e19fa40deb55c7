//! The lexicons: which words of a language name which concept, all languages together.
//!
//! A file has one language. A line is `concept: word stem* "several words" …`, or a comment after `#`. A star at the end
//! lets a word go on (`cancel*`); writing systems without spaces, and Arabic, never need it. Entries are folded like the
//! text that is scanned, so they are written as usual, with accents.

use std::sync::OnceLock;

use super::concept::{self, Concepts};
use super::index::Index;
use super::trie::Trie;
use crate::scan::fold::fold;

/// The languages, by the code in the name of their file; the bit of a language is its place. `common` holds what is the
/// same in all of them.
pub(super) const FILES: [(&str, &str); 14] = [
    ("common", include_str!("lexicon/common.txt")),
    ("en", include_str!("lexicon/en.txt")),
    ("zh", include_str!("lexicon/zh.txt")),
    ("ja", include_str!("lexicon/ja.txt")),
    ("ko", include_str!("lexicon/ko.txt")),
    ("es", include_str!("lexicon/es.txt")),
    ("pt", include_str!("lexicon/pt.txt")),
    ("fr", include_str!("lexicon/fr.txt")),
    ("de", include_str!("lexicon/de.txt")),
    ("ru", include_str!("lexicon/ru.txt")),
    ("ar", include_str!("lexicon/ar.txt")),
    ("tr", include_str!("lexicon/tr.txt")),
    ("hi", include_str!("lexicon/hi.txt")),
    ("pl", include_str!("lexicon/pl.txt")),
];

/// A set of languages, one bit each.
pub(super) type Languages = u16;

pub(super) const ALL: Languages = Languages::MAX;

/// The language in which a suffix of the verb forbids (`gönderme`).
pub(super) const TURKISH: Languages = 1 << 11;

/// What a word means in the languages that have it. There are many of them, and a text reads them at random: small ones
/// stay in the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// Which of the sets of concepts.
    concepts: u16,
    pub(super) languages: Languages,
    /// Whether the word may go on.
    pub(super) stem: bool,
}

/// A line of a lexicon that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable(pub(super) String);

/// An entry of a lexicon: folded word, concept, whether it is a stem.
pub(super) type Entry = (String, Concepts, bool);

/// The entries of a file.
pub(super) fn parse(text: &str) -> Result<Vec<Entry>, Unreadable> {
    let mut entries = Vec::new();
    for line in text.lines() {
        let line = line.split(" # ").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, words) = line.split_once(':').ok_or_else(|| Unreadable(line.to_owned()))?;
        let concept = concept::bit(name.trim()).ok_or_else(|| Unreadable(format!("unknown concept {name}")))?;
        for (at, part) in words.split('"').enumerate() {
            // Between quotation marks is one entry, outside each word is.
            let quoted = at % 2 == 1;
            let words: Vec<&str> = if quoted { vec![part] } else { part.split_whitespace().collect() };
            for word in words {
                let (bare, stem) = word.strip_suffix('*').map_or((word, false), |bare| (bare, true));
                let folded = fold(bare).text.trim().to_owned();
                if folded.len() < 2 {
                    return Err(Unreadable(format!("{name}: {word}")));
                }
                entries.push((folded, concept, stem));
            }
        }
    }
    Ok(entries)
}

/// The entries of all languages.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// Those that begin with a letter or digit of ASCII.
    pub(super) index: Index,
    /// The others.
    pub(super) trie: Trie,
    meanings: Vec<Meaning>,
    /// The sets of concepts that words name.
    sets: Vec<Concepts>,
    /// The length of the longest entry.
    pub(super) longest: usize,
}

/// An entry at a place: where it ends, and the range of its meanings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) end: usize,
    pub(super) meanings: (u32, u32),
}

impl Lexicon {
    /// Every entry of every language. A file that cannot be read adds nothing; a test reads them all.
    fn embedded() -> Self {
        let mut entries: Vec<(String, Concepts, Languages, bool)> = Vec::new();
        for (at, (_, text)) in FILES.iter().enumerate() {
            let languages = if at == 0 { ALL } else { 1 << at };
            let read = parse(text).unwrap_or_default().into_iter();
            entries.extend(read.map(|(word, concepts, stem)| (word, concepts, languages, stem)));
        }
        entries.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        Self::build(&entries)
    }

    /// Of entries in order. Those that are the same word become one, with several meanings.
    fn build(entries: &[(String, Concepts, Languages, bool)]) -> Self {
        let (mut meanings, mut sets) = (Vec::new(), Vec::new());
        let mut words: Vec<Word<'_>> = Vec::new();
        for same in entries.chunk_by(|(a, ..), (b, ..)| a == b) {
            let mut known: Vec<(Concepts, Languages, bool)> = Vec::new();
            for (_, concepts, languages, stem) in same {
                match known.iter_mut().find(|(_, of, is_stem)| of == languages && is_stem == stem) {
                    Some((all, ..)) => *all |= concepts,
                    None => known.push((*concepts, *languages, *stem)),
                }
            }
            let start = number(meanings.len());
            let is_stem = known.iter().any(|(.., stem)| *stem);
            for (concepts, languages, stem) in known {
                meanings.push(Meaning { concepts: set(&mut sets, concepts), languages, stem });
            }
            words.push((same[0].0.as_bytes(), is_stem, (start, number(meanings.len()))));
        }
        meanings.shrink_to_fit();
        let is_indexed = |word: &&Word<'_>| word.0.first().is_some_and(u8::is_ascii_alphanumeric);
        let longest = words.iter().map(|(word, ..)| word.len()).max().unwrap_or(0);
        let mut lexicon = Self { index: Index::default(), trie: Trie::default(), meanings, sets, longest };
        let named = |range| lexicon.meanings_of(range).iter().fold(0, |all, meaning| all | lexicon.concepts(meaning));
        let indexed = words.iter().filter(is_indexed).map(|word| (*word, named(word.2)));
        lexicon.index = Index::new(indexed);
        words.retain(|word| !is_indexed(&word));
        lexicon.trie = Trie::new(&words);
        lexicon
    }

    /// The meanings of an entry.
    #[inline]
    pub(super) fn meanings_of(&self, range: (u32, u32)) -> &[Meaning] {
        &self.meanings[range.0 as usize..range.1 as usize]
    }

    /// The concepts that a word names.
    #[inline]
    pub(super) fn concepts(&self, meaning: &Meaning) -> Concepts {
        self.sets.get(usize::from(meaning.concepts)).copied().unwrap_or(0)
    }
}

/// The number of a set of concepts.
fn set(sets: &mut Vec<Concepts>, concepts: Concepts) -> u16 {
    let known = sets.iter().position(|known| *known == concepts).unwrap_or_else(|| {
        sets.push(concepts);
        sets.len() - 1
    });
    u16::try_from(known).unwrap_or(u16::MAX)
}

/// An entry, whether it may go on, and the range of its meanings.
pub(super) type Word<'a> = (&'a [u8], bool, (u32, u32));

pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
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

pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(Lexicon::embedded)
}
