//! A text taken apart into pieces that are never cut.

use std::ops::Range;

use crate::markup::markdown;
use crate::model::{Field, Item};
use crate::runtimes::frontmatter_end;

/// How much a piece matters, the most important first.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    Limit,
    Identity,
    Principle,
    Tone,
    Style,
    Example,
    Prose,
}

impl Priority {
    /// The spelling in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Identity => "identity",
            Self::Principle => "principle",
            Self::Tone => "tone",
            Self::Style => "style",
            Self::Example => "example",
            Self::Prose => "prose",
        }
    }

    const fn of(field: Field) -> Option<Self> {
        Some(match field {
            Field::Limit | Field::MustAlways | Field::MustNever => Self::Limit,
            Field::Id
            | Field::Name
            | Field::Role
            | Field::Description
            | Field::Card
            | Field::Trait
            | Field::Persona => Self::Identity,
            Field::Principle | Field::Escalation | Field::Collaboration | Field::Handoff | Field::MemoryPolicy => {
                Self::Principle
            }
            Field::Tone | Field::Voice | Field::Mood | Field::DefaultMood => Self::Tone,
            Field::Style | Field::OutputFormat => Self::Style,
            Field::GoodExample | Field::BadExample => Self::Example,
            _ => return None,
        })
    }
}

/// A piece of a text.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Its bytes, without white space around it.
    pub(super) range: Range<usize>,
    pub(super) priority: Priority,
    /// The paragraph, list or other block that it is a part of.
    pub(super) block: usize,
    /// What stands between it and another piece of the same block.
    pub(super) separator: &'static str,
    /// The heading that it stands under, by its number.
    pub(super) heading: Option<usize>,
    /// The level of a heading that has something under it.
    level: Option<usize>,
}

impl Piece {
    /// Whether it stays only with what is under it.
    pub(super) const fn is_heading(&self) -> bool {
        self.level.is_some()
    }
}

/// The pieces of a text, in its order.
pub(super) fn pieces(text: &str, items: &[Item]) -> Vec<Piece> {
    let start = frontmatter_end(text);
    let mut maker = Maker { text, pieces: Vec::new(), blocks: 0 };
    if !text[..start].trim().is_empty() {
        maker.whole(0..start, "\n");
    }
    let headings: Vec<_> = markdown::outline(&text[start..]).into_iter().filter(|heading| !heading.nested).collect();
    let at = |index: usize| headings.get(index).map_or(text.len(), |heading| start + heading.range.start);
    maker.blocks(start..at(0));
    let first = headings.iter().position(|heading| heading.level as usize > 1).map_or(text.len(), at);
    for (index, heading) in headings.iter().enumerate() {
        let title = start + heading.range.start..start + heading.range.end;
        let own = maker.whole(title.clone(), "\n\n");
        if let Some(own) = own {
            maker.pieces[own].level = Some(heading.level as usize);
        }
        maker.blocks(title.end..at(index + 1));
    }
    let mut pieces = maker.pieces;
    nest(&mut pieces);
    for piece in &mut pieces {
        piece.priority = priority(&piece.range, items, first.max(start));
    }
    pieces
}

/// Gives every piece its heading. A heading that nothing stands under is a piece like others.
fn nest(pieces: &mut [Piece]) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, piece) in pieces.iter_mut().enumerate() {
        if let Some(level) = piece.level {
            open.retain(|(_, above)| *above < level);
        }
        piece.heading = open.last().map(|(heading, _)| *heading);
        if let Some(level) = piece.level {
            open.push((at, level));
        }
    }
    for at in 0..pieces.len() {
        if pieces[at].level.is_some() && !pieces.iter().any(|piece| piece.heading == Some(at)) {
            pieces[at].level = None;
        }
    }
}

fn priority(range: &Range<usize>, items: &[Item], identity_end: usize) -> Priority {
    let overlaps = |item: &&Item| {
        item.file.is_none()
            && item.span.end > item.span.start
            && item.span.start < range.end
            && item.span.end > range.start
    };
    let said = items.iter().filter(overlaps).filter_map(|item| Priority::of(item.field)).min();
    let usual = if range.start < identity_end { Priority::Identity } else { Priority::Prose };
    said.unwrap_or(usual)
}

struct Maker<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
    blocks: usize,
}

