//! What is done where a word ends: long words and rows are noted, disguised words are put right.

use super::view::narrow;
use super::{EVEN, Even, Folder, LONG, Letters, Word};
use crate::scan::words;
use crate::text::Span;

/// So many bytes of equally long words may be a code in groups.
const EVEN_BYTES: usize = 12;

impl Folder<'_> {
    /// Ends a row of equally long words. A shorter word after it is the rest of a code.
    pub(super) fn end_even(&mut self, source: usize, length: usize) {
        let Even { length: before, count, start, end } = self.even;
        if count >= EVEN && count * before >= EVEN_BYTES {
            self.folded.even.push(Span::new(start, if length < before { self.at } else { end }));
        }
        self.even = Even { length, count: 1, start: source, end: self.at };
    }

    /// What an ordinary word does not need.
    pub(super) fn end_word(&mut self) {
        let Word { out, source, odd, hidden, .. } = self.word;
        let length = self.at - source;
        if length >= LONG {
            self.folded.long.push(Span::new(source, self.at));
        }
        if hidden {
            self.folded.disguised.push(narrow(out));
        }
        let written = self.out.len() - out;
        if odd && (3..=40).contains(&written) {
            if let Some(plain) = words::undisguised(&self.out[out..]) {
                self.replace(out, source, &plain);
            } else if self.folded.odd.look_alike
                && let Some((plain, is_disguised)) = words::latin(&self.out[out..])
            {
                self.replace(out, source, &plain);
                if !is_disguised {
                    self.folded.disguised.pop();
                }
            }
        }
        if written == 1 && self.out[out].is_ascii_alphabetic() {
            if self.letters.count == 0 {
                (self.letters.out, self.letters.source) = (out, source);
            }
            self.letters.count += 1;
        } else if written > 1 || self.out.get(out).is_some_and(u8::is_ascii_alphanumeric) {
            self.end_letters(out);
        }
    }

    /// Four or more single letters in a row may be words.
    pub(super) fn end_letters(&mut self, end: usize) {
        let Letters { count, out, source } = std::mem::take(&mut self.letters);
        if count < 4 {
            return;
        }
        let letters: String =
            self.out[out..end].iter().filter(|b| b.is_ascii_alphabetic()).map(|b| *b as char).collect();
        if let Some(plain) = words::apart(&letters) {
            let tail = self.out.split_off(end);
            self.replace(out, source, &plain);
            if !tail.is_empty() {
                self.out.push(b' ');
            }
            // The word that ended the row keeps its own place.
            let moved = self.out.len();
            if self.word.out == end {
                self.delta = None;
                self.sync(self.word.source);
                self.word.out = moved;
            }
            self.out.extend(tail);
        }
    }

    /// Puts a plain word where a disguised one stands.
    fn replace(&mut self, out: usize, source: usize, plain: &str) {
        self.out.truncate(out);
        while self.folded.marks.last().is_some_and(|(from, _)| *from as usize >= out) {
            self.folded.marks.pop();
        }
        while self.folded.lines.last().is_some_and(|line| *line as usize > out) {
            self.folded.lines.pop();
        }
        while self.folded.disguised.last().is_some_and(|at| *at as usize >= out) {
            self.folded.disguised.pop();
        }
        self.folded.marks.push((narrow(out), narrow(source)));
        self.folded.disguised.push(narrow(out));
        self.out.extend_from_slice(plain.as_bytes());
        self.delta = None;
    }
}
