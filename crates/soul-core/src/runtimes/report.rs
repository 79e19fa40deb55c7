//! Whether every section and every limit of a soul's files reaches the model.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Delivery, Loss, Runtime, State};
use crate::formats::{Context, parse};
use crate::markup::markdown;
use crate::model::{Dialect, Field, Item, sections};
use crate::text::{LineIndex, Source};

/// A file that was written for the agent, prepared for any number of reports.
#[derive(Debug, Clone)]
pub struct Authored {
    /// The absolute path at which the runtime finds it.
    pub path: String,
    /// The path as users know it.
    pub shown: String,
    /// How many bytes a runtime's own frontmatter puts before the text.
    pub offset: usize,
    source: Source,
    text: String,
    sections: Vec<Part>,
    limits: Vec<Item>,
}

#[derive(Debug, Clone)]
struct Part {
    heading: Option<String>,
    field: Option<Field>,
    range: Range<usize>,
}

/// Whether a field says what an agent must and must not do.
const fn is_hard(field: Field) -> bool {
    matches!(field, Field::Limit | Field::MustAlways | Field::MustNever)
}

impl Authored {
    /// A file of its own: its headings say what its text is about.
    #[must_use]
    pub fn new(path: impl Into<String>, shown: impl Into<String>, bytes: &[u8]) -> Self {
        let shown = shown.into();
        let source = Source::new(bytes.to_vec());
        let text = String::from_utf8_lossy(bytes).into_owned();
        let name = super::files::base_name(&shown).to_owned();
        let items = match (name.as_str(), source.text()) {
            (_, None) => Vec::new(),
            ("RULES.md", Some(text)) => sections::items_of(text, 0, Field::Limit),
            _ => parse(source, Dialect::Plain, &Context::default()).document.soul().items,
        };
        Self::with_items(path.into(), shown, text, &items)
    }

    /// A soul that was parsed already, with its items.
    #[must_use]
    pub fn soul(path: impl Into<String>, shown: impl Into<String>, bytes: &[u8], items: &[Item]) -> Self {
        let own: Vec<Item> = items.iter().filter(|item| item.file.is_none()).cloned().collect();
        Self::with_items(path.into(), shown.into(), String::from_utf8_lossy(bytes).into_owned(), &own)
    }

    /// The same file at another place, after some text of the runtime's.
    #[must_use]
    pub fn placed(&self, path: String, offset: usize) -> Self {
        Self { path, offset, ..self.clone() }
    }

    fn with_items(path: String, shown: String, text: String, items: &[Item]) -> Self {
        let usual = field_of_file(&shown);
        let mut parts = parts(&text);
        for part in &mut parts {
            let within = items.iter().filter(|item| item.file.is_none() && item.span.end > item.span.start);
            let mut within = within.filter(|item| part.range.contains(&item.span.start));
            let plain = |field: Field| matches!(field, Field::Name | Field::Body | Field::Section | Field::Preamble);
            let first = within.clone().find(|item| !plain(item.field)).or_else(|| within.next());
            part.field = first.map(|item| item.field).filter(|_| usual.is_none()).or(usual);
        }
        let limits =
            items.iter().filter(|item| is_hard(item.field) && item.span.end > item.span.start).cloned().collect();
        Self { path, shown, offset: 0, source: Source::from(text.as_str()), text, sections: parts, limits }
    }
}

/// What a companion file is about as a whole.
fn field_of_file(path: &str) -> Option<Field> {
    let known = crate::formats::plain::COMPANIONS.iter().find(|(name, ..)| *name == path);
    known.map(|(_, _, field)| *field).filter(|field| *field != Field::Procedure)
}

/// Frontmatter, the text before the first heading, and each heading with the text under it.
fn parts(text: &str) -> Vec<Part> {
    let start = frontmatter_end(text);
    let mut parts = Vec::new();
    let mut add = |heading: Option<String>, range: Range<usize>| {
        if !text[range.clone()].trim().is_empty() {
            parts.push(Part { heading, field: None, range });
        }
    };
    add(Some("frontmatter".to_owned()), 0..start);
    let headings: Vec<_> = markdown::outline(&text[start..]).into_iter().filter(|heading| !heading.nested).collect();
    let starts: Vec<usize> = headings.iter().map(|heading| start + heading.range.start).collect();
    add(None, start..starts.first().copied().unwrap_or(text.len()));
    for (index, heading) in headings.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        add(Some(heading.title.trim().to_owned()), starts[index]..end);
    }
    parts
}

/// Where the frontmatter of a text ends; zero if it has none.
pub(crate) fn frontmatter_end(text: &str) -> usize {
    let bare = text.strip_prefix(crate::text::BOM).unwrap_or(text);
    let mut lines = bare.split_inclusive('\n');
    let mut at = text.len() - bare.len();
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return 0 };
    at += first.len();
    for line in lines {
        at += line.len();
        if line.trim_end() == "---" {
            return at;
        }
    }
    0
}

/// A section, and whether it is delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DeliveredSection"))]
pub struct Section {
    /// The file.
    pub file: String,
    /// The heading; absent for text before the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// What it is about, if the soul's model knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Field>,
    /// `delivered`, `cut`, `dropped` or `blocked`.
    pub state: State,
    /// The lines of the section; of a section that is cut, those that are missing. First and last of each run.
    pub lines: Vec<[usize; 2]>,
    /// Why it is not delivered as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rule of the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Cow<'static, str>>,
}

