//! The text around a match that can say how it is meant: its own sentence, the sentence around a quotation, and the
//! line that introduces its block. Nothing else is read, so nothing farther away can lower a finding.

use super::fences::Fences;
use crate::scan::steps;
use crate::text::Span;

/// How far a sentence is read back and forth, in bytes.
const BEFORE: usize = 320;
pub(super) const AFTER: usize = 200;

/// How far a line is read back and forth; what is farther away on a longer one says nothing about a match.
pub(super) const LINE: usize = 1_000;

/// So many lines of a list are walked back to the line that introduces it.
const LIST: usize = 40;

/// What is around a match.
#[derive(Debug, Default)]
pub(super) struct Passage<'a> {
    /// The sentence of the match, up to it and after it.
    pub(super) own: Sides<'a>,
    /// The sentence around the quotation that the match is in.
    pub(super) quotation: Option<Sides<'a>>,
    /// The sentences before and after that of the match, and those around the sentence of the quotation.
    pub(super) near: [Neighbours<'a>; 2],
    /// The next cell of the row, if the cell of the match is a quotation.
    pub(super) answer: Option<&'a str>,
    /// What names the quotation: the first cell of its row, or what stands before the colon in its list item.
    pub(super) label: Option<&'a str>,
    /// What stands before a list of several pieces of inline code, one of which is the match.
    pub(super) enumeration: Option<&'a str>,
    /// The value of an entry, if the match is its key.
    pub(super) value: Option<&'a str>,
    /// The key of the list that the match is in, in YAML or JSON, or the start of a list in a program.
    pub(super) key: Option<&'a str>,
    /// The code block that the match is in.
    pub(super) code: Option<&'a str>,
    /// The line that introduces the list, code block or block quote of the match.
    pub(super) introduction: Option<Introduction<'a>>,
}

/// A sentence without the match or quotation in its middle.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

/// The sentences next to a sentence, in the same paragraph; empty if there are none.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Neighbours<'a> {
    pub(super) previous: &'a str,
    pub(super) next: &'a str,
}

/// The last line before a block, if it is no heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Introduction<'a> {
    pub(super) line: &'a str,
    /// Whether it introduces a list, whose entries continue its sentence.
    pub(super) is_list: bool,
    /// Whether the match is in a quotation.
    pub(super) is_quoted: bool,
}

impl<'a> Passage<'a> {
    pub(super) fn of(text: &'a str, start: usize, end: usize, fences: &Fences) -> Self {
        let from = block_start(text, start);
        let to = block_end(text, end);
        let quotation = quotation(text, from, start, end, to);
        // A value of YAML or JSON is a text of its own: what stands around its marks is not its sentence.
        let value =
            quotation.filter(|(open, _)| text[*open..].starts_with(['"', '\'']) && is_value(&text[from..*open]));
        let (from, to) = value.map_or((from, to), |(open, close)| (open + 1, close - 1));
        let own = sides(&text[from..start], &text[end..to]);
        let is_quoted = quotation.is_some();
        let outside = quotation
            .filter(|_| value.is_none())
            .map(|(open, close)| (&text[from..open], &text[text.len().min(close)..to.max(close)]));
        let quotation = outside.map(|(before, after)| sides(before, after));
        let (before, after) = outside.unwrap_or_default();
        let near = [
            neighbours(&text[from..start], &text[end..to], own),
            neighbours(before, after, quotation.unwrap_or_default()),
        ];
        let answer = quotation.and_then(|_| next_cell(text, from, to));
        let label = is_quoted.then(|| label(text, start)).flatten();
        let introduction = introduction(text, start, end, fences);
        steps::add(to - from + LINE);
        let introduction = introduction.map(|own| Introduction { is_quoted, ..own });
        let value = entry_value(rest_of_line(text, end));
        let code = fences.around(Span::new(start, end)).map(|(open, close)| code_near(text, open, start, close));
        let enumeration = enumeration(text, from, start, end);
        Self { own, quotation, near, answer, label, enumeration, value, key: list_key(text, start), code, introduction }
    }
}

/// The last sentence before a place, and the first one after another.
fn sides<'a>(before: &'a str, after: &'a str) -> Sides<'a> {
    let ends = [". ", "! ", "? ", ".\n", "!\n", "?\n", "; ", ";\n", "。", "！", "？", "；", "-->", "*/"];
    let begins = ends.iter().filter_map(|end| last_end(before, end)).max().unwrap_or(0);
    let stops = [". ", "! ", "? ", ".\n", "!\n", "?\n", "; ", "。", "！", "？", "；", "-->"];
    let stop = stops.iter().filter_map(|stop| after.find(stop)).min();
    // With its full stop, by which its last word is known to be the last.
    let stop = stop.map_or(after.len(), |at| after.ceil_char_boundary(at + 1));
    Sides { before: &before[begins..], after: &after[..stop] }
}

