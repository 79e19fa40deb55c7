//! The lexicons: which words of a language name which concept, in one trie for all languages.
//!
//! A file has one language. A line is `concept: word stem* "several words" …`, or a comment after `#`. A star at the end
//! lets a word go on (`cancel*`); writing systems without spaces, and Arabic, never need it. Entries are folded like the
//! text that is scanned, so they are written as usual, with accents.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::concept::{self, Concepts};
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

/// What a word means in the languages that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) concepts: Concepts,
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
                if folded.is_empty() {
                    return Err(Unreadable(format!("{name}: {word}")));
                }
                entries.push((folded, concept, stem));
            }
        }
    }
    Ok(entries)
}

/// Words by their bytes; a walk from the start of a word finds the longest entry.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Where the edges of a node begin in `edges`; one more than there are nodes.
    nodes: Vec<u32>,
    edges: Vec<(u8, u32)>,
    /// The node after each first byte, 0 if none.
    first: Vec<u32>,
    /// Of each node, the range of its meanings.
    ends: Vec<(u32, u32)>,
    pub(super) meanings: Vec<Meaning>,
}

/// A match of the trie: where it ends, and the range of its meanings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) end: usize,
    pub(super) meanings: (u32, u32),
}

impl Lexicon {
    /// Every entry of every language. A file that cannot be read adds nothing; a test reads them all.
    fn embedded() -> Self {
        let mut words: BTreeMap<Vec<u8>, Vec<Meaning>> = BTreeMap::new();
        for (at, (_, text)) in FILES.iter().enumerate() {
            let languages = if at == 0 { ALL } else { 1 << at };
            for (word, concepts, stem) in parse(text).unwrap_or_default() {
                let meanings = words.entry(word.into_bytes()).or_default();
                match meanings.iter_mut().find(|known| known.languages == languages && known.stem == stem) {
                    Some(known) => known.concepts |= concepts,
                    None => meanings.push(Meaning { concepts, languages, stem }),
                }
            }
        }
        Self::build(&words)
    }

    fn build(words: &BTreeMap<Vec<u8>, Vec<Meaning>>) -> Self {
        let mut children: Vec<BTreeMap<u8, u32>> = vec![BTreeMap::new()];
        let mut ends: Vec<(u32, u32)> = vec![(0, 0)];
        let mut all = Vec::new();
        for (word, meanings) in words {
            let mut node = 0;
            for byte in word {
                let next = u32::try_from(children.len()).unwrap_or(u32::MAX);
                let child = *children[node].entry(*byte).or_insert(next);
                if child == next {
                    children.push(BTreeMap::new());
                    ends.push((0, 0));
                }
                node = child as usize;
            }
            let from = u32::try_from(all.len()).unwrap_or(u32::MAX);
            all.extend_from_slice(meanings);
            ends[node] = (from, u32::try_from(all.len()).unwrap_or(u32::MAX));
        }
        let mut trie = Self { first: vec![0; 256], ends, meanings: all, ..Self::default() };
        for edges in &children {
            trie.nodes.push(u32::try_from(trie.edges.len()).unwrap_or(u32::MAX));
            trie.edges.extend(edges.iter().map(|(byte, node)| (*byte, *node)));
        }
        trie.nodes.push(u32::try_from(trie.edges.len()).unwrap_or(u32::MAX));
        for (byte, node) in &children[0] {
            trie.first[*byte as usize] = *node;
        }
        trie
    }

    /// The longest entry at this place. An entry that is not a stem must end where the word does.
    pub(super) fn longest(&self, bytes: &[u8], start: usize, anywhere: bool) -> Option<Found> {
        let mut node = *self.first.get(*bytes.get(start)? as usize)?;
        let mut at = start + 1;
        let mut best = None;
        while node != 0 {
            let meanings = self.ends[node as usize];
            if meanings.1 > meanings.0 {
                let stem = self.meanings[meanings.0 as usize..meanings.1 as usize].iter().any(|known| known.stem);
                if anywhere || stem || is_word_end(bytes, at) {
                    best = Some(Found { end: at, meanings });
                }
            }
            let Some(byte) = bytes.get(at) else { break };
            let edges = &self.edges[self.nodes[node as usize] as usize..self.nodes[node as usize + 1] as usize];
            node = edges.iter().find(|(edge, _)| edge == byte).map_or(0, |(_, next)| *next);
            at += 1;
        }
        best
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
