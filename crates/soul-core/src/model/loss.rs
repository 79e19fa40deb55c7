use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::arrange::{self, related_fields};
use super::negation::under_never;
use super::{Field, Item, Soul, Value};
use crate::persona::Trait;

/// What happened to an item, or to a file, in a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConversionFate", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It says the same in the same place.
    Kept,
    /// It says the same in another place.
    Moved,
    /// It is still there, but its text was altered.
    Changed,
    /// It, or part of it, is missing.
    Lost,
}

impl Fate {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Lost => "lost",
        }
    }
}

/// An item of the source soul, and what happened to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConversionItemFate"))]
pub struct ItemFate {
    /// The item as it was in the source soul.
    pub item: Item,
    /// What happened to it.
    pub fate: Fate,
    /// The field that it is under now; absent if it is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Field>,
}

/// The bodies of both sides as they are written, for what cannot be seen from items.
#[derive(Debug, Clone, Copy, Default)]
pub struct Body<'a> {
    /// The body of the source.
    pub before: &'a str,
    /// Everything that was emitted and is read as prose.
    pub after: &'a str,
}

impl<'a> Body<'a> {
    /// Whether the body was carried over as it is.
    fn is_whole(&self) -> bool {
        !self.before.trim().is_empty() && self.after.contains(self.before.trim())
    }

    /// The titles of both bodies whose headings have other marks: another level, or bold type.
    fn other_marks(&self) -> HashSet<&'a str> {
        let by_title = |text: &'a str| {
            let mut lines: HashMap<&str, HashSet<&str>> = HashMap::new();
            for line in text.lines().map(str::trim).filter(|line| line.starts_with(['#', '*'])) {
                lines.entry(title(line)).or_default().insert(line);
            }
            lines
        };
        let (before, after) = (by_title(self.before), by_title(self.after));
        let differs = |title: &&str| after.get(*title).is_some_and(|after| before[*title].is_disjoint(after));
        before.keys().copied().filter(differs).collect()
    }
}

/// A heading without its marks.
fn title(line: &str) -> &str {
    line.trim_matches(['#', ' ', '*', ':', '：'])
}

/// What happened to each item of `before` in `after`, computed from what both say: one entry for each item, in order.
///
/// Items are compared by their statements (lines without list marks, heading marks and emphasis),
/// so that a list entry and the same words as a bullet of a section count as the same.
///
/// Each statement of `after` accounts for one of `before`. One that is not in its own field can
/// only have moved to where a conversion puts it. What stands in a body may stand anywhere in the other body.
#[must_use]
pub fn fates(before: &Soul, after: &Soul, body: Body<'_>) -> Vec<ItemFate> {
    let is_whole = body.is_whole();
    let mut there = Statements::of(after);
    let as_written: HashSet<String> = after.items.iter().flat_map(written_lines).collect();
    let statements_of: Vec<Vec<String>> = before.items.iter().map(statements).collect();
    // What stays at home comes first, so that nothing else takes its place.
    let mut to: Vec<Option<Field>> = before
        .items
        .iter()
        .zip(&statements_of)
        .map(|(item, statements)| {
            let carried = is_whole && item.stands_in_body();
            (carried || there.take(&at_home(item), statements)).then_some(item.field)
        })
        .collect();
    for (index, item) in before.items.iter().enumerate().filter(|(index, _)| to[*index].is_none()).collect::<Vec<_>>() {
        let statements = &statements_of[index];
        let moved = related(item).find(|field| there.take(&in_field(*field), statements));
        // A passage may have been divided between its own field and others.
        to[index] = moved.or_else(|| there.take_divided(item, statements)).or_else(|| named_in(item, after));
        // A name that the text of the source spells out stays where it was.
        if named_in(item, before) == Some(Field::Body) {
            to[index] = to[index].map(|_| Field::Name);
        }
    }
    let other_marks = body.other_marks();
    let fate = |item: &Item, to: Option<Field>| match to {
        None => Fate::Lost,
        Some(_) if is_whole && item.stands_in_body() => Fate::Kept,
        Some(_) if item.heading.as_deref().is_some_and(|heading| other_marks.contains(title(heading))) => Fate::Changed,
        Some(field) if item.field == Field::Name => {
            if field == Field::Name {
                Fate::Kept
            } else {
                Fate::Moved
            }
        }
        Some(_) if !written_lines(item).iter().all(|line| as_written.contains(line)) => Fate::Changed,
        Some(field) if field == item.field => Fate::Kept,
        Some(_) => Fate::Moved,
    };
    let judged = before.items.iter().zip(to);
    judged.map(|(item, to)| ItemFate { item: item.clone(), fate: fate(item, to), to }).collect()
}

/// The items of `before` that `after` does not have in the same place with the same text.
#[must_use]
pub fn losses(before: &Soul, after: &Soul) -> Vec<ItemFate> {
    let mut fates = fates(before, after, Body::default());
    fates.retain(|fate| fate.fate != Fate::Kept);
    fates
}