/// The sentences around the one whose sides are at the end of one text and at the start of another.
fn neighbours<'a>(before: &'a str, after: &'a str, own: Sides<'_>) -> Neighbours<'a> {
    let head = before[..before.len() - own.before.len()].trim_end();
    // Without the end of the sentence, which would be taken for that of the one before it.
    let head = head.trim_end_matches(['.', '!', '?', ';', '。', '！', '？', '；']);
    Neighbours { previous: sides(head, "").before, next: sides("", after[own.after.len()..].trim_start()).after }
}

/// Where the last sentence has begun after an end of this kind; the full stop of "e.g." ends none.
fn last_end(text: &str, end: &str) -> Option<usize> {
    let at = text.rfind(end)?;
    let short = ["e.g", "i.e", "etc", "vs", "cf"].iter().any(|word| text[..at].ends_with(word));
    if short { last_end(&text[..at], end) } else { Some(at + end.len()) }
}

/// Where the block of a place begins: a paragraph, a list item, a cell of a table, a line of code.
fn block_start(text: &str, place: usize) -> usize {
    let floor = text.ceil_char_boundary(place.saturating_sub(BEFORE));
    let mut line = text[floor..place].rfind('\n').map_or(floor, |at| floor + at + 1);
    if let Some(cell) = cell_start(&text[line..place], rest_of_line(text, place)) {
        return line + cell;
    }
    while line > floor && !begins_block(&text[line..]) {
        let before = &text[floor..line - 1];
        let start = before.rfind('\n').map_or(floor, |at| floor + at + 1);
        let above = &text[start..line - 1];
        if ends_block(above) {
            break;
        }
        line = start;
    }
    line
}

fn block_end(text: &str, place: usize) -> usize {
    let ceiling = text.floor_char_boundary((place + AFTER).min(text.len()));
    let mut end = place;
    for line in text[place..ceiling].split_inclusive('\n') {
        if end > place && (begins_block(line) || ends_block(line)) {
            break;
        }
        if let Some(cell) = line.find(" |").filter(|_| is_row(line) || line.trim_end().ends_with('|')) {
            return end + cell;
        }
        end += line.len();
    }
    end
}

/// A row of a table is read cell by cell.
fn cell_start(before: &str, after: &str) -> Option<usize> {
    let row = is_row(before) || (before.contains(" | ") && after.trim_end().ends_with('|'));
    row.then(|| before.rfind('|').map(|at| at + 1)).flatten()
}

/// The cell after one that is a quotation and nothing else.
fn next_cell(text: &str, from: usize, to: usize) -> Option<&str> {
    let marks: Vec<char> = MARKS.iter().flat_map(|(open, close)| [*open, *close]).collect();
    let cell = text[from..to].trim();
    let whole = cell.starts_with(&marks[..]) && cell.ends_with(&marks[..]);
    let rest = rest_of_line(text, to).trim_start().strip_prefix('|').filter(|_| whole)?;
    rest.split('|').next().map(str::trim)
}

/// The first cell of the row, or what an item of a list has before its colon. A key of YAML or JSON does not count.
fn label(text: &str, start: usize) -> Option<&str> {
    let line = &text[line_start(text, start)..start];
    if is_row(line) {
        let first = line.trim_start().trim_start_matches('|').split('|').next().unwrap_or_default();
        return (line.matches('|').count() > 1).then(|| first.trim());
    }
    let before = line.trim_start();
    let item = is_item(before).then(|| before.split_once([' ', '\t'])).flatten()?.1;
    let (name, _) = item.split_once(':')?;
    // A key of YAML is one word, without emphasis.
    (name.trim().contains(' ') || name.contains("**")).then_some(name)
}

/// What an entry says of its key, after the place of a match in that key: `"rm -rf *": deny`.
fn entry_value(rest: &str) -> Option<&str> {
    const KEY: usize = 40;
    let key = rest.split(['"', '\'', '`', ':']).next().filter(|key| key.len() <= KEY)?;
    let rest = rest[key.len()..].trim_start_matches(['"', '\'', '`', ' ']);
    let value = rest.strip_prefix(':')?.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    (!value.is_empty()).then_some(value)
}

/// The code of a block, as far as it is read: around the match.
fn code_near(text: &str, open: usize, start: usize, close: usize) -> &str {
    let from = text.floor_char_boundary(open.max(start.saturating_sub(LINE)));
    let to = text.ceil_char_boundary(close.min(start + LINE));
    &text[from..to]
}

