use std::collections::HashSet;

use serde::Serialize;

use super::{Field, Item, Soul, Value};

/// What became of an item that is not where it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Its text stands under another field now.
    Moved(Field),
    /// Its text, or some of it, is nowhere.
    Gone,
}

/// An item of one soul that another does not have, or has elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    /// The item.
    pub item: Item,
    /// What became of it.
    pub fate: Fate,
}

/// The items of `before` that are not among the items of `after`, computed from what both say.
///
/// Items are compared by their statements (lines without list marks, heading marks and emphasis),
/// so that a list entry and the same words as a bullet of a section count as the same.
#[must_use]
pub fn losses(before: &Soul, after: &Soul) -> Vec<Loss> {
    let kept: HashSet<(Field, String)> = after
        .items
        .iter()
        .flat_map(|item| statements(&item.value).into_iter().map(|text| (item.field, text)))
        .collect();
    let has = |field: Field, said: &[String]| said.iter().all(|text| kept.contains(&(field, text.clone())));
    let lost = |item: &Item| {
        let said = statements(&item.value);
        if said.is_empty() || has(item.field, &said) {
            return None;
        }
        let elsewhere = Field::ALL.iter().copied().find(|field| has(*field, &said));
        Some(Loss { item: item.clone(), fate: elsewhere.map_or(Fate::Gone, Fate::Moved) })
    };
    before.items.iter().filter_map(lost).collect()
}

/// What a value says: a text line by line, without Markdown's dress; a named value as a whole.
fn statements(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) | Value::Passage(text) => {
            text.lines().map(statement).filter(|line| !line.is_empty()).collect()
        }
        Value::Entry { key, value } => vec![format!("{key}={value}")],
        Value::Empty => Vec::new(),
    }
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
    fn losses_say_where_an_item_went() {
        let before = soul(&[(Field::Principle, "Be kind."), (Field::Tag, "ops"), (Field::Role, "Guide")]);
        let after = soul(&[(Field::Role, "Guide"), (Field::Limit, "- Be kind.")]);
        let fates: Vec<_> = losses(&before, &after).into_iter().map(|loss| (loss.item.field, loss.fate)).collect();
        assert_eq!(fates, [(Field::Principle, Fate::Moved(Field::Limit)), (Field::Tag, Fate::Gone)]);
    }
}
