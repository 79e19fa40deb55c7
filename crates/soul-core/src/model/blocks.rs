//! The blocks of a Markdown text and what each of them says.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::Value;

/// What kind of block it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    /// One entry of a list, with the lists inside it.
    Entry,
    Rule,
    Heading {
        level: u8,
        title: String,
    },
    /// Code, a quotation, HTML; or text that belongs to no block, such as the definition of a link.
    Other,
}

/// A block that stands in no other.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// The blocks of a text, in order.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in Parser::new(text).into_offset_iter() {
        let kind = match &event {
            Event::Start(Tag::Paragraph) if depth == 0 => Some(Kind::Paragraph),
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                Some(Kind::Heading { level: *level as u8, title: String::new() })
            }
            // The entries of an outermost list stand in it alone.
            Event::Start(Tag::List(_)) if depth == 0 => None,
            Event::Start(Tag::Item) if depth == 1 => Some(Kind::Entry),
            Event::Start(_) if depth == 0 => Some(Kind::Other),
            Event::Rule if depth == 0 => Some(Kind::Rule),
            _ => None,
        };
        blocks.extend(kind.map(|kind| Block { kind, range }));
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(piece) | Event::Code(piece) => {
                if let Some(Block { kind: Kind::Heading { title, .. }, .. }) = blocks.last_mut().filter(|_| depth > 0) {
                    title.push_str(&piece);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(Block { kind: Kind::Heading { title, .. }, .. }) = blocks.last_mut().filter(|_| depth > 0) {
                    title.push(' ');
                }
            }
            _ => {}
        }
    }
    blocks
}

/// The text of a section in pieces that each say one thing, in order. What no block covers is a piece too.
pub(super) fn pieces(text: &str, content: Range<usize>, blocks: &[Block]) -> Vec<(Range<usize>, Kind)> {
    let mut pieces = Vec::new();
    let mut done = content.start;
    for block in blocks {
        let range = block.range.start.max(done)..block.range.end.min(content.end);
        if range.is_empty() {
            continue;
        }
        pieces.push((done..range.start, Kind::Other));
        done = range.end;
        match &block.kind {
            Kind::Rule => {}
            Kind::Heading { .. } => pieces.push((range, Kind::Other)),
            Kind::Paragraph if text[range.clone()].starts_with('|') => pieces.push((range, Kind::Other)),
            Kind::Paragraph => {
                pieces.extend(statements_of(text, range).into_iter().map(|range| (range, Kind::Paragraph)));
            }
            kind => pieces.push((range, kind.clone())),
        }
    }
    pieces.push((done..content.end, Kind::Other));
    let pieces = pieces.into_iter().map(|(range, kind)| (trimmed(text, range), kind));
    pieces.filter(|(range, _)| !range.is_empty()).collect()
}

/// The statements of a paragraph: a line that begins in bold type, or after a hard break, begins one.
fn statements_of(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut at = range.start;
    let mut broken = true;
    for line in text[range].split_inclusive('\n') {
        let end = at + line.len();
        let begins = line.trim_start().starts_with("**") || line.trim_start().starts_with('•');
        match ranges.last_mut() {
            Some(last) if !broken && !begins => last.end = end,
            _ => ranges.push(at..end),
        }
        let bare = line.trim_end_matches(['\n', '\r']);
        broken = bare.ends_with("  ") || bare.ends_with('\\');
        at = end;
    }
    ranges
}

/// The value of a piece: a statement, or a passage of Markdown if it has a form of its own.
pub(super) fn statement(text: &str, kind: &Kind) -> Value {
    match kind {
        Kind::Heading { title, .. } => Value::Text(title.clone()),
        Kind::Paragraph => {
            let lines = text.trim_end_matches('\\').lines().map(str::trim);
            Value::Text(lines.collect::<Vec<_>>().join("\n"))
        }
        Kind::Entry => Value::Text(unmarked(text)),
        Kind::Rule | Kind::Other => Value::Passage(text.to_owned()),
    }
}

/// An entry of a list without its mark. Its own lines are joined; lists and blocks inside it stay as they are.
fn unmarked(entry: &str) -> String {
    let number = entry.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match number.strip_prefix(['.', ')']) {
        Some(rest) if number.len() < entry.len() => rest,
        _ => entry.strip_prefix(['-', '*', '+']).unwrap_or(entry),
    };
    let indent = entry.len() - rest.trim_start().len();
    let mut out = String::new();
    let mut inner_blocks = false;
    for line in rest.lines() {
        let trimmed = line.trim();
        inner_blocks |= !out.is_empty() && begins_block(trimmed);
        if inner_blocks {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            out.push('\n');
            out.push_str(line[blanks.min(indent)..].trim_end());
        } else {
            out.push_str(if out.is_empty() { "" } else { " " });
            out.push_str(trimmed);
        }
    }
    out.trim().to_owned()
}

/// Whether a line inside a list entry begins a block of its own.
fn begins_block(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    let listed = ["- ", "* ", "+ ", ">", "|", "```", "~~~", "#"].iter().any(|mark| line.starts_with(mark));
    line.is_empty() || numbered || listed
}

/// A range without the white space around its text.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    if range.start >= range.end {
        return range.start..range.start;
    }
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}
