use serde::Serialize;

use super::{Fate, Field, Soul, Value, losses};

/// What happened to one thing that a soul says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// It is no longer said.
    Removed,
    /// It is said in other words, or has another value.
    Changed,
    /// It is said for the first time.
    Added,
    /// It is said under another field.
    Moved,
}

/// One difference in meaning between two souls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// What happened.
    pub change: Happened,
    /// What it is about.
    pub field: Field,
    /// What was said before.
    pub before: Option<Value>,
    /// What is said now.
    pub after: Option<Value>,
}

/// The fields that bound an agent. Losing one of these matters more than anything else.
const LIMITS: [Field; 4] = [Field::MustNever, Field::Limit, Field::MustAlways, Field::Escalation];

/// What differs between two souls, by meaning: the order of items, their layout and the dialect do
/// not count. Limits come first, and of those the removed ones.
#[must_use]
pub fn changes(before: &Soul, after: &Soul) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut gone = Vec::new();
    let mut arrived = Vec::new();
    for loss in losses(before, after) {
        match loss.fate {
            Fate::Gone => gone.push(loss.item),
            Fate::Moved(to) => {
                let value = loss.item.value;
                let (before, after) = (Some(value.clone()), Some(value));
                changes.push((Happened::Moved, loss.item.field, before, after, Some(to)));
            }
        }
    }
    for loss in losses(after, before) {
        // What moved was told from the other side.
        if loss.fate == Fate::Gone {
            arrived.push(Some(loss.item));
        }
    }
    for item in gone {
        let only = before.of(item.field).count() == 1 && after.of(item.field).count() == 1;
        let successor = arrived.iter_mut().find(|other| {
            other
                .as_ref()
                .is_some_and(|other| other.field == item.field && (only || succeeds(&item.value, &other.value)))
        });
        match successor.and_then(Option::take) {
            Some(other) => changes.push((Happened::Changed, item.field, Some(item.value), Some(other.value), None)),
            None => changes.push((Happened::Removed, item.field, Some(item.value), None, None)),
        }
    }
    changes
        .extend(arrived.into_iter().flatten().map(|item| (Happened::Added, item.field, None, Some(item.value), None)));
    let mut changes: Vec<Change> = changes
        .into_iter()
        .map(|(change, field, before, after, to)| Change { change, field: to.unwrap_or(field), before, after })
        .collect();
    changes.sort_by_key(|change| (!LIMITS.contains(&change.field), change.change));
    changes
}

/// Whether one of several values is another in new words: it shares most of them.
fn succeeds(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Entry { key: before, .. }, Value::Entry { key: after, .. }) => before == after,
        (Value::Text(before), Value::Text(after)) => alike(before, after),
        (Value::Entry { .. }, _) | (_, Value::Entry { .. }) => false,
        _ => true,
    }
}

fn alike(before: &str, after: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let (before, mut after) = (words(before), words(after));
    let most = before.len().max(after.len());
    let shared = before
        .iter()
        .filter(|word| after.iter().position(|other| other == *word).map(|at| after.swap_remove(at)).is_some());
    shared.count() * 2 >= most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Context, parse};
    use crate::model::Dialect;
    use crate::text::Source;

    fn soul(text: &str) -> Soul {
        parse(Source::from(text), Dialect::Agh, &Context::default()).document.soul()
    }

    fn told(before: &str, after: &str) -> Vec<String> {
        let said = |value: &Option<Value>| value.as_ref().map(Value::said).unwrap_or_default();
        changes(&soul(before), &soul(after))
            .iter()
            .map(|change| {
                format!("{:?} {} {} > {}", change.change, change.field, said(&change.before), said(&change.after))
            })
            .collect()
    }

    #[test]
    fn a_removed_limit_is_said_first() {
        let before = "---\nrole: Guide\ntone: [calm]\nconstraints: [Never push to main., Ask first.]\n---\nBody.\n";
        let after = "---\nrole: Guide and scout\ntone: [calm, dry]\nconstraints: [Ask first.]\n---\nBody.\n";
        let expected =
            ["Removed limit Never push to main. > ", "Changed role Guide > Guide and scout", "Added tone  > dry"];
        assert_eq!(told(before, after), expected);
    }

    #[test]
    fn other_words_are_a_change_and_another_thing_is_not() {
        let before = "---\nprinciples: [Cite the file you mean., Be brief.]\n---\n";
        let after = "---\nprinciples: [Cite the symbol you mean., Sing.]\n---\n";
        let expected = [
            "Removed principle Be brief. > ",
            "Changed principle Cite the file you mean. > Cite the symbol you mean.",
            "Added principle  > Sing.",
        ];
        assert_eq!(told(before, after), expected);
    }

    #[test]
    fn order_and_layout_are_not_meaning() {
        assert!(told("---\ntone: [a, b]\n---\nX\n", "---\ntone:\n- b\n- a\n---\nX\n\n").is_empty());
    }
}
