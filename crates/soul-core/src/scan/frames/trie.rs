//! Entries that begin with a letter beyond ASCII or a mark, by their bytes: in writing systems without spaces an entry may
//! begin and end anywhere.

use super::lexicon::{Entries, Found, Word, is_word_end, number};
use crate::scan::swar;

/// Bits for the first bytes of entries, as a power of two, and how many of the bytes count, as far as they have them: two
/// letters of China, three of Russia.
const BITS: u32 = 15;
const WIDTHS: [usize; 3] = [2, 3, 6];

/// Words by their bytes; a walk from the start of a word finds its entries.
#[derive(Debug, Default)]
pub(super) struct Trie {
    /// The children of a node stand side by side, after those of the nodes before it.
    nodes: Vec<Node>,
    /// The bytes that lead to children other than letters, in the order of their nodes.
    marks: Vec<u8>,
    /// The ends of words that are the only one on their way.
    tails: Vec<u8>,
    /// The node after each pair of first bytes, 0 if none: most words end there. No entry has one byte.
    pairs: Vec<u32>,
    /// Which first bytes an entry has: most words are ruled out by them.
    gate: Vec<u64>,
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

impl Trie {
    /// Of entries in order. What begins alike stands near together, so that a walk stays within a few pages.
    pub(super) fn new(words: &[Word<'_>]) -> Self {
        let mut trie = Self { pairs: vec![0; 1 << 16], gate: vec![0; 1 << (BITS - 6)], ..Self::default() };
        for (word, ..) in words {
            let width = WIDTHS.into_iter().rev().find(|width| word.len() >= *width).unwrap_or(WIDTHS[0]);
            let (at, bit) = place(swar::first(swar::eight(word, 0), width));
            trie.gate[at] |= bit;
        }
        trie.nodes.push(Node::default());
        trie.grow(0, words, 0);
        trie.nodes.shrink_to_fit();
        trie
    }

    /// The node after the first two bytes of a word, 0 if there is none.
    #[inline]
    fn root(&self, bytes: &[u8], start: usize) -> u32 {
        let first = swar::eight(bytes, start);
        let begins = |length: usize| {
            let (at, bit) = place(swar::first(first, length));
            self.gate[at] & bit != 0
        };
        if !(begins(WIDTHS[0]) | begins(WIDTHS[1]) | begins(WIDTHS[2])) {
            return 0;
        }
        let pair = [bytes.get(start).copied().unwrap_or(0), bytes.get(start + 1).copied().unwrap_or(0)];
        self.pairs[usize::from(u16::from_be_bytes(pair))]
    }

    /// Fills a node with words whose first bytes lead to it: `depth` of them.
    fn grow(&mut self, node: usize, mut words: &[Word<'_>], depth: usize) {
        if let [(word, ..)] = words
            && let (2.., Ok(tail)) = (depth, u8::try_from(word.len() - depth))
        {
            self.nodes[node] = Node { next: number(self.tails.len()), tail, ..Node::default() };
            self.tails.extend_from_slice(&word[depth..]);
        }
        let alone = self.nodes[node].tail > 0;
        if let Some((_, stem, meanings)) = words.first().filter(|(word, ..)| alone || word.len() == depth) {
            self.nodes[node].end = if *stem { End::Stem } else { End::Whole };
            self.nodes[node].meaning = meanings.0;
            self.nodes[node].meanings = u8::try_from(meanings.1 - meanings.0).unwrap_or(u8::MAX);
            words = &words[1..];
        }
        if words.is_empty() {
            return;
        }
        // Letters first, each kind in order.
        let mut children: Vec<_> = words.chunk_by(|(a, ..), (b, ..)| a[depth] == b[depth]).collect();
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
    pub(super) fn entries(&self, bytes: &[u8], start: usize, anywhere: bool) -> Entries {
        let mut entries = Entries::default();
        let (mut number, mut at) = (self.root(bytes, start), start + 2);
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
                entries.insert(Found { end: at, meanings: (meaning, meaning + u32::from(meanings)) });
            }
            let Some(byte) = bytes.get(at).filter(|_| node.tail == 0) else { break };
            number = self.child(node, *byte);
            at += 1;
        }
        entries
    }
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

/// The place of some first bytes among the bits.
#[inline]
const fn place(bytes: u64) -> (usize, u64) {
    let hash = bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}
