use serde_json::{Map, Value};

use super::{Document, Group, Limits, Plain};
use crate::formats::Provenance;
use crate::formats::fields::Named;
use crate::model::{Field, Item, Soul, Value as ItemValue};
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

    /// The body of SOUL.md; the style is a layer of its own.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.plain.body.clone()
    }

    /// The card that people see: the file if there is one, else made from the frontmatter.
    pub(super) fn card(&self) -> String {
        if let Some(card) = self.companions.get(Field::Card) {
            return card.to_owned();
        }
        let persona = self.persona();
        let text = |key: &str| persona.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        let mut card = format!("# {}\n", text("name"));
        if !text("description").is_empty() {
            card.push_str(&format!("\n{}\n", text("description")));
        }
        card.push_str(&format!("\n- Agent ID: {}", text("id")));
        let avatar = self.plain.avatar.iter().flat_map(|avatar| &avatar.items).find(|named| named.key == "sourceUrl");
        if let Some(url) = avatar.and_then(|named| named.value.as_str()) {
            card.push_str(&format!("\n- Avatar: {url}"));
        }
        if let Some(mood) = Plain::text(self.plain.default_mood.as_ref()) {
            card.push_str(&format!("\n- Mood: {mood}"));
        }
        card
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
