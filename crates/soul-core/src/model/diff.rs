use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::loss::statements;
use super::{Field, Item, Soul, Value};

/// How a statement differs between two souls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulChangeKind", transform = crate::schema::spellings))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Only the first soul has it.
    Removed,
    /// It was reworded or has another value.
    Changed,
    /// Only the second soul has it.
    Added,
    /// It is under another field.
    Moved,
}

/// A semantic difference between two souls: one statement that was added, removed, changed or moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulChange"))]
pub struct Change {
    /// What happened to the statement.
    pub change: ChangeKind,
    /// The field of the statement; after a move, the new field.
    pub field: Field,
    /// The value in the first soul; null if added.
    pub before: Option<Value>,
    /// The value in the second soul; null if removed.
    pub after: Option<Value>,
}

impl Change {
    /// Whether it loosens the soul: what bounds the agent was removed or changed, or a tool was added.
    #[must_use]
    pub fn loosens(&self) -> bool {
        match self.change {
            ChangeKind::Removed | ChangeKind::Changed => LIMITS.contains(&self.field),
            ChangeKind::Added => self.field == Field::Tool,
            ChangeKind::Moved => false,
        }
    }
}

/// The fields that bound an agent. Losing one of these matters more than anything else.
const LIMITS: [Field; 4] = [Field::MustNever, Field::Limit, Field::MustAlways, Field::Escalation];

/// More pairs than this are not looked through for one that only changed its words.
const MAX_PAIRS: usize = 20_000;

/// One statement of a soul: an item, or a line of a passage.
struct Atom {
    field: Field,
    /// What it says without marks and layout, by which it is compared.
    statement: String,
    value: Value,
    /// Whether it is an item, and not a line of one.
    whole: bool,
    words: OnceCell<Vec<String>>,
}

impl Atom {
    const fn new(field: Field, statement: String, value: Value, whole: bool) -> Self {
        Self { field, statement, value, whole, words: OnceCell::new() }
    }

    /// The words of its statement, sorted.
    fn words(&self) -> &[String] {
        self.words.get_or_init(|| {
            let mut words: Vec<_> = self.statement.split_whitespace().map(str::to_lowercase).collect();
            words.sort_unstable();
            words
        })
    }
}

/// The semantic differences between two souls. The order of items, their layout and the dialect do not matter;
/// passages are compared statement by statement. Changed limits come first, and removed ones before others.
#[must_use]
pub fn changes(before: &Soul, after: &Soul) -> Vec<Change> {
    let (mut gone, mut arrived) = difference(atoms(before), atoms(after));
    let mut changes = Vec::new();
    pair(
        &mut gone,
        &mut arrived,
        |gone, arrived| gone.statement == arrived.statement,
        |gone, arrived| {
            changes.push(Change {
                change: ChangeKind::Moved,
                field: arrived.field,
                before: Some(gone.value),
                after: Some(arrived.value),
            });
        },
    );
    let only = |field| before.items_of(field).count() == 1 && after.items_of(field).count() == 1;
    let succeeds = |gone: &Atom, arrived: &Atom| {
        gone.field == arrived.field && (gone.whole && arrived.whole && only(gone.field) || alike(gone, arrived))
    };
    pair(&mut gone, &mut arrived, succeeds, |gone, arrived| {
        changes.push(Change {
            change: ChangeKind::Changed,
            field: gone.field,
            before: Some(gone.value),
            after: Some(arrived.value),
        });
    });
    let removed = gone.into_iter().map(|atom| (ChangeKind::Removed, atom.field, Some(atom.value), None));
    let added = arrived.into_iter().map(|atom| (ChangeKind::Added, atom.field, None, Some(atom.value)));
    changes.extend(removed.chain(added).map(|(change, field, before, after)| Change { change, field, before, after }));
    changes.sort_by_key(|change| (!LIMITS.contains(&change.field), change.change));
    changes
}

fn atoms(soul: &Soul) -> Vec<Atom> {
    let atoms_of = |item: &Item| {
        let (field, statement) = (item.field, statements(item));
        match &item.value {
            Value::Passage(_) => statement
                .into_iter()
                .map(|statement| Atom::new(field, statement.clone(), Value::Text(statement), false))
                .collect(),
            value => vec![Atom::new(field, statement.join(" "), value.clone(), true)],
        }
    };
    soul.items.iter().flat_map(atoms_of).collect()
}