/// What stands before several pieces of inline code that are joined by commas, slashes or "or".
fn enumeration(text: &str, from: usize, start: usize, end: usize) -> Option<&str> {
    let from = if from > start { start } else { from };
    let before = &text[from..start];
    let open = before.rfind('`').filter(|_| before.matches('`').count() % 2 == 1)?;
    // The closing mark may belong to the match.
    let matched = &text[start..end];
    let rest = rest_of_line(text, end);
    let after = if matched.ends_with('`') { rest } else { rest.split_once('`')?.1 };
    let joins = |text: &str, ends: bool| {
        let marks = [",", "/", " or", " and", ", or", ", and", " ·", "|"];
        marks.iter().any(|mark| {
            if ends { text.trim_end().ends_with(&format!("`{mark}")) } else { text.starts_with(&format!("{mark} `")) }
        })
    };
    let first = before.find('`').unwrap_or(open);
    // What the first cell of a row names, the other cells describe.
    let line = &text[line_start(text, start)..start];
    if line.trim_start().trim_start_matches(['|', ' ']).starts_with('`')
        && line.matches('|').count() == 1
        && is_row(line)
    {
        return after.trim_start().starts_with('|').then_some("");
    }
    (joins(after, false) || joins(&before[..open], true)).then(|| &before[..first])
}

/// The line above a list that its entries are indented under, if it is a key.
fn list_key(text: &str, start: usize) -> Option<&str> {
    let line = line_start(text, start);
    let depth = indent(&text[line..]);
    let is_entry = is_item(&text[line..]) || text[line..].trim_start().starts_with(['"', '\'']);
    if !is_entry || depth == 0 && !is_item(&text[line..]) {
        return None;
    }
    let belongs =
        |line: &str| indent(line) >= depth && (is_item(line) || line.trim_start().starts_with(['"', '\'', '#']));
    let above = before_lines(&text[..line], belongs).trim_end();
    let key = &above[line_start(above, above.len())..];
    (ends_in_colon(key) || key.ends_with('(')).then(|| key.trim())
}

/// Whether a line is a row of a table.
pub(super) fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a line begins a block of its own.
fn begins_block(line: &str) -> bool {
    is_item(line) || is_entry(line) || line.trim_start().starts_with(['#', '|', '`', '~', '<', '{', '}'])
}

/// Whether nothing after a line belongs to its sentence.
fn ends_block(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
    bare.is_empty() || bare.starts_with(['#', '|']) || bare.starts_with("```") || bare == "---"
}

/// Whether a line begins an item of a list.
pub(super) fn is_item(line: &str) -> bool {
    let bare = line.trim_start_matches([' ', '\t', '>']);
    let digits = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    bare.strip_prefix(['-', '*', '+', '•', '·', '◦', '❌', '✗', '🚫', '✅'])
        .is_some_and(|rest| rest.starts_with([' ', '\t']))
        || (digits.len() < bare.len() && digits.starts_with([')', '.']) && digits[1..].starts_with(' '))
}

const MARKS: [(char, char); 11] = [
    ('“', '”'),
    ('「', '」'),
    ('『', '』'),
    ('«', '»'),
    ('„', '“'),
    ('„', '”'),
    ('„', '"'),
    ('‘', '’'),
    ('"', '"'),
    ('`', '`'),
    ('\'', '\''),
];

/// Where the quotation around a match opens, and where it has closed. Marks of a value in JSON or YAML quote nothing
/// that a sentence is about, so both sides are empty there.
fn quotation(text: &str, from: usize, start: usize, end: usize, to: usize) -> Option<(usize, usize)> {
    let (before, after) = (&text[from..start], &text[end..to]);
    MARKS.iter().find_map(|(open, close)| {
        let opened = if open == close {
            let count = before.matches(*open).count();
            (count % 2 == 1).then(|| before.rfind(*open)).flatten()
        } else {
            before.rfind(*open).filter(|at| !before[at + open.len_utf8()..].contains(*close))
        }?;
        // An apostrophe opens nothing inside a word.
        let inside_word = *open == '\'' && before[..opened].ends_with(char::is_alphanumeric);
        let closed = after.find(*close).filter(|_| !inside_word)?;
        Some((from + opened, end + closed + close.len_utf8()))
    })
}

