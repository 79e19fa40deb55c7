use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value as Json;

use super::arrange::{self, related_fields};
use super::{Field, Item, Soul, Value};
use crate::persona::Trait;

/// What happened to an item that a conversion could not keep in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConversionLossKind"))]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// The text is now under another field.
    Moved(Field),
    /// The text, or part of it, is lost.
    Gone,
}

/// An item of the source soul that the converted soul does not have, or has under another field.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConversionLoss"))]
pub struct Loss {
    /// The item as it was in the source soul.
    pub item: Item,
    /// Whether it was moved or lost.
    pub fate: LossKind,
}

/// The items of `before` that are not among the items of `after`, computed from what both say.
///
/// Items are compared by their statements (lines without list marks, heading marks and emphasis),
/// so that a list entry and the same words as a bullet of a section count as the same.
///
/// Each statement of `after` accounts for one of `before`. One that is not in its own field can
/// only have moved to where a conversion puts it.
#[must_use]
pub fn losses(before: &Soul, after: &Soul) -> Vec<Loss> {
    let mut there: HashMap<(Field, String), usize> = HashMap::new();
    for item in &after.items {
        for statements_of in statements(item) {
            *there.entry((item.field, statements_of)).or_default() += 1;
        }
    }
    // What stays at home comes first, so that nothing else takes its place.
    let mut fates: Vec<Option<LossKind>> = vec![None; before.items.len()];
    let statements_of: Vec<Vec<String>> = before.items.iter().map(statements).collect();
    let away: Vec<usize> = (0..before.items.len())
        .filter(|index| !take(before.items[*index].field, &statements_of[*index], &mut there))
        .collect();
    for index in away {
        let field = before.items[index].field;
        let moved = related_fields(field).iter().copied().find(|field| take(*field, &statements_of[index], &mut there));
        // A passage may have been divided between its own field and another.
        let moved = moved.or_else(|| divided(field, &statements_of[index], &mut there));
        fates[index] = Some(moved.map_or(LossKind::Gone, LossKind::Moved));
    }
    let lost = before.items.iter().zip(fates).filter_map(|(item, fate)| Some((item, fate?)));
    lost.map(|(item, fate)| Loss { item: item.clone(), fate }).collect()
}

/// Takes the statements out of a field, if all of them are there.
fn take(field: Field, statements_of: &[String], there: &mut HashMap<(Field, String), usize>) -> bool {
    let mut wanted: HashMap<&str, usize> = HashMap::new();
    statements_of.iter().for_each(|text| *wanted.entry(text).or_default() += 1);
    let enough =
        |(text, count): (&&str, &usize)| there.get(&(field, (*text).to_owned())).is_some_and(|left| left >= count);
    let all = wanted.iter().all(enough);
    if all {
        for (text, count) in wanted {
            there.entry((field, text.to_owned())).and_modify(|left| *left -= count);
        }
    }
    all
}

/// Removes each statement from the field or a related one, if all are there; returns the last related field used.
fn divided(field: Field, statements_of: &[String], there: &mut HashMap<(Field, String), usize>) -> Option<Field> {
    let mut left = there.clone();
    let mut other = None;
    for text in statements_of {
        let homes = std::iter::once(field).chain(related_fields(field).iter().copied());
        let home = homes.into_iter().find(|home| take(*home, std::slice::from_ref(text), &mut left))?;
        if home != field {
            other = Some(home);
        }
    }
    *there = left;
    other
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
        Value::Entry { key, value } => vec![format!("{key}={value}")],
        Value::Empty => vec![String::new()],
    }
}

/// Whether a list is one of tags.
pub(crate) fn is_tags(list: &[Json]) -> bool {
    !list.is_empty() && list.iter().all(Json::is_string)
}

fn lines(text: &str) -> Vec<String> {
    let lines: Vec<String> =
        arrange::statements(text).map(|line| statement(&line)).filter(|line| !line.is_empty()).collect();
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
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn soul(items: &[(Field, &str)]) -> Soul {
        let items = items.iter().map(|(field, text)| Item::text(*field, *text, Span::default()));
        Soul { items: items.collect() }
    }

    #[test]
    fn a_list_and_its_bullets_say_the_same() {
        let list = soul(&[(Field::Limit, "Cite sources."), (Field::Limit, "Ask first.")]);
        let section = soul(&[(Field::Limit, "- Cite sources.\n- **Ask** first.")]);
        assert_eq!(losses(&list, &section), []);
        assert_eq!(losses(&section, &list), []);
    }

    #[test]
    fn one_statement_accounts_for_one() {
        let twice = soul(&[(Field::Limit, "Ask."), (Field::Limit, "Ask."), (Field::Principle, "Ask.")]);
        let fates: Vec<_> =
            losses(&twice, &soul(&[(Field::Limit, "Ask.")])).into_iter().map(|loss| loss.fate).collect();
        assert_eq!(fates, [LossKind::Gone, LossKind::Gone]);
    }

    #[test]
    fn losses_say_where_an_item_went() {
        let before = soul(&[(Field::Principle, "Be kind."), (Field::Tag, "ops"), (Field::Role, "Guide")]);
        let after = soul(&[(Field::Role, "Guide"), (Field::Limit, "- Be kind."), (Field::Tone, "ops")]);
        let fates: Vec<_> = losses(&before, &after).into_iter().map(|loss| (loss.item.field, loss.fate)).collect();
        assert_eq!(fates, [(Field::Principle, LossKind::Moved(Field::Limit)), (Field::Tag, LossKind::Gone)]);
    }
}
