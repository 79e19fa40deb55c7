//! A text that remembers which bytes of which source file it is made of.
//!
//! An emulator builds its output from slices of files and from text of the runtime's own. What was delivered is then
//! read off the output instead of being kept track of beside it.

use std::ops::Range;

/// Bytes of the output that come from a file, unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Where it is in the output.
    pub at: usize,
    /// Its length in bytes.
    pub len: usize,
    /// The file, as a number that the emulator gave it.
    pub file: usize,
    /// Where it begins in the file.
    pub from: usize,
}

/// A text with its origin, piece by piece. What no piece covers is text of the runtime's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traced {
    text: String,
    pieces: Vec<Piece>,
}

impl Traced {
    /// A file as a runtime decodes it that replaces what is not UTF-8 with U+FFFD.
    #[must_use]
    pub fn lossy(bytes: &[u8], file: usize) -> Self {
        let mut traced = Self::default();
        let mut from = 0;
        for chunk in bytes.utf8_chunks() {
            traced.push_source(chunk.valid(), file, from);
            from += chunk.valid().len() + chunk.invalid().len();
            if !chunk.invalid().is_empty() {
                traced.push_str("\u{fffd}");
            }
        }
        traced
    }

    /// A file that is UTF-8 text; `None` if it is not.
    #[must_use]
    pub fn strict(bytes: &[u8], file: usize) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut traced = Self::default();
        traced.push_source(text, file, 0);
        Some(traced)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The pieces, in the order of the text.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether the text is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Appends text of the runtime's own.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_source(&mut self, text: &str, file: usize, from: usize) {
        if text.is_empty() {
            return;
        }
        let at = self.text.len();
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some(last) if last.file == file && last.at + last.len == at && last.from + last.len == from => {
                last.len += text.len();
            }
            _ => self.pieces.push(Piece { at, len: text.len(), file, from }),
        }
    }

    /// Appends a part of another text with its origin. The range must lie on character boundaries.
    pub fn push_slice(&mut self, other: &Self, range: Range<usize>) {
        let Some(text) = other.text.get(range.clone()) else { return };
        let base = self.text.len();
        let first = other.pieces.partition_point(|piece| piece.at + piece.len <= range.start);
        let mut done = range.start;
        for piece in other.pieces.iter().skip(first).take_while(|piece| piece.at < range.end) {
            let start = piece.at.max(range.start);
            let end = (piece.at + piece.len).min(range.end);
            self.text.push_str(&text[done - range.start..start - range.start]);
            self.push_source(&text[start - range.start..end - range.start], piece.file, piece.from + start - piece.at);
            done = end;
        }
        self.text.push_str(&text[done - range.start..]);
        debug_assert_eq!(self.text.len() - base, text.len());
    }

    /// Appends another text with its origin.
    pub fn push(&mut self, other: &Self) {
        self.push_slice(other, 0..other.text.len());
    }

    /// A part of the text.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let mut part = Self::default();
        part.push_slice(self, range);
        part
    }

    /// The part that `f` returns, which must be a slice of the text it is given.
    #[must_use]
    pub fn trimmed(&self, f: impl FnOnce(&str) -> &str) -> Self {
        let part = f(&self.text);
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.slice(start..start + part.len())
    }

    /// The text with ranges replaced; they are in order and do not overlap.
    #[must_use]
    pub fn replaced<'a>(&self, edits: impl IntoIterator<Item = (Range<usize>, &'a str)>) -> Self {
        let mut result = Self::default();
        let mut done = 0;
        for (range, text) in edits {
            result.push_slice(self, done..range.start);
            result.push_str(text);
            done = range.end;
        }
        result.push_slice(self, done..self.text.len());
        result
    }

    /// Several texts with a separator between them.
    #[must_use]
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a Self>, separator: &str) -> Self {
        let mut result = Self::default();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                result.push_str(separator);
            }
            result.push(part);
        }
        result
    }

    /// What the text delivers of one file, as ordered ranges that neither overlap nor touch.
    #[must_use]
    pub fn ranges_of(&self, file: usize) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = self
            .pieces
            .iter()
            .filter(|piece| piece.file == file)
            .map(|piece| piece.from..piece.from + piece.len)
            .collect();
        ranges.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}

impl From<&str> for Traced {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: Vec::new() }
    }
}

/// Finds the lines of sources in a text that was made of them, each after the one before.
pub(super) struct Aligner<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
}

impl<'a> Aligner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, pieces: Vec::new() }
    }

    /// Finds the lines of one source.
    pub(super) fn lines(&mut self, source: &str, file: usize) {
        let mut from = 0;
        let mut cursor = 0;
        for line in source.split_inclusive('\n') {
            let bare = line.trim();
            if !bare.is_empty() {
                let found = self.text[cursor..].find(bare).map(|at| cursor + at);
                if let Some(at) = found {
                    let start = from + (line.len() - line.trim_start().len());
                    self.pieces.push(Piece { at, len: bare.len(), file, from: start });
                    cursor = at + bare.len();
                }
            }
            from += line.len();
        }
    }

    pub(super) fn finish(mut self) -> Traced {
        self.pieces.sort_by_key(|piece| piece.at);
        // Two sources may have the same line; the first keeps it.
        let mut end = 0;
        self.pieces.retain(|piece| {
            let free = piece.at >= end;
            if free {
                end = piece.at + piece.len;
            }
            free
        });
        Traced { text: self.text.to_owned(), pieces: self.pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_keep_their_origin() {
        let file = Traced::lossy(b"one two three", 7);
        let mut text = Traced::from("> ");
        text.push_slice(&file, 4..7);
        text.push_str(" + ");
        text.push_slice(&file, 0..3);
        assert_eq!(text.as_str(), "> two + one");
        assert_eq!(text.ranges_of(7), [0..3, 4..7]);
        assert_eq!(text.slice(3..5).ranges_of(7), std::slice::from_ref(&(5..7)));
        assert_eq!(text.replaced([(0..2, ""), (5..8, "")]).as_str(), "twoone");
        assert_eq!(text.trimmed(|text| text.trim_start_matches("> ")).as_str(), "two + one");
    }

    #[test]
    fn invalid_bytes_have_no_origin() {
        let text = Traced::lossy(b"a\xff\xfeb", 0);
        assert_eq!(text.as_str(), "a\u{fffd}\u{fffd}b");
        assert_eq!(text.ranges_of(0), [0..1, 3..4]);
        assert_eq!(Traced::strict(b"\xff", 0), None);
    }
}
