use memchr::memchr2_iter;

use super::{BOM, Source};

/// A line and column for people: both count from 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, counting `\n`, `\r\n` and a lone `\r` as line ends.
    pub line: usize,
    /// The character in the line; a byte order mark does not count.
    pub column: usize,
}

/// Maps byte offsets of a source to lines and columns.
///
/// ```
/// use soul_core::text::{LineIndex, Position, Source};
/// let source = Source::from("one\r\ntwo");
/// assert_eq!(LineIndex::new(&source).position(6), Position { line: 2, column: 2 });
/// ```
#[derive(Debug)]
pub struct LineIndex<'a> {
    bytes: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    #[allow(missing_docs)]
    #[must_use]
    pub fn new(source: &'a Source) -> Self {
        let bytes = source.bytes();
        let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        let ends = memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
        let first = if bytes.starts_with(BOM.encode_utf8(&mut [0; 4]).as_bytes()) { BOM.len_utf8() } else { 0 };
        Self { bytes, starts: std::iter::once(first).chain(ends.map(|at| at + 1)).collect() }
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1].min(offset);
        let before = &self.bytes[start..offset];
        let column = 1 + before.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        Position { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_every_kind_of_line_end_and_characters() {
        let source = Source::from("\u{feff}a\r\nbé\rc\nd");
        let lines = LineIndex::new(&source);
        let at = |needle: char| {
            let position = lines.position(source.text().unwrap().find(needle).unwrap());
            (position.line, position.column)
        };
        assert_eq!(at('\u{feff}'), (1, 1));
        assert_eq!(at('a'), (1, 1));
        assert_eq!(at('b'), (2, 1));
        assert_eq!(at('é'), (2, 2));
        assert_eq!(at('c'), (3, 1));
        assert_eq!(at('d'), (4, 1));
        assert_eq!(lines.position(usize::MAX).line, 4);
    }
}