/// A limit that the model is not given as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostLimit {
    /// The file.
    pub file: String,
    /// Its first line.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// `limit`, `must_always` or `must_never`.
    pub field: Field,
    /// `cut`, `dropped` or `blocked`.
    pub state: State,
    /// Why it is not delivered.
    pub reason: String,
    /// The rule of the runtime.
    pub rule: Cow<'static, str>,
}

/// The rule for files that a runtime knows nothing of.
pub const NOT_READ: &str = "not-read";

/// The state of every section of authored files, and the limits that are lost.
#[must_use]
pub fn report<'a>(
    runtime: &Runtime,
    delivery: &Delivery,
    authored: impl IntoIterator<Item = &'a Authored>,
) -> (Vec<Section>, Vec<LostLimit>) {
    let mut sections = Vec::new();
    let mut lost = Vec::new();
    for file in authored {
        let reader = Reader::new(runtime, delivery, file);
        sections.extend(file.sections.iter().map(|part| reader.section(part)));
        lost.extend(file.limits.iter().filter_map(|item| reader.limit(item)));
    }
    (sections, lost)
}

struct Reader<'a> {
    runtime: &'a Runtime,
    file: &'a Authored,
    lines: LineIndex<'a>,
    /// What is delivered, in order.
    delivered: Vec<Range<usize>>,
    losses: Vec<&'a Loss>,
}

impl<'a> Reader<'a> {
    fn new(runtime: &'a Runtime, delivery: &'a Delivery, file: &'a Authored) -> Self {
        let number = delivery.sources.iter().position(|path| *path == file.path);
        let mut delivered = number.map(|number| delivery.text.ranges_of(number)).unwrap_or_default();
        delivered.extend(delivery.also.iter().filter(|(of, _)| Some(*of) == number).map(|(_, range)| range.clone()));
        delivered.sort_by_key(|range| range.start);
        for range in &mut delivered {
            *range = range.start.saturating_sub(file.offset)..range.end.saturating_sub(file.offset);
        }
        let losses = delivery.losses.iter().filter(|loss| Some(loss.file) == number).collect();
        Self { runtime, file, lines: LineIndex::new(&file.source), delivered, losses }
    }

    /// The bytes of a range that are not delivered, white space aside.
    fn missing(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut missing = Vec::new();
        let mut at = range.start;
        let mut add = |range: Range<usize>| {
            if let Some(text) = self.file.text.get(range.clone()).filter(|text| !text.trim().is_empty()) {
                let start = range.start + (text.len() - text.trim_start().len());
                missing.push(start..start + text.trim().len());
            }
        };
        for covered in self.delivered.iter().filter(|covered| covered.start < range.end && covered.end > range.start) {
            if covered.start > at {
                add(at..covered.start);
            }
            at = at.max(covered.end);
        }
        if at < range.end {
            add(at..range.end);
        }
        missing
    }

    fn lines_of(&self, ranges: &[Range<usize>]) -> Vec<[usize; 2]> {
        let line = |at: usize| self.lines.position(at).line;
        let mut lines: Vec<[usize; 2]> = Vec::new();
        for range in ranges {
            let (first, last) = (line(range.start), line(range.end.saturating_sub(1).max(range.start)));
            match lines.last_mut() {
                Some(before) if before[1] + 1 >= first => before[1] = before[1].max(last),
                _ => lines.push([first, last]),
            }
        }
        lines
    }

    /// State, rule and reason for bytes that are missing.
    fn why(&self, missing: &Range<usize>) -> (State, &'static str, String) {
        let placed = missing.start + self.file.offset..missing.end + self.file.offset;
        let explains = |loss: &&&Loss| {
            loss.range.as_ref().is_some_and(|range| range.start < placed.end && range.end > placed.start)
        };
        let ranged = self.losses.iter().find(explains);
        let loss = ranged.or_else(|| self.losses.iter().find(|loss| loss.range.is_none()));
        match loss {
            Some(loss) => (loss.state, loss.rule, loss.reason.clone()),
            None => {
                let reason = format!("{} does not read {}", self.runtime.name, self.file.shown);
                (State::Dropped, NOT_READ, reason)
            }
        }
    }

    fn section(&self, part: &Part) -> Section {
        let missing = self.missing(&part.range);
        let text = &self.file.text[part.range.clone()];
        let start = part.range.start + (text.len() - text.trim_start().len());
        let whole = start..start + text.trim().len();
        let mut section = Section {
            file: self.file.shown.clone(),
            heading: part.heading.clone(),
            field: part.field,
            state: State::Delivered,
            lines: self.lines_of(std::slice::from_ref(&whole)),
            reason: None,
            rule: None,
        };
        if let Some(first) = missing.first() {
            let (state, rule, reason) = self.why(first);
            let all = missing.len() == 1 && *first == whole;
            // What is left of a section is cut, whatever took the rest; a section that is gone was dropped.
            section.state = match (state, all) {
                (State::Cut, true) => State::Dropped,
                (State::Dropped, false) => State::Cut,
                (state, _) => state,
            };
            if !all {
                section.lines = self.lines_of(&missing);
            }
            section.reason = Some(reason);
            section.rule = Some(rule.into());
        }
        section
    }

    fn limit(&self, item: &Item) -> Option<LostLimit> {
        let range = item.span.start..item.span.end;
        let missing = self.missing(&range);
        let first = missing.first()?;
        let (state, rule, reason) = self.why(first);
        let text =
            self.file.text.get(range.clone()).map_or_else(|| item.value.plain_text(), |text| text.trim().to_owned());
        Some(LostLimit {
            file: self.file.shown.clone(),
            line: self.lines.position(range.start).line,
            text,
            field: item.field,
            state,
            reason,
            rule: rule.into(),
        })
    }
}
