//! A body of Markdown, divided by its headings.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::headings::{field_of, folded, is_limit};
use super::{Field, Item, Value};
use crate::markup::markdown::outline;
use crate::text::Span;

/// A piece of a body: a heading with the text until the next one, or the introduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// The heading without its marks; `None` for text before the first heading.
    pub(crate) title: Option<String>,
    /// The level of the heading, 1 to 6; a line in bold type that serves as a heading is 7. 0 without a heading.
    pub(crate) level: u8,
    /// What it is about; [`Field::Section`] if its heading does not say, [`Field::Body`] for the introduction.
    pub(crate) field: Field,
    /// All of it, with its heading.
    pub(crate) range: Range<usize>,
    /// The text under the heading.
    pub(crate) content: Range<usize>,
}

/// A heading of a body, before its field is settled.
struct Mark {
    title: String,
    level: u8,
    range: Range<usize>,
}

/// The level of a line in bold type that stands alone.
const BOLD: u8 = 7;

/// Divides a body by its headings. The sections follow one another without gaps and cover the whole body.
///
/// A heading in code, in a list or in a quotation divides nothing. The first heading, if it stands above all others or
/// only names the agent, is the title, and the text under it is the introduction.
pub(crate) fn sections(body: &str) -> Vec<Section> {
    let marks = marks(body);
    let mut sections = Vec::with_capacity(marks.len() + 1);
    let first = marks.first().map_or(body.len(), |mark| mark.range.start);
    if !body[..first].trim().is_empty() || marks.is_empty() {
        sections.push(Section { title: None, level: 0, field: Field::Body, range: 0..first, content: 0..first });
    }
    let start_of_all = if sections.is_empty() { 0 } else { first };
    let has_title = is_title(&marks);
    // The fields of the headings that a section stands under, by level.
    let mut above: Vec<(u8, Field)> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let end = marks.get(index + 1).map_or(body.len(), |next| next.range.start);
        let start = if index == 0 { start_of_all } else { mark.range.start };
        while above.last().is_some_and(|(level, _)| *level >= mark.level) {
            above.pop();
        }
        let field = if index == 0 && has_title {
            Field::Body
        } else {
            let inherited = above.last().map_or(Field::Section, |(_, field)| *field);
            let field = settled(inherited, field_of(&mark.title));
            above.push((mark.level, field));
            field
        };
        let title = Some(mark.title.clone());
        sections.push(Section { title, level: mark.level, field, range: start..end, content: mark.range.end..end });
    }
    sections
}

/// The field of a heading under another: its own, but examples stay examples, and what stands under limits stays one.
fn settled(inherited: Field, own: Option<Field>) -> Field {
    match (inherited, own) {
        (Field::GoodExample | Field::BadExample, Some(Field::GoodExample | Field::BadExample)) => {
            own.unwrap_or(inherited)
        }
        (Field::GoodExample | Field::BadExample, _) => inherited,
        (inherited, Some(own))
            if is_limit(inherited) && !is_limit(own) && own != Field::GoodExample && own != Field::BadExample =>
        {
            inherited
        }
        (_, Some(own)) => own,
        (inherited, None) => inherited,
    }
}

/// Whether the first heading is the title of the whole.
fn is_title(marks: &[Mark]) -> bool {
    let Some((first, others)) = marks.split_first() else { return false };
    let others: Vec<u8> = others.iter().filter(|mark| mark.level != BOLD).map(|mark| mark.level).collect();
    let above_all = !others.is_empty() && others.iter().all(|level| *level > first.level);
    let wraps = folded(&first.title).split(' ').any(|word| word == "soul");
    first.level != BOLD && (above_all || first.level == 1 && (wraps || field_of(&first.title).is_none()))
}

