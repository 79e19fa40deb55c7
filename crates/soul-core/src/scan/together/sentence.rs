//! The sentence around a place: within its paragraph or list item, and never longer than a sentence is.

use crate::text::Span;

/// The most bytes on either side of a place.
const REACH: usize = 300;

/// The sentence that a span is in.
pub(super) fn around(text: &str, span: Span) -> Span {
    let first = text.floor_char_boundary(span.start.saturating_sub(REACH));
    let last = text.ceil_char_boundary((span.end + REACH).min(text.len()));
    let (before, after) = (&text[first..span.start], &text[span.end..last]);
    let start = before.char_indices().rev().find(|(at, c)| is_end(before, *at, *c, &text[first..]));
    let start = start.map_or(first, |(at, c)| first + at + c.len_utf8());
    let end = after.char_indices().find(|(at, c)| is_end(after, *at, *c, after));
    let end = end.map_or(last, |(at, c)| span.end + at + if c == '\n' { 0 } else { c.len_utf8() });
    let sentence = &text[start..end];
    let lead = sentence.len() - sentence.trim_start_matches([' ', '\t', '\r', '\n', '-', '*', '+', '>', '#']).len();
    Span::new((start + lead).min(span.start), (start + sentence.trim_end().len()).max(span.end))
}

/// Whether a sentence ends at a character. A line end does if a blank line, a list item, a heading or a row follows.
fn is_end(part: &str, at: usize, c: char, all: &str) -> bool {
    let rest = all.get(at + c.len_utf8()..).unwrap_or_default();
    match c {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => rest.starts_with([' ', '\n', '"', '”', '»', '\'']) || rest.is_empty(),
        '\n' => {
            let next = rest.trim_start_matches([' ', '\t']);
            let is_numbered = next.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ")
                && next.starts_with(|c: char| c.is_ascii_digit());
            let is_key = next.split_once(": ").is_some_and(|(key, _)| !key.is_empty() && !key.contains(' '));
            let before = part[..at].rsplit('\n').next().unwrap_or_default().trim_start();
            is_numbered
                || is_key
                || next.is_empty()
                || next.starts_with(['\n', '\r', '-', '*', '+', '#', '|', '>', '`', '{', '}', '"'])
                || before.starts_with(['#', '|'])
        }
        _ => false,
    }
}