/// A name that a heading or a role spells out is not lost: many can read it there.
fn named_in(item: &Item, soul: &Soul) -> Option<Field> {
    let name = item.value.as_text().filter(|_| item.field == Field::Name).map(str::trim)?;
    arrange::spelled_out(name, &soul.items)
}

/// Where a statement of the converted soul stands.
#[derive(Debug, Clone, Copy)]
struct Standing {
    field: Field,
    in_body: bool,
}

/// The homes that an item need not leave: its own field, and for text of a body any part of the other body.
fn at_home(item: &Item) -> impl Fn(Standing) -> bool {
    let (field, in_body) = (item.field, item.stands_in_body());
    move |standing| standing.field == field || (in_body && standing.in_body)
}

fn in_field(field: Field) -> impl Fn(Standing) -> bool {
    move |standing| standing.field == field || (field == Field::Body && standing.in_body)
}

/// Where else a conversion puts an item; what stands in a body stays prose.
fn related(item: &Item) -> impl Iterator<Item = Field> {
    const PROSE: [Field; 7] =
        [Field::Body, Field::Role, Field::Tone, Field::Limit, Field::Tool, Field::OutputFormat, Field::Handoff];
    let prose: &[Field] = if item.stands_in_body() { &PROSE } else { &[] };
    related_fields(item.field).iter().chain(prose).copied()
}

/// The statements of a soul that are not accounted for yet.
#[derive(Clone)]
struct Statements(HashMap<String, Vec<Standing>>);

impl Statements {
    fn of(soul: &Soul) -> Self {
        let mut there: HashMap<String, Vec<Standing>> = HashMap::new();
        for item in &soul.items {
            let standing = Standing { field: item.field, in_body: item.stands_in_body() };
            // A heading that gives a field here may be text there.
            let heading = item.heading.iter().map(|heading| statement(heading));
            for statement in statements(item).into_iter().chain(heading) {
                there.entry(statement).or_default().push(standing);
            }
        }
        Self(there)
    }

    /// Takes the statements out, if all of them stand at such a place.
    fn take(&mut self, home: &dyn Fn(Standing) -> bool, statements: &[String]) -> bool {
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        statements.iter().for_each(|text| *wanted.entry(text).or_default() += 1);
        let count = |text: &str| self.0.get(text).map_or(0, |there| there.iter().filter(|at| home(**at)).count());
        if !wanted.iter().all(|(text, wanted)| count(text) >= *wanted) {
            return false;
        }
        for text in statements {
            let there = self.0.entry(text.clone()).or_default();
            if let Some(at) = there.iter().position(|at| home(*at)) {
                there.swap_remove(at);
            }
        }
        true
    }

    /// Takes each statement out of the item's own field or a related one, if all are there; returns the last related
    /// field used.
    fn take_divided(&mut self, item: &Item, statements: &[String]) -> Option<Field> {
        if !statements.iter().all(|text| self.0.contains_key(text)) {
            return None;
        }
        let mut left = self.clone();
        let mut other = None;
        for text in statements.iter().map(std::slice::from_ref) {
            if !left.take(&at_home(item), text) {
                other = Some(related(item).find(|field| left.take(&in_field(*field), text))?);
            }
        }
        *self = left;
        other
    }
}

/// What an item says: a text line by line, without Markdown's dress; a named value as a whole.
pub(super) fn statements(item: &Item) -> Vec<String> {
    match &item.value {
        Value::Text(text) | Value::Passage(text) | Value::One(text) => lines(text),
        // A version or tags that a dialect keeps unread say what they say where they are read.
        Value::Entry { key, value: Json::String(text) } if item.field == Field::Extra && key == "version" => {
            lines(text)
        }
        Value::Entry { key, value: Json::Array(tags) }
            if item.field == Field::Extra && key == "tags" && is_tags(tags) =>
        {
            tags.iter().filter_map(Json::as_str).flat_map(lines).collect()
        }
        // One trait has several spellings.
        Value::Entry { key, value } if item.field == Field::Trait => {
            vec![format!("{}={value}", Trait::from_key(key).map_or(key.as_str(), |of| of.as_str()))]
        }
        // A section is its heading and what stands below.
        Value::Entry { key, value: Json::String(text) } if item.field == Field::Section => {
            let lines = std::iter::once(statement(key)).chain(text_lines(text).map(|line| statement(&line)));
            lines.filter(|line| !line.is_empty()).collect()
        }
        Value::Entry { key, value } => vec![format!("{key}={value}")],
        Value::Empty => vec![String::new()],
    }
}

