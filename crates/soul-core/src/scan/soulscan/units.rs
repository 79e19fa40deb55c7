//! Text as JavaScript counts it: characters beyond the basic plane are two.

use crate::text::Span;

/// A text in which every unit of UTF-16 is one character.
pub(super) struct Units {
    pub(super) text: String,
    /// Where characters were split: `(in the units, in the source)`, both after the character.
    marks: Vec<(usize, usize)>,
}

/// What half of a pair stands for: characters of a plane in which every one is itself split.
pub(super) fn half(unit: u16) -> char {
    char::from_u32(0x10_0000 + u32::from(unit) - 0xd800).unwrap_or('\u{fffd}')
}

/// Splits a text.
pub(super) fn split(text: &str) -> Units {
    let mut units = Units { text: String::with_capacity(text.len()), marks: Vec::new() };
    let mut done = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| c.len_utf16() == 2) {
        units.text.push_str(&text[done..at]);
        let mut pair = [0; 2];
        for unit in c.encode_utf16(&mut pair) {
            units.text.push(half(*unit));
        }
        done = at + c.len_utf8();
        units.marks.push((units.text.len(), done));
    }
    units.text.push_str(&text[done..]);
    units
}

impl Units {
    /// The bytes of the source that a span of the units came from; half a character is all of it.
    pub(super) fn span(&self, span: Span) -> Span {
        let source = |offset: usize| {
            let at = self.marks.partition_point(|(units, _)| *units <= offset);
            let (units, source) = at.checked_sub(1).map_or((0, 0), |at| self.marks[at]);
            // Inside the next pair, which is four bytes longer here than there.
            let next = self.marks.get(at).map_or(usize::MAX, |(_, source)| *source);
            (source + offset - units).min(next)
        };
        let start = source(span.start);
        let start = match self.marks.iter().find(|(units, _)| *units > span.start && units - span.start < 8) {
            Some((units, source)) if units - span.start <= 4 => start.min(source - 4),
            _ => start,
        };
        Span::new(start, source(span.end).max(start))
    }
}