impl Maker<'_> {
    fn piece(&mut self, range: Range<usize>, separator: &'static str) -> Option<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        let end = start + text.trim().len();
        if start >= end {
            return None;
        }
        // Spaces before the first line of a block are part of what it is.
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let start = if self.text[line..start].trim().is_empty() && line >= range.start { line } else { start };
        let (priority, block) = (Priority::Prose, self.blocks);
        self.pieces.push(Piece { range: start..end, priority, block, separator, heading: None, level: None });
        Some(self.pieces.len() - 1)
    }

    /// A block that is one piece.
    fn whole(&mut self, range: Range<usize>, separator: &'static str) -> Option<usize> {
        self.blocks += 1;
        self.piece(range, separator)
    }

    /// The blocks of a section.
    fn blocks(&mut self, range: Range<usize>) {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut at = range.start;
        for line in self.text[range].split_inclusive('\n') {
            lines.push(at..at + line.len());
            at += line.len();
        }
        let mut index = 0;
        while index < lines.len() {
            let line = &self.text[lines[index].clone()];
            let end = match kind(line) {
                Kind::Blank => index + 1,
                Kind::Fence(mark) => self.fence_end(&lines, index, mark),
                Kind::Item => self.item_end(&lines, index),
                Kind::Other(block) => {
                    let same = |line: &Range<usize>| kind(&self.text[line.clone()]) == Kind::Other(block);
                    index + lines[index..].iter().take_while(|line| same(line)).count()
                }
            };
            let range = lines[index].start..lines[end - 1].end;
            match kind(line) {
                Kind::Blank => {}
                Kind::Item => {
                    // Items of one list follow each other; blank lines between them do not end it.
                    let before = self.text[..range.start].trim_end().len();
                    let follows =
                        self.pieces.last().is_some_and(|last| last.separator == "\n" && last.range.end == before);
                    self.blocks += usize::from(!follows);
                    self.piece(range, "\n");
                }
                Kind::Other(Block::Prose) => {
                    self.blocks += 1;
                    for sentence in sentences(&self.text[range.clone()]) {
                        self.piece(range.start + sentence.start..range.start + sentence.end, " ");
                    }
                }
                Kind::Fence(_) | Kind::Other(_) => {
                    self.whole(range, "\n\n");
                }
            }
            index = end;
        }
    }

    fn fence_end(&self, lines: &[Range<usize>], index: usize, mark: &str) -> usize {
        let closes = |line: &Range<usize>| {
            let line = self.text[line.clone()].trim();
            line.starts_with(mark) && line.chars().all(|c| mark.starts_with(c))
        };
        let close = lines[index + 1..].iter().position(closes);
        close.map_or(lines.len(), |close| index + 1 + close + 1)
    }

    /// An item goes on over lines that are indented, and over lines of its paragraph.
    fn item_end(&self, lines: &[Range<usize>], index: usize) -> usize {
        let mut end = index + 1;
        let mut blank = false;
        let mut fence: Option<&str> = None;
        for (at, line) in lines.iter().enumerate().skip(index + 1) {
            let line = &self.text[line.clone()];
            if let Some(mark) = fence {
                end = at + 1;
                if line.trim().starts_with(mark) {
                    fence = None;
                }
                continue;
            }
            let indented = line.starts_with("  ") || line.starts_with('\t');
            match kind(line.trim_start_matches([' ', '\t'])) {
                Kind::Blank => {
                    blank = true;
                    continue;
                }
                Kind::Fence(mark) if indented => fence = Some(mark),
                _ if indented => {}
                Kind::Other(Block::Prose) if !blank => {}
                _ => break,
            }
            (end, blank) = (at + 1, false);
        }
        end
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Prose,
    Quote,
    Table,
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'a> {
    Blank,
    Fence(&'a str),
    Item,
    Other(Block),
}

fn kind(line: &str) -> Kind<'_> {
    let bare = line.trim();
    let mark = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = mark.len() < bare.len() && (mark.starts_with(". ") || mark.starts_with(") "));
    if bare.is_empty() {
        Kind::Blank
    } else if bare.starts_with("```") {
        Kind::Fence("```")
    } else if bare.starts_with("~~~") {
        Kind::Fence("~~~")
    } else if is_number || ["- ", "* ", "+ ", "• "].iter().any(|mark| bare.starts_with(mark)) || bare == "-" {
        Kind::Item
    } else if bare.starts_with('>') {
        Kind::Other(Block::Quote)
    } else if bare.starts_with('|') {
        Kind::Other(Block::Table)
    } else if bare.starts_with('<') {
        Kind::Other(Block::Html)
    } else {
        Kind::Other(Block::Prose)
    }
}