/// What each of two has that the other has not, with repetitions counted.
fn difference(before: Vec<Atom>, after: Vec<Atom>) -> (Vec<Atom>, Vec<Atom>) {
    let mut counts: HashMap<(Field, String), usize> = HashMap::new();
    for atom in &after {
        *counts.entry((atom.field, atom.statement.clone())).or_default() += 1;
    }
    let mut kept: HashMap<(Field, String), usize> = HashMap::new();
    let is_kept = |atom: &Atom, counts: &mut HashMap<(Field, String), usize>| {
        let left = counts.get_mut(&(atom.field, atom.statement.clone())).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    };
    let mut gone = Vec::new();
    for atom in before {
        if is_kept(&atom, &mut counts) {
            *kept.entry((atom.field, atom.statement)).or_default() += 1;
        } else {
            gone.push(atom);
        }
    }
    let arrived = after.into_iter().filter(|atom| !is_kept(atom, &mut kept)).collect();
    (gone, arrived)
}

/// Takes each pair that belongs together out of the two.
fn pair(
    gone: &mut Vec<Atom>,
    arrived: &mut Vec<Atom>,
    belongs: impl Fn(&Atom, &Atom) -> bool,
    mut found: impl FnMut(Atom, Atom),
) {
    if gone.len() * arrived.len() > MAX_PAIRS {
        return;
    }
    let mut rest = Vec::new();
    for atom in gone.drain(..) {
        match arrived.iter().position(|other| belongs(&atom, other)) {
            Some(at) => found(atom, arrived.remove(at)),
            None => rest.push(atom),
        }
    }
    *gone = rest;
}

/// Whether one of several values is another in new words: it shares most of them.
fn alike(gone: &Atom, arrived: &Atom) -> bool {
    match (&gone.value, &arrived.value) {
        (Value::Entry { key: before, .. }, Value::Entry { key: after, .. }) => before == after,
        (Value::Entry { .. }, _) | (_, Value::Entry { .. }) => false,
        _ => {
            let (before, after) = (gone.words(), arrived.words());
            let (least, most) = (before.len().min(after.len()), before.len().max(after.len()));
            least * 2 >= most && shared(before, after) * 2 >= most
        }
    }
}

/// How many words two sorted lists have in common, with repetitions counted.
fn shared(before: &[String], after: &[String]) -> usize {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    let mut count = 0;
    while let (Some(a), Some(b)) = (before.peek(), after.peek()) {
        match a.cmp(b) {
            Ordering::Less => drop(before.next()),
            Ordering::Greater => drop(after.next()),
            Ordering::Equal => {
                count += 1;
                before.next();
                after.next();
            }
        }
    }
    count
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

    fn described(before: &str, after: &str) -> Vec<String> {
        let statement = |value: &Option<Value>| value.as_ref().map(Value::plain_text).unwrap_or_default();
        changes(&soul(before), &soul(after))
            .iter()
            .map(|change| {
                format!(
                    "{:?} {} {} > {}",
                    change.change,
                    change.field,
                    statement(&change.before),
                    statement(&change.after)
                )
            })
            .collect()
    }

    #[test]
    fn a_removed_limit_is_said_first() {
        let before = "---\nrole: Guide\ntone: [calm]\nconstraints: [Never push to main., Ask first.]\n---\nBody.\n";
        let after = "---\nrole: Guide and scout\ntone: [calm, dry]\nconstraints: [Ask first.]\n---\nBody.\n";
        let expected =
            ["Removed limit Never push to main. > ", "Changed role Guide > Guide and scout", "Added tone  > dry"];
        assert_eq!(described(before, after), expected);
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
        assert_eq!(described(before, after), expected);
    }

    #[test]
    fn a_passage_is_compared_line_by_line() {
        let expected = ["Changed body You ask first. > You never ask first.", "Added body  > You sing."];
        assert_eq!(
            described("You review.\nYou ask first.\n", "You review.\nYou never ask first.\nYou sing.\n"),
            expected
        );
    }

    #[test]
    fn order_and_layout_are_not_meaning() {
        assert!(described("---\ntone: [a, b]\n---\nX\n", "---\ntone:\n- b\n- a\n---\nX\n\n").is_empty());
    }
}