fn marks(body: &str) -> Vec<Mark> {
    let headings = outline(body).into_iter().filter(|heading| !heading.nested);
    let mut marks: Vec<Mark> = headings
        .map(|heading| Mark {
            level: heading.level as u8,
            title: heading.title.trim().to_owned(),
            range: whole_lines(body, heading.range),
        })
        .collect();
    marks.extend(bold_lines(body));
    marks.sort_by_key(|mark| mark.range.start);
    // A line in bold type is a heading if it is understood, or if it ends what stands under one that was.
    let mut open = false;
    marks.retain(|mark| {
        let ends = std::mem::replace(&mut open, mark.level == BOLD && field_of(&mark.title).is_some());
        mark.level != BOLD || open || ends
    });
    marks
}

/// Paragraphs that look like a heading in bold type: `**Boundaries**` or `**Boundaries:**` alone on their first line.
fn bold_lines(body: &str) -> Vec<Mark> {
    let bold = |range: Range<usize>| {
        let line = body[range.start..range.end].lines().next()?;
        let trimmed = line.trim().trim_end_matches([':', '：']);
        let title = trimmed.strip_prefix("**")?.strip_suffix("**")?.trim_end_matches([':', '：']);
        let sentence = title.contains("**") || title.ends_with(['.', '!', '?', '。', '！', '？', ',']);
        (!sentence && !title.is_empty()).then(|| Mark {
            title: title.trim().to_owned(),
            level: BOLD,
            range: whole_lines(body, range.start..range.start + line.len()),
        })
    };
    blocks(body)
        .into_iter()
        .filter(|block| block.kind == Kind::Paragraph)
        .filter_map(|block| bold(block.range))
        .collect()
}

/// A range extended to the ends of its lines.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let bytes = text.as_bytes();
    let mut end = range.end;
    if end == start || !matches!(bytes[end - 1], b'\n' | b'\r') {
        end += text[end..].find(['\n', '\r']).unwrap_or(text.len() - end);
        end += match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
    }
    start..end
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Paragraph,
    /// One entry of a list, with the lists inside it.
    Entry,
    Rule,
    Heading,
    Other,
}

/// A block of Markdown that stands in no other.
#[derive(Debug, Clone)]
struct Block {
    kind: Kind,
    range: Range<usize>,
}

