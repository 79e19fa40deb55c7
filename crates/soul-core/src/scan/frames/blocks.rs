//! Where a text begins anew: list items, headings, rows, paragraphs, keys of YAML and JSON. No sentence reads over such
//! a place, so nothing is put together from two list items.

use memchr::memrchr;

use crate::scan::fold::Folded;
use crate::scan::letters::is_alphanumeric;

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
    let (mut last, mut headed) = (0, false);
    for (at, source) in folded.line_starts() {
        let source = text.floor_char_boundary(source.min(text.len()));
        let begin = memrchr(b'\n', &text.as_bytes()[last..source]).map_or(last, |found| last + found + 1);
        // What follows a heading is not part of it.
        let block = begun(text, last, begin, source).or(headed.then_some(Block::Other));
        blocks.extend(block.map(|block| (at, block)));
        headed = block == Some(Block::Heading);
        last = source;
    }
    blocks
}

/// What begins with the line at `begin`, of which the first character that is text is at `source`; none if the line
/// goes on with the paragraph before it.
fn begun(text: &str, last: usize, begin: usize, source: usize) -> Option<Block> {
    let marks = &text.as_bytes()[begin..source];
    // They are so few that a search for one of them costs more than a look at each.
    let has = |wanted: fn(&u8) -> bool| marks.iter().any(wanted);
    if has(|byte| *byte == b'#') {
        return Some(Block::Heading);
    }
    if marks.iter().any(|byte| matches!(byte, b'-' | b'+' | b'*' | b'0'..=b'9')) || is_starred(text, source) {
        return Some(Block::Item);
    }
    // More than the end of one line lies between the lines: a blank one, or a rule.
    let before = &text.as_bytes()[last..begin];
    let gap = begin == 0 || memrchr(b'\n', &before[..before.len().saturating_sub(1)]).is_some();
    if gap || has(|byte| *byte == b'|') || is_key(&text[source..]) {
        return Some(Block::Other);
    }
    is_element(before, &text[source..]).then_some(Block::Item)
}

/// Whether a line is an entry of a JSON array: quoted, after another one or after what opens the array.
fn is_element(before: &[u8], rest: &str) -> bool {
    let before = before.trim_ascii();
    rest.starts_with('"') && (before.ends_with(b"[") || before.starts_with(b"\"") && before.ends_with(b"\","))
}

/// Bullets that the folded view keeps as text.
fn is_starred(text: &str, source: usize) -> bool {
    if text.as_bytes().get(source).is_some_and(u8::is_ascii) {
        return false;
    }
    text[source..].starts_with(['•', '·', '–', '❌', '✅', '✗', '✓', '🚫', '☐', '◦', '・'])
}

/// Whether a line is a key with its value, or opens or closes a group of them.
fn is_key(rest: &str) -> bool {
    const LONGEST: usize = 40;
    if rest.starts_with(['{', '}', '[', ']']) {
        return true;
    }
    let quoted = rest.strip_prefix('"');
    let name = quoted.unwrap_or(rest);
    // A longer name does not count, so the search for its end stops.
    let near = &name[..name.ceil_char_boundary(LONGEST + 1)];
    let is_part = |c: char| is_alphanumeric(c) || matches!(c, '_' | '-' | '.' | '$');
    let ascii = near
        .bytes()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')))
        .unwrap_or(0);
    let length = near[ascii..].find(|c: char| !is_part(c)).map_or(0, |more| ascii + more);
    if length == 0 || length > LONGEST {
        return false;
    }
    let after = &name[length..];
    match quoted {
        Some(_) => after.starts_with("\":") || after.starts_with("\" :"),
        None => after.starts_with(": ") || after.starts_with(":\n") || after == ":",
    }
}
