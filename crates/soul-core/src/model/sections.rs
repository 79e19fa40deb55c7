//! A body of Markdown, divided by its headings.

use std::ops::Range;

use super::blocks::{Block, Kind, blocks, pieces, statement, trimmed};
use super::headings::{field_of, folded, is_limit};
use super::negation::negated;
use super::{Field, Item, Value};
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

/// The longest title, in characters.
const MAX_TITLE: usize = 120;

/// The level of a line in bold type that stands alone.
const BOLD: u8 = 7;

/// Divides a body by its headings. The sections follow one another without gaps and cover the whole body.
///
/// A heading in code, in a list or in a quotation divides nothing. The first heading, if it stands above all others or
/// only names the agent, is the title, and the text under it is the introduction.
pub(crate) fn sections(body: &str) -> Vec<Section> {
    sections_of(body, &blocks(body), Field::Section)
}

/// A body whose blocks were found once, for readers that need its title and its items.
pub(crate) struct Outlined<'a> {
    body: &'a str,
    blocks: Vec<Block>,
}

impl<'a> Outlined<'a> {
    pub(crate) fn new(body: &'a str) -> Self {
        Self { body, blocks: blocks(body) }
    }

    /// The title, if the first heading is one.
    pub(crate) fn title(&self) -> Option<Section> {
        title(self.body, &self.blocks)
    }

    /// What the body says, item by item, with spans that begin at `base`. See [`items`].
    pub(crate) fn items(&self, base: usize) -> Vec<Item> {
        items_in(self.body, &self.blocks, base, Field::Section)
    }
}

fn title(body: &str, blocks: &[Block]) -> Option<Section> {
    let marks = marks(body, blocks);
    let end = marks.get(1).map_or(body.len(), |next| next.range.start);
    let is_title = is_title(&marks);
    let Mark { title, level, range } = marks.into_iter().next().filter(|_| is_title)?;
    Some(Section { title: Some(title), level, field: Field::Body, content: range.end..end, range: range.start..end })
}

/// Divides a text of which everything is about one field, unless a heading says otherwise.
fn sections_of(body: &str, blocks: &[Block], all: Field) -> Vec<Section> {
    let introduction = if all == Field::Section { Field::Body } else { all };
    let marks = marks(body, blocks);
    let mut sections = Vec::with_capacity(marks.len() + 1);
    let first = marks.first().map_or(body.len(), |mark| mark.range.start);
    if !body[..first].trim().is_empty() || marks.is_empty() {
        sections.push(Section { title: None, level: 0, field: introduction, range: 0..first, content: 0..first });
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
            introduction
        } else {
            let inherited = above.last().map_or(all, |(_, field)| *field);
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

/// The headings of a body that divide it.
fn marks(body: &str, blocks: &[Block]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = blocks.iter().filter_map(|block| mark(body, block)).collect();
    // A line in bold type is a heading if it is understood, or if it ends what stands under one that was.
    let mut open = false;
    marks.retain(|mark| {
        let ends = std::mem::replace(&mut open, mark.level == BOLD && field_of(&mark.title).is_some());
        mark.level != BOLD || open || ends
    });
    marks
}

/// A heading, or a paragraph that looks like one in bold type: `**Boundaries**` or `**Boundaries:**` alone on its first
/// line.
fn mark(body: &str, block: &Block) -> Option<Mark> {
    match &block.kind {
        // A paragraph with a line of dashes below it is a heading to Markdown, and a paragraph to its author.
        Kind::Heading { title, .. } if title.chars().count() > MAX_TITLE => None,
        Kind::Heading { level, title } => {
            Some(Mark { level: *level, title: title.trim().to_owned(), range: whole_lines(body, block.range.clone()) })
        }
        Kind::Paragraph => {
            let line = body[block.range.clone()].lines().next()?;
            let trimmed = line.trim().trim_end_matches([':', '：']);
            let title = trimmed.strip_prefix("**")?.strip_suffix("**")?.trim_end_matches([':', '：']).trim();
            let is_sentence = title.contains("**") || title.ends_with(['.', '!', '?', '。', '！', '？', ',']);
            let range = block.range.start..block.range.start + line.len();
            (!is_sentence && !title.is_empty()).then(|| Mark {
                title: title.to_owned(),
                level: BOLD,
                range: whole_lines(body, range),
            })
        }
        Kind::Entry | Kind::Rule | Kind::Other => None,
    }
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

/// What a body says, item by item, with spans that begin at `base`.
///
/// List entries and paragraphs of a section whose field is known are items of that field, under their heading; any
/// other section is one passage with its heading. Every letter of the body is in one item, except headings of known
/// fields, which are in `heading`.
pub(crate) fn items(body: &str, base: usize) -> Vec<Item> {
    items_of(body, base, Field::Section)
}

/// Like [`items`], for a text of which everything is about one field, unless a heading says otherwise.
pub(crate) fn items_of(body: &str, base: usize, all: Field) -> Vec<Item> {
    items_in(body, &blocks(body), base, all)
}

fn items_in(body: &str, blocks: &[Block], base: usize, all: Field) -> Vec<Item> {
    let mut rest = blocks;
    let mut items = Vec::new();
    let sections = sections_of(body, blocks, all);
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
        if pieces.is_empty() && sections.get(index + 1).is_none_or(|next| next.level <= section.level) {
            let title = section.title.clone().unwrap_or_default();
            pieces.push((trimmed(body, section.range.clone()), Kind::Heading { level: section.level, title }));
        }
        for (range, kind) in pieces {
            let value = match statement(&body[range.clone()], &kind) {
                Value::Text(text) if section.field == Field::MustNever => Value::Text(negated(&text)),
                value => value,
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

#[cfg(test)]
mod tests;
