//! The lexicons: which words of a language name which concept, in one trie for all languages.
//!
//! A file has one language. A line is `concept: word stem* "several words" …`, or a comment after `#`. A star at the end
//! lets a word go on (`cancel*`); writing systems without spaces, and Arabic, never need it. Entries are folded like the
//! text that is scanned, so they are written as usual, with accents.

use std::sync::OnceLock;

use super::concept::{self, Concepts};
use super::gate::{Admitted, Gate, Jumps};
use crate::scan::fold::fold;
use crate::scan::swar;

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

/// Words by their bytes; a walk from the start of a word finds its entries.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// The children of a node stand side by side, after those of the nodes before it.
    nodes: Vec<Node>,
    /// The bytes that lead to children other than letters, in the order of their nodes.
    marks: Vec<u8>,
    /// The ends of words that are the only one on their way.
    tails: Vec<u8>,
    /// The node after each pair of first bytes, 0 if none: most words end there. No entry has one byte.
    pairs: Vec<u32>,
    /// The node after the whole first word of an entry, if the word is short.
    jumps: Jumps,
    pub(super) meanings: Vec<Meaning>,
    /// The sets of concepts that words name.
    sets: Vec<Concepts>,
    /// Which words of letters and digits of ASCII can begin an entry.
    pub(super) gate: Gate,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// The first child; if there is a tail, where it begins.
    next: u32,
    /// A bit for each letter that leads to a child, in the order of the alphabet.
    letters: u32,
    /// Where the bytes of the other children begin, and how many there are.
    marks: u32,
    count: u16,
    /// The first of its meanings, and how many there are.
    meaning: u32,
    meanings: u8,
    /// The length of the tail.
    tail: u8,
    end: End,
}

/// Whether an entry ends in a node, or at the end of its tail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum End {
    #[default]
    None,
    /// It is a whole word.
    Whole,
    /// The word may go on.
    Stem,
}

