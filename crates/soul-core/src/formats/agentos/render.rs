use serde_json::{Map, Value};

use super::parse::looks_like_json;
use super::{Document, Group, KEYS, Limits};
use crate::formats::Fresh;
use crate::formats::fields::{Named, extras};
use crate::markup::yaml;
use crate::model::{At, Dialect, Field, Item, Occurs, Place, Soul, Value as ItemValue, arrange, entries, passage};
use crate::text::Spanned;

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let mut document = Map::new();
        document.insert("persona".into(), self.persona().into());
        document.insert("soul".into(), self.plain.body.as_str().into());
        document.insert("identity".into(), self.card().into());
        self.companions.add_to(&mut document);
        document.into()
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut items = Vec::new();
        let plain = &self.plain;
        let mut once = |field, value: &Option<Spanned>| {
            items.extend(value.as_ref().map(|value| Item::text(field, value.text.clone(), value.span)));
        };
        once(Field::Name, &plain.name);
        once(Field::Id, &plain.id);
        once(Field::Role, &plain.role);
        map(Field::Trait, plain.traits.as_ref(), &mut items);
        map(Field::Voice, plain.voice.as_ref(), &mut items);
        items
            .extend(plain.default_mood.iter().map(|mood| Item::text(Field::DefaultMood, mood.text.clone(), mood.span)));
        list(Field::Mood, plain.moods.as_ref(), &mut items);
        match &plain.limits {
            Some(Limits::One(limit)) => {
                items.push(Item::new(Field::Limit, ItemValue::One(limit.text.clone()), limit.span))
            }
            Some(Limits::Many(limits)) => list(Field::Limit, Some(limits), &mut items),
            None => {}
        }
        map(Field::Avatar, plain.avatar.as_ref(), &mut items);
        if let Some(metadata) = &plain.metadata {
            items.extend(metadata_items(metadata));
        }
        map(Field::Persona, plain.persona.as_ref(), &mut items);
        items.extend(plain.extras.iter().map(Named::item));
        if !plain.body.is_empty() {
            items.push(Item::passage(Field::Body, plain.body.clone(), plain.body_span));
        }
        items.extend(self.companions.items());
        Soul { items }
    }
}

/// The items of a group, or that it is empty.
fn group<T>(field: Field, group: Option<&Group<T>>, item: impl Fn(&T) -> Item, items: &mut Vec<Item>) {
    if let Some(group) = group {
        items.extend(group.items.iter().map(item));
        if group.items.is_empty() {
            items.push(Item::new(field, ItemValue::Empty, group.key_span));
        }
    }
}

fn map(field: Field, named: Option<&Group<Named>>, items: &mut Vec<Item>) {
    group(field, named, |named| Item::entry(field, named.key.clone(), named.value.clone(), named.span), items);
}

fn list(field: Field, texts: Option<&Group<Spanned>>, items: &mut Vec<Item>) {
    group(field, texts, |text| Item::text(field, text.text.clone(), text.span), items);
}

/// Metadata key by key; what is no mapping, or has a key without a name, stays whole under no key.
fn metadata_items(metadata: &Named) -> Vec<Item> {
    match &metadata.value {
        Value::Object(map) if map.is_empty() => vec![Item::new(Field::Metadata, ItemValue::Empty, metadata.span)],
        Value::Object(map) if !map.contains_key("") => map
            .iter()
            .map(|(key, value)| Item::entry(Field::Metadata, key.clone(), value.clone(), metadata.span))
            .collect(),
        whole => vec![Item::entry(Field::Metadata, "", whole.clone(), metadata.span)],
    }
}

/// Fresh files: SOUL.md, and each companion that the soul has something for.
pub(crate) fn emit(soul: &Soul) -> Fresh {
    let mut front = String::new();
    let mut body = String::new();
    let mut beside = Vec::new();
    for (place, items) in arrange(soul, Dialect::Agentos) {
        if items.is_empty() {
            continue;
        }
        match place.at {
            At::Key(key) => front.push_str(&frontmatter_field(place, key, &items)),
            // The caller's file is never ours to write.
            At::File(super::USER_FILE) => {}
            At::File(name) => beside.push((name.to_owned(), passage(place, &items) + "\n")),
            _ => body = passage(place, &items),
        }
    }
    let end = if body.is_empty() { "" } else { "\n" };
    let ambiguous = body.starts_with("---") || body.starts_with(crate::text::BOM) || looks_like_json(&body);
    let fence = if front.is_empty() && !ambiguous { "" } else { "---\n" };
    Fresh { text: format!("{fence}{front}{fence}{body}{end}"), beside }
}

fn frontmatter_field(place: &Place, key: &str, items: &[Item]) -> String {
    if place.field == Field::Extra {
        return extras(items, &KEYS);
    }
    let value = match (place.occurs, items) {
        (Occurs::Once, [item, ..]) => item.value.as_text().unwrap_or_default().into(),
        (Occurs::Map, [Item { field: Field::Metadata, value: ItemValue::Entry { key, value }, .. }])
            if key.is_empty() =>
        {
            value.clone()
        }
        (Occurs::Map, items) => {
            let entry = |item: &Item| match &item.value {
                ItemValue::Entry { key, value } => Some((key.clone(), value.clone())),
                _ => None,
            };
            Value::Object(items.iter().filter_map(entry).collect())
        }
        (Occurs::List, [Item { value: ItemValue::One(text), .. }]) => text.as_str().into(),
        (_, items) => items.iter().flat_map(|item| entries(&item.value)).collect::<Vec<_>>().into(),
    };
    yaml::field(key, &value)
}
