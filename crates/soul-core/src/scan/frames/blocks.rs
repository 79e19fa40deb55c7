//! Where a text begins anew: list items, headings, rows, paragraphs, keys of YAML and JSON. No sentence reads over such
//! a place, so nothing is put together from two list items.

use crate::scan::fold::Folded;

/// What begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// An entry of a list.
    Item,
    /// A heading.
    Heading,
    /// A paragraph, a row of a table, a key with its value.
    Other,
}

/// The places in the folded text where a block begins, in order.
pub(super) fn blocks(text: &str, folded: &Folded) -> Vec<(usize, Block)> {
    let mut blocks: Vec<(usize, Block)> = Vec::with_capacity(folded.lines.len());
    let mut last = 0;
    for line in &folded.lines {
        let at = *line as usize;
        let source = folded.span(at, at + 1).start.min(text.len());
        let source = text.floor_char_boundary(source);
        let begin = text[last..source].rfind('\n').map_or(last, |found| last + found + 1);
        if let Some(block) = begun(text, last, begin, source) {
            blocks.push((at, block));
        }
        last = source;
    }
    blocks
}

/// What begins with the line at `begin`, of which the first character that is text is at `source`; none if the line
/// goes on with the paragraph before it.
fn begun(text: &str, last: usize, begin: usize, source: usize) -> Option<Block> {
    let marks = &text[begin..source];
    if marks.contains('#') {
        return Some(Block::Heading);
    }
    if marks.contains(|c: char| matches!(c, '-' | '+' | '*' | '0'..='9')) || is_starred(text, source) {
        return Some(Block::Item);
    }
    let before = &text[last..begin];
    let is_blank = |line: &str| line.trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty();
    let blank = begin == 0 || before.trim_end_matches(['\n', '\r']).rsplit('\n').next().is_none_or(is_blank);
    let lines = before.matches('\n').count();
    let gap = lines > 1 && before.split('\n').skip(1).any(is_blank) && lines >= 2;
    if blank || gap || marks.contains('|') || is_key(&text[source..]) {
        return Some(Block::Other);
    }
    None
}

/// Bullets that the folded view keeps as text.
fn is_starred(text: &str, source: usize) -> bool {
    text[source..].starts_with(['•', '·', '–', '❌', '✅', '✗', '✓', '🚫', '☐', '◦', '・'])
}

/// Whether a line is a key with its value, or opens or closes a group of them.
fn is_key(rest: &str) -> bool {
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    if line.starts_with(['{', '}', '[', ']']) {
        return true;
    }
    let quoted = line.strip_prefix('"');
    let name = quoted.unwrap_or(line);
    let length = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '$')).unwrap_or(0);
    if length == 0 || length > 40 {
        return false;
    }
    let after = &name[length..];
    match quoted {
        Some(_) => after.starts_with("\":") || after.starts_with("\" :"),
        None => after.starts_with(": ") || after == ":",
    }
}