/// Words that end in a full stop in the middle of a sentence.
const ABBREVIATIONS: [&str; 20] = [
    "e.g", "i.e", "etc", "mr", "mrs", "ms", "dr", "prof", "st", "vs", "cf", "no", "nr", "fig", "approx", "inc", "ltd",
    "z.b", "u.a", "bzw",
];

/// The sentences of a paragraph. In doubt two sentences are one.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut open = Open::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        open.take(c);
        let end = at + c.len_utf8();
        let is_cjk = matches!(c, '。' | '！' | '？');
        if !is_cjk && !matches!(c, '.' | '!' | '?' | '…') {
            continue;
        }
        // Closing quotes and brackets belong to the sentence.
        let mut end = end;
        while let Some((next, closing)) = chars.peek().copied().filter(|(_, c)| "\"')]*_”’»」』".contains(*c)) {
            open.take(closing);
            end = next + closing.len_utf8();
            chars.next();
        }
        let rest = &text[end..];
        let next = rest.trim_start().chars().next();
        let separated = is_cjk || (rest.starts_with(char::is_whitespace) && next.is_some_and(begins_sentence));
        if separated && next.is_some() && open.is_closed() && !is_abbreviation(&text[start..at], c) {
            found.push(start..end);
            start = end;
        }
    }
    if !text[start..].trim().is_empty() {
        found.push(start..text.len());
    }
    found
}

fn begins_sentence(c: char) -> bool {
    !c.is_lowercase() && !matches!(c, ')' | ']' | ',' | ';' | ':' | '-' | '–' | '—')
}

fn is_abbreviation(before: &str, stop: char) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let lower = word.to_lowercase();
    stop == '.'
        && (ABBREVIATIONS.contains(&lower.as_str())
            || word.chars().count() == 1
            || word.chars().all(|c| c.is_ascii_digit()))
}

/// Quotes, brackets and code that a piece of text leaves open.
#[derive(Default)]
struct Open {
    ticks: usize,
    strong: usize,
    brackets: isize,
    quotes: usize,
    curly: isize,
}

impl Open {
    fn take(&mut self, c: char) {
        match c {
            '`' => self.ticks += 1,
            '*' => self.strong += 1,
            '"' => self.quotes += 1,
            '(' | '[' => self.brackets += 1,
            ')' | ']' => self.brackets -= 1,
            '“' | '«' | '「' => self.curly += 1,
            '”' | '»' | '」' => self.curly -= 1,
            _ => {}
        }
    }

    const fn is_closed(&self) -> bool {
        self.ticks.is_multiple_of(2)
            && self.strong.is_multiple_of(2)
            && self.quotes.is_multiple_of(2)
            && self.brackets == 0
            && self.curly == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        pieces(text, &[]).iter().map(|piece| &text[piece.range.clone()]).collect()
    }

    #[test]
    fn pieces_are_sentences_items_and_whole_blocks() {
        let text = "# Ada\n\nShe helps. She writes (e.g. letters). Is it v1.2? Yes.\n\n- one\n  more of one\n- two\n\n```\nx. Y.\n```\n\n| a |\n| b |\n\n> q. Q.\n";
        let expected = [
            "# Ada",
            "She helps.",
            "She writes (e.g. letters).",
            "Is it v1.2?",
            "Yes.",
            "- one\n  more of one",
            "- two",
            "```\nx. Y.\n```",
            "| a |\n| b |",
            "> q. Q.",
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn what_is_open_is_not_cut() {
        assert_eq!(texts("Say \"No. Never.\" and go. Then rest."), ["Say \"No. Never.\" and go.", "Then rest."]);
        assert_eq!(texts("Run `a. B. c` now. End"), ["Run `a. B. c` now.", "End"]);
        assert_eq!(texts("他很好。她也是。"), ["他很好。", "她也是。"]);
        assert_eq!(texts("Ask Dr. Who. He knows"), ["Ask Dr. Who.", "He knows"]);
    }

    #[test]
    fn a_heading_stays_with_what_is_under_it() {
        let text = "# A\n\n## B\n\ntext\n\n## C\n";
        let found = pieces(text, &[]);
        assert!(found[0].is_heading() && found[1].is_heading() && !found[3].is_heading());
        assert_eq!((found[1].heading, found[2].heading, found[3].heading), (Some(0), Some(1), Some(0)));
    }
}