/// The lines of an item with their Markdown, but without list marks and layout: what must be found again if its text
/// is to count as unchanged. Named values are compared as a whole.
fn written_lines(item: &Item) -> Vec<String> {
    let line = |line: String| {
        let line = arrange::bare(&line).split_whitespace().collect::<Vec<_>>().join(" ");
        under_never(&line).to_owned()
    };
    match &item.value {
        Value::Text(text) | Value::Passage(text) | Value::One(text) => text_lines(text).map(line).collect(),
        Value::Entry { value: Json::String(text), .. } if item.field == Field::Section => {
            text_lines(text).map(line).collect()
        }
        Value::Entry { .. } => statements(item),
        Value::Empty => Vec::new(),
    }
}

/// Whether a list is one of tags.
pub(crate) fn is_tags(list: &[Json]) -> bool {
    !list.is_empty() && list.iter().all(Json::is_string)
}

fn lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text_lines(text).map(|line| statement(&line)).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { vec![text.trim().to_owned()] } else { lines }
}

fn statement(line: &str) -> String {
    let line = line.trim();
    let line = line.trim_start_matches('#').trim_start();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = match numbered.strip_prefix(". ") {
        Some(rest) if numbered.len() < line.len() => rest,
        _ => line.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(line),
    };
    let plain: String = line.chars().filter(|c| !matches!(c, '*' | '_' | '\\')).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // Whether a rule says itself what its heading says depends on where it stands.
    under_never(&plain).to_owned()
}

/// The lines of a text that say something.
fn text_lines(text: &str) -> impl Iterator<Item = String> {
    arrange::statements(text).filter(|line| !is_rule(line))
}

/// Whether a line only divides the text.
fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ['-', '*', '_'].iter().any(|mark| line.trim_matches(*mark).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn soul(items: &[(Field, &str)]) -> Soul {
        let items = items.iter().map(|(field, text)| Item::text(*field, *text, Span::default()));
        Soul { items: items.collect() }
    }

    fn judged(before: &Soul, after: &Soul) -> Vec<(Field, Fate, Option<Field>)> {
        losses(before, after).into_iter().map(|loss| (loss.item.field, loss.fate, loss.to)).collect()
    }

    #[test]
    fn a_list_and_its_bullets_say_the_same() {
        let list = soul(&[(Field::Limit, "Cite sources."), (Field::Limit, "**Ask** first.")]);
        let section = soul(&[(Field::Limit, "- Cite sources.\n- **Ask** first.")]);
        assert_eq!(losses(&list, &section), []);
        assert_eq!(losses(&section, &list), []);
    }

    #[test]
    fn one_statement_accounts_for_one() {
        let twice = soul(&[(Field::Limit, "Ask."), (Field::Limit, "Ask."), (Field::Principle, "Ask.")]);
        let fates = judged(&twice, &soul(&[(Field::Limit, "Ask.")]));
        assert_eq!(fates, [(Field::Limit, Fate::Lost, None), (Field::Principle, Fate::Lost, None)]);
    }

    #[test]
    fn losses_say_where_an_item_went() {
        let before = soul(&[(Field::Principle, "Be kind."), (Field::Tag, "ops"), (Field::Role, "Guide")]);
        let after = soul(&[(Field::Role, "Guide"), (Field::Limit, "- Be kind."), (Field::Tone, "ops")]);
        let moved = (Field::Principle, Fate::Moved, Some(Field::Limit));
        assert_eq!(judged(&before, &after), [moved, (Field::Tag, Fate::Lost, None)]);
    }

    #[test]
    fn other_marks_are_a_change() {
        let before = soul(&[(Field::Body, "## Memory\nMuch."), (Field::Limit, "Never *lie*.")]);
        let after = soul(&[(Field::Body, "**Memory**\nMuch.\n\nNever lie.")]);
        let moved = (Field::Limit, Fate::Changed, Some(Field::Body));
        assert_eq!(judged(&before, &after), [(Field::Body, Fate::Changed, Some(Field::Body)), moved]);
    }

    #[test]
    fn a_part_of_a_body_may_stand_anywhere_in_the_other_body() {
        let mut limit = Item::text(Field::Limit, "Never lie.", Span::default());
        limit.heading = Some("Red lines".into());
        let section = Item::entry(Field::Section, "Cats", "Many.", Span::default());
        let divided = Soul { items: vec![limit, section] };
        let whole = soul(&[(Field::Body, "## Red lines\n- Never lie.\n\n## Cats\nMany.")]);
        assert_eq!(losses(&divided, &whole), []);
        assert_eq!(losses(&divided, &soul(&[(Field::Body, "Cats\nNever lie.")])).len(), 1);
    }

    #[test]
    fn a_name_in_a_heading_is_not_lost() {
        let name = soul(&[(Field::Name, "Ada")]);
        let heading = soul(&[(Field::Body, "Hi.\n\n# SOUL.md - Ada\n")]);
        assert_eq!(judged(&name, &heading), [(Field::Name, Fate::Moved, Some(Field::Body))]);
        assert_eq!(judged(&name, &soul(&[(Field::Body, "Adaptive.")])), [(Field::Name, Fate::Lost, None)]);
    }
}