fn blocks(body: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in Parser::new(body).into_offset_iter() {
        match event {
            Event::Start(Tag::List(_)) if depth == 0 => depth = 1,
            Event::Start(tag) => {
                let kind = match tag {
                    Tag::Paragraph if depth == 0 => Some(Kind::Paragraph),
                    Tag::Heading { .. } if depth == 0 => Some(Kind::Heading),
                    Tag::Item if depth == 1 => Some(Kind::Entry),
                    _ if depth == 0 => Some(Kind::Other),
                    _ => None,
                };
                blocks.extend(kind.map(|kind| Block { kind, range }));
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => blocks.push(Block { kind: Kind::Rule, range }),
            _ => {}
        }
    }
    blocks
}

/// What a body says, item by item, with spans that begin at `base`.
///
/// List entries and paragraphs of a section whose field is known are items of that field, under their heading; any
/// other section is one passage with its heading. Every letter of the body is in one item, except headings of known
/// fields, which are in `heading`.
pub(crate) fn items(body: &str, base: usize) -> Vec<Item> {
    let blocks = blocks(body);
    let mut rest = blocks.as_slice();
    let mut items = Vec::new();
    let sections = sections(body);
    for (index, section) in sections.iter().enumerate() {
        let count = rest.iter().take_while(|block| block.range.start < section.range.end).count();
        let (own, later) = rest.split_at(count);
        rest = later;
        let whole = matches!(section.field, Field::Section | Field::Body);
        if whole {
            items.extend(
                passage(body, section.range.clone(), section.field, base)
                    .map(|item| Item { heading: section.title.clone(), ..item }),
            );
            continue;
        }
        let mut pieces = pieces(body, section.content.clone(), own);
        // A heading with nothing under it is a statement.
        if pieces.is_empty() && !sections.get(index + 1).is_some_and(|next| next.level > section.level) {
            pieces.push((trimmed(body, section.range.clone()), Kind::Heading));
        }
        for (range, kind) in pieces {
            let value = match (kind, &section.title) {
                (Kind::Heading, Some(title)) => Value::Text(title.clone()),
                _ => statement(&body[range.clone()], kind),
            };
            let mut item = Item::new(section.field, value, Span::new(base + range.start, base + range.end));
            item.heading = section.title.clone();
            items.push(item);
        }
    }
    items
}

fn passage(body: &str, range: Range<usize>, field: Field, base: usize) -> Option<Item> {
    let range = trimmed(body, range);
    (!range.is_empty())
        .then(|| Item::passage(field, &body[range.clone()], Span::new(base + range.start, base + range.end)))
}

/// The text of a section in pieces that each say one thing, in order. What no block covers is a piece too: definitions
/// of links.
fn pieces(body: &str, content: Range<usize>, blocks: &[Block]) -> Vec<(Range<usize>, Kind)> {
    let mut pieces = Vec::new();
    let mut done = content.start;
    for block in blocks {
        let range = block.range.start.max(done)..block.range.end.min(content.end);
        if range.is_empty() {
            continue;
        }
        pieces.push((done..range.start, Kind::Other));
        match block.kind {
            Kind::Rule | Kind::Heading => {}
            Kind::Paragraph => pieces
                .extend(statements_of_paragraph(body, range.clone()).into_iter().map(|range| (range, Kind::Paragraph))),
            kind => pieces.push((range.clone(), kind)),
        }
        done = range.end;
    }
    pieces.push((done..content.end, Kind::Other));
    let pieces = pieces.into_iter().map(|(range, kind)| (trimmed(body, range), kind));
    pieces.filter(|(range, _)| !range.is_empty()).collect()
}

/// The lines of a paragraph, joined where one goes on in the next; a line that begins in bold type, or after a hard
/// break, begins a statement.
fn statements_of_paragraph(body: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut at = range.start;
    let mut broken = true;
    for line in body[range.clone()].split_inclusive('\n') {
        let end = at + line.len();
        let text = line.trim_start();
        match ranges.last_mut() {
            Some(last) if !broken && !text.starts_with("**") && !text.starts_with('•') => last.end = end,
            _ => ranges.push(at..end),
        }
        let bare = line.trim_end_matches(['\n', '\r']);
        broken = bare.ends_with("  ") || bare.ends_with('\\');
        at = end;
    }
    ranges
}

/// The value of a piece: one line of text, or Markdown if it has a form of its own.
fn statement(text: &str, kind: Kind) -> Value {
    match kind {
        Kind::Paragraph => Value::Text(text.trim_end_matches('\\').split_whitespace().collect::<Vec<_>>().join(" ")),
        Kind::Entry => Value::Text(unmarked(text)),
        _ => Value::Passage(text.to_owned()),
    }
}

/// An entry of a list without its mark. Its own lines are joined; lists and blocks inside it stay as they are.
fn unmarked(entry: &str) -> String {
    let indent =
        entry.len() - entry.trim_start_matches(|c: char| matches!(c, '-' | '*' | '+') || c.is_ascii_digit()).len();
    let after = entry[indent..].trim_start_matches(['.', ')']);
    let mut out = String::new();
    let mut structured = false;
    for line in after.lines() {
        let text = line.trim();
        let marked = text.starts_with(['-', '*', '+', '>', '|', '`', '~', '#']) && !text.starts_with("**")
            || starts_with_number(text);
        structured |= !out.is_empty() && (text.is_empty() || marked);
        if out.is_empty() {
            out.push_str(text);
        } else if structured {
            out.push('\n');
            out.push_str(line.strip_prefix("  ").unwrap_or(line).trim_end());
        } else {
            out.push(' ');
            out.push_str(text);
        }
    }
    out.trim().to_owned()
}

fn starts_with_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && (rest.starts_with(". ") || rest.starts_with(") "))
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    if range.start >= range.end {
        return range.start..range.start;
    }
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

#[cfg(test)]
mod tests;
