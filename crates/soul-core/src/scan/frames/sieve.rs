//! A first look at a text: which of its sentences can fill a frame. Most cannot, and are not read.
//!
//! The look is cheap because it may be wrong in one way: it takes a word for anything that an entry with its first letters
//! means, never for less. Sentences end where they do for the [reader](super::reader), or later.

use super::concept::Concepts;
use super::lexicon::{Lexicon, lexicon};
use super::marks::{self, Addresses};
use super::reading::OUTSIDE;
use super::words::Words;
use crate::scan::swar;

pub(super) struct Sieve<'a> {
    text: &'a str,
    bytes: &'a [u8],
    lexicon: &'static Lexicon,
    addresses: Addresses,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), lexicon: lexicon(), addresses: Addresses::default() }
    }

    /// Where the sentence ends that begins at a place of a block, and everything that its words may name.
    pub(super) fn sentence(&mut self, words: &mut Words, from: usize, to: usize) -> (usize, Concepts) {
        let (mut at, mut concepts, mut in_word) = (from, 0, false);
        // Where the last entry ends that begins with a letter beyond ASCII or a mark: a mark inside of it (`な。`) ends no
        // sentence.
        let mut covered = 0;
        while at < to {
            let byte = self.bytes[at];
            match byte {
                b'a'..=b'z' | b'0'..=b'9' => {
                    let (end, named) = words.read(self.lexicon, self.bytes, at, to);
                    concepts |= named;
                    at = end;
                    in_word = false;
                    continue;
                }
                b' ' => in_word = false,
                // Alphabets beyond ASCII, of two bytes or of India.
                0xc2..=0xe1 => {
                    let arabic = matches!(byte, 0xd8..=0xdb);
                    if !in_word || arabic {
                        concepts |= self.named(at, arabic, &mut covered);
                    }
                    let end = at + if byte >= 0xe0 { 3 } else { 2 };
                    // To the reader these marks are letters of a word, which goes on without a space.
                    let parts = end >= to || self.bytes[end] == b' ';
                    if parts && at >= covered && marks::ends_wide_sentence(self.bytes, at) {
                        return (end, concepts);
                    }
                    in_word = true;
                    at = end;
                    continue;
                }
                0x80.. => {
                    in_word = false;
                    concepts |= self.named(at, true, &mut covered);
                    let end = at + if byte >= 0xf0 { 4 } else { 3 };
                    if at >= covered && marks::ends_wide_sentence(self.bytes, at) {
                        return (end, concepts);
                    }
                    at = end;
                    continue;
                }
                _ => {
                    in_word = false;
                    let may_end = matches!(byte, b'.' | b'!' | b'?') && at >= covered;
                    if may_end && marks::ends_sentence(self.bytes, at) {
                        return (at + 1, concepts);
                    }
                    if matches!(byte, b'.' | b'@' | b':' | b'[') {
                        at = self.mark(byte, at, &mut concepts, &mut covered);
                        continue;
                    }
                }
            }
            at += 1;
        }
        (to, concepts)
    }

    /// A mark that may begin an entry or show an address. Where the text goes on.
    fn mark(&mut self, byte: u8, at: usize, concepts: &mut Concepts, covered: &mut usize) -> usize {
        let next = self.bytes.get(at + 1).copied().unwrap_or(b' ');
        let follows_letter = marks::follows_letter(self.bytes, at);
        let shows_address = match byte {
            b':' => self.bytes[at..].starts_with(b"://"),
            b'[' => false,
            _ => next.is_ascii_alphanumeric() && (follows_letter || at > 0 && !self.bytes[at - 1].is_ascii()),
        };
        if matches!(byte, b'.' | b'[') && next.is_ascii_lowercase() && !follows_letter {
            *concepts |= self.named(at, false, covered);
        }
        if shows_address && let Some((_, end)) = self.addresses.find(self.text, at) {
            *concepts |= OUTSIDE;
            return end;
        }
        // The name of a file goes on.
        if shows_address && follows_letter && byte != b':' {
            return at + 1 + swar::alphanumerics(swar::eight(self.bytes, at + 1));
        }
        at + 1
    }

    /// Everything that the entries mean that begin here, with no word of ASCII, and how far they reach.
    #[inline(always)]
    fn named(&self, at: usize, anywhere: bool, covered: &mut usize) -> Concepts {
        // Most characters begin none.
        if self.lexicon.may_begin(self.bytes, at) { self.looked_up(at, anywhere, covered) } else { 0 }
    }

    #[inline(never)]
    fn looked_up(&self, at: usize, anywhere: bool, covered: &mut usize) -> Concepts {
        let entries = self.lexicon.wide_entries(self.bytes, at, anywhere);
        *covered = entries.as_slice().last().map_or(*covered, |longest| longest.end.max(*covered));
        self.lexicon.concepts_of_all(&entries)
    }
}