/// A match of the trie: where it ends, and the range of its meanings.
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

    /// The trie of entries in order. What begins alike stands near together, so that a walk stays within a few pages.
    fn build(entries: &[(String, Concepts, Languages, bool)]) -> Self {
        let stems = entries.iter().map(|(word, .., stem)| (word.as_bytes(), *stem));
        let mut trie = Self { pairs: vec![0; 1 << 16], gate: Gate::new(stems), ..Self::default() };
        let mut words = Vec::new();
        for same in entries.chunk_by(|(a, ..), (b, ..)| a == b) {
            let mut known: Vec<(Concepts, Languages, bool)> = Vec::new();
            for (_, concepts, languages, stem) in same {
                match known.iter_mut().find(|(_, of, is_stem)| of == languages && is_stem == stem) {
                    Some((all, ..)) => *all |= concepts,
                    None => known.push((*concepts, *languages, *stem)),
                }
            }
            let start = number(trie.meanings.len());
            for (concepts, languages, stem) in known {
                let concepts = trie.set(concepts);
                trie.meanings.push(Meaning { concepts, languages, stem });
            }
            words.push((same[0].0.as_bytes(), (start, number(trie.meanings.len()))));
        }
        trie.nodes.push(Node::default());
        trie.grow(0, &words, 0);
        trie.nodes.shrink_to_fit();
        trie.meanings.shrink_to_fit();
        trie.jumps = Jumps::new(words.iter().filter_map(|(word, _)| trie.jump(word)));
        trie
    }

    /// The first word of an entry, with the last node on its way and the depth of that; none if the word is long.
    fn jump(&self, entry: &[u8]) -> Option<(u64, u32, u32)> {
        let word = swar::eight(entry, 0);
        let run = entry.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if !(2..8).contains(&run) {
            return None;
        }
        let (mut number, mut depth) = (self.root(entry, 0), 2);
        while depth < run && self.nodes[number as usize].tail == 0 {
            number = self.child(&self.nodes[number as usize], entry[depth]);
            depth += 1;
        }
        Some((swar::first(word, run), number, u32::try_from(depth).ok()?))
    }

    /// The node after the first two bytes of a word, 0 if there is none.
    #[inline]
    fn root(&self, bytes: &[u8], start: usize) -> u32 {
        let pair = [bytes.get(start).copied().unwrap_or(0), bytes.get(start + 1).copied().unwrap_or(0)];
        self.pairs[usize::from(u16::from_be_bytes(pair))]
    }

    /// Where a look-up of the word at this place begins: a node, and how many bytes lead to it. None if no entry begins
    /// with the word, as for most.
    #[inline]
    pub(super) fn begin(&self, bytes: &[u8], start: usize) -> Option<(u32, usize)> {
        let first = swar::eight(bytes, start);
        let root = |number: u32| (number != 0).then_some((number, 2));
        if bytes.get(start).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            let run = swar::alphanumerics(first);
            return match self.gate.admits(first, run, swar::eight(bytes, start + run)) {
                Admitted::No => None,
                Admitted::Word if run > 1 => self.jumps.get(swar::first(first, run)),
                Admitted::Word | Admitted::Stem => root(self.root(bytes, start)),
            };
        }
        if self.gate.admits_wide(first) { root(self.root(bytes, start)) } else { None }
    }

    /// The number of a set of concepts.
    fn set(&mut self, concepts: Concepts) -> u16 {
        let known = self.sets.iter().position(|known| *known == concepts).unwrap_or_else(|| {
            self.sets.push(concepts);
            self.sets.len() - 1
        });
        u16::try_from(known).unwrap_or(u16::MAX)
    }

    /// The concepts that a word names.
    #[inline]
    pub(super) fn concepts(&self, meaning: &Meaning) -> Concepts {
        self.sets.get(usize::from(meaning.concepts)).copied().unwrap_or(0)
    }

    /// Fills a node with words whose first bytes lead to it: `depth` of them.
    fn grow(&mut self, node: usize, mut words: &[Word<'_>], depth: usize) {
        if let [(word, _)] = words
            && let (2.., Ok(tail)) = (depth, u8::try_from(word.len() - depth))
        {
            self.nodes[node] = Node { next: number(self.tails.len()), tail, ..Node::default() };
            self.tails.extend_from_slice(&word[depth..]);
        }
        let alone = self.nodes[node].tail > 0;
        if let Some((_, meanings)) = words.first().filter(|(word, _)| alone || word.len() == depth) {
            let stem = self.meanings[meanings.0 as usize..meanings.1 as usize].iter().any(|known| known.stem);
            self.nodes[node].end = if stem { End::Stem } else { End::Whole };
            self.nodes[node].meaning = meanings.0;
            self.nodes[node].meanings = u8::try_from(meanings.1 - meanings.0).unwrap_or(u8::MAX);
            words = &words[1..];
        }
        if words.is_empty() {
            return;
        }
        // Letters first, each kind in order.
        let mut children: Vec<_> = words.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]).collect();
        let byte_of = |child: &[Word<'_>]| child[0].0[depth];
        children.sort_by_key(|child| {
            let byte = byte_of(child);
            (letter(byte).is_none(), letter(byte).unwrap_or(u32::from(byte)))
        });
        let first = self.nodes.len();
        self.nodes[node].next = number(first);
        self.nodes[node].marks = number(self.marks.len());
        for child in &children {
            self.nodes.push(Node::default());
            match letter(byte_of(child)) {
                Some(letter) => self.nodes[node].letters |= letter,
                None => {
                    self.marks.push(byte_of(child));
                    self.nodes[node].count += 1;
                }
            }
        }
        for (at, child) in children.into_iter().enumerate() {
            if depth == 1 {
                let pair = [child[0].0[0], child[0].0[1]];
                self.pairs[usize::from(u16::from_be_bytes(pair))] = number(first + at);
            }
            self.grow(first + at, child, depth + 1);
        }
    }

    /// The child that a byte leads to, 0 if there is none.
    #[inline]
    fn child(&self, node: &Node, byte: u8) -> u32 {
        match letter(byte) {
            Some(letter) if node.letters & letter == 0 => 0,
            Some(letter) => node.next + (node.letters & (letter - 1)).count_ones(),
            None => {
                let marks = &self.marks[node.marks as usize..][..usize::from(node.count)];
                let at = marks.iter().position(|mark| *mark == byte).and_then(|at| u32::try_from(at).ok());
                at.map_or(0, |at| node.next + node.letters.count_ones() + at)
            }
        }
    }

    /// The entries that begin at this place, the longest last. One that is not a stem must end where the word does.
    #[inline]
    pub(super) fn entries(&self, bytes: &[u8], start: usize, begin: (u32, usize), anywhere: bool) -> Entries {
        let mut entries = Entries::default();
        let (mut number, mut at) = (begin.0, start + begin.1);
        while number != 0 {
            let node = &self.nodes[number as usize];
            if node.tail > 0 {
                let tail = &self.tails[node.next as usize..][..usize::from(node.tail)];
                if !bytes[at..].starts_with(tail) {
                    break;
                }
                at += tail.len();
            }
            if node.end == End::Stem || node.end == End::Whole && (anywhere || is_word_end(bytes, at)) {
                let Node { meaning, meanings, .. } = *node;
                entries.push(Found { end: at, meanings: (meaning, meaning + u32::from(meanings)) });
            }
            let Some(byte) = bytes.get(at).filter(|_| node.tail == 0) else { break };
            number = self.child(node, *byte);
            at += 1;
        }
        entries
    }
}

/// A word with the range of its meanings.
type Word<'a> = (&'a [u8], (u32, u32));

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The bit of a letter.
#[inline]
fn letter(byte: u8) -> Option<u32> {
    match byte {
        b'a'..=b'z' => Some(1 << (byte - b'a')),
        b' ' => Some(1 << 26),
        _ => None,
    }
}

/// The last entries on the way through the trie.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entries {
    found: [Found; 4],
    count: usize,
}

impl Entries {
    fn push(&mut self, found: Found) {
        if self.count == self.found.len() {
            self.found.rotate_left(1);
            self.count -= 1;
        }
        self.found[self.count] = found;
        self.count += 1;
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