/// Whether what stands before a quotation mark makes it open a value: a key, or another value of a list.
fn is_value(before: &str) -> bool {
    let before = before.trim_end();
    let key = before.strip_suffix(':').map(|key| key.trim_end_matches(['"', '\'']));
    let is_key = |key: &str| {
        let name = key.rsplit(['"', '\'', '{', ',', '\n']).next().unwrap_or_default().trim().trim_start_matches("- ");
        !name.is_empty() && !name.contains(char::is_whitespace)
    };
    key.is_some_and(|key| before.ends_with("\":") || is_key(key))
        || before.ends_with(['[', '{'])
        || before.ends_with("\",") && before.rsplit('\n').next().is_some_and(begins_value)
}

/// Whether a line is one of a list of values, not a sentence that quotes several things.
fn begins_value(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['"', '[', '{']) || line.contains(": [") || line.contains("= [")
}

/// Whether a line is a key of YAML or JSON with its value.
fn is_entry(line: &str) -> bool {
    let bare = line.trim_start().trim_start_matches("- ").trim_start_matches(['"', '{']);
    let name = bare.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    name.len() < bare.len() && name.trim_start_matches('"').starts_with(':')
}

/// Whether a span is inline code.
pub(super) fn is_inline_code(text: &str, start: usize, end: usize) -> bool {
    text[line_start(text, start)..start].matches('`').count() % 2 == 1 && rest_of_line(text, end).contains('`')
}

/// The inline code that a place is in.
pub(super) fn inline_code(text: &str, place: usize) -> Option<&str> {
    let place = text.floor_char_boundary(place);
    let before = &text[line_start(text, place)..place];
    // The first mark may be at the place itself.
    let opened = text[place..].starts_with('`') && before.matches('`').count().is_multiple_of(2);
    let rest = rest_of_line(text, place);
    if opened {
        return rest[1..].split('`').next();
    }
    let open = before.rfind('`').filter(|_| before.matches('`').count() % 2 == 1)?;
    let close = rest.find('`')?;
    Some(&text[place - (before.len() - open) + 1..place + close])
}

/// Where the line of a place begins, as far as it is read.
pub(super) fn line_start(text: &str, place: usize) -> usize {
    let floor = text.ceil_char_boundary(place.saturating_sub(LINE));
    text[floor..place].rfind('\n').map_or(floor, |at| floor + at + 1)
}

/// The line after a place, as far as it is read.
pub(super) fn rest_of_line(text: &str, place: usize) -> &str {
    let ceiling = text.floor_char_boundary((place + LINE).min(text.len()));
    text[place..ceiling].lines().next().unwrap_or_default()
}

/// The line of a place, as far as it is read.
pub(super) fn line_of(text: &str, place: usize) -> &str {
    let rest = rest_of_line(text, place);
    &text[line_start(text, place)..place + rest.len()]
}

/// The line directly before the block of a match. A blank line between the two is how Markdown is written.
fn introduction<'a>(text: &'a str, start: usize, end: usize, fences: &Fences) -> Option<Introduction<'a>> {
    let line = line_start(text, start);
    let quoted = |line: &str| line.trim_start().starts_with('>');
    let (above, is_list) = if let Some((fence, _)) = fences.around(Span::new(start, end)) {
        (&text[..fence], false)
    } else if quoted(&text[line..]) {
        (before_lines(&text[..line], quoted), false)
    } else {
        let in_list = |line: &str| is_item(line) || line.starts_with([' ', '\t']);
        let begins = line == 0 || text[..line].ends_with('\n');
        if !begins || !in_list(&text[line..]) {
            return None;
        }
        // An item one level up may introduce the items below it.
        let depth = indent(&text[line..]);
        let leads = |line: &str| indent(line) < depth && ends_in_colon(line);
        (before_lines(&text[..line], |line| in_list(line) && !leads(line)), true)
    };
    let end = above.trim_end();
    let line = end[line_start(end, end.len())..].trim();
    let gap = &above[above.trim_end().len()..];
    let is_heading = line.starts_with('#') || line.is_empty();
    (!is_heading && gap.matches('\n').count() <= 2).then_some(Introduction { line, is_list, is_quoted: false })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line announces what follows, under whatever emphasis.
pub(super) fn ends_in_colon(line: &str) -> bool {
    let end = line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    end.ends_with([':', '：']) || [": [", "= [", "([", "= {"].iter().any(|open| end.ends_with(open))
}

/// The text without the lines at its end that belong to a block.
fn before_lines(text: &str, belongs: impl Fn(&str) -> bool) -> &str {
    let mut rest = text;
    for _ in 0..LIST {
        let body = rest.strip_suffix('\n').unwrap_or(rest);
        let start = line_start(body, body.len());
        if rest.is_empty() || !belongs(&body[start..]) {
            break;
        }
        rest = &rest[..start];
    }
    rest
}
