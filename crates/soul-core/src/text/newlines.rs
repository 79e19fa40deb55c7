use std::borrow::Cow;
use std::ops::Range;

use super::Span;

/// Which line ends a dialect turns into `\n` before it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnds {
    /// `\r\n` and a lone `\r`.
    All,
    /// `\r\n` only; a lone `\r` is a character like any other.
    CrLf,
}

/// Text whose line ends are all `\n`, with the way back to the source.
#[derive(Debug)]
pub(crate) struct Unified<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Source offset of the first byte of `text`.
    base: usize,
    /// Offsets in `text` of each `\n` that was two bytes in the source.
    shortened: Vec<usize>,
}

impl<'a> Unified<'a> {
    pub(crate) fn new(source: &'a str, base: usize, ends: LineEnds) -> Self {
        let source = &source[base..];
        if !source.contains('\r') {
            return Self { text: Cow::Borrowed(source), base, shortened: Vec::new() };
        }
        let mut text = String::with_capacity(source.len());
        let mut shortened = Vec::new();
        let mut rest = source;
        while let Some(at) = rest.find('\r') {
            text.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            rest = if let Some(after) = after.strip_prefix('\n') {
                shortened.push(text.len());
                text.push('\n');
                after
            } else {
                text.push(if ends == LineEnds::All { '\n' } else { '\r' });
                after
            };
        }
        text.push_str(rest);
        Self { text: Cow::Owned(text), base, shortened }
    }

    /// The source span of a range of the unified text.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.offset(range.start), self.offset(range.end))
    }

    fn offset(&self, at: usize) -> usize {
        self.base + at + self.shortened.partition_point(|newline| *newline < at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_point_back_into_the_source() {
        let source = "x\r\nab\rc\r\n\r\nd";
        let unified = Unified::new(source, 0, LineEnds::All);
        assert_eq!(unified.text, "x\nab\nc\n\nd");
        for (at, c) in unified.text.char_indices().filter(|(_, c)| *c != '\n') {
            let span = unified.span(at..at + 1);
            assert_eq!(&source[span.start..span.end], c.to_string());
        }
    }

    #[test]
    fn a_lone_carriage_return_can_be_kept() {
        assert_eq!(Unified::new("a\rb\r\nc", 0, LineEnds::CrLf).text, "a\rb\nc");
    }
}
