use serde_json::{Map, Value};

use super::name::beside;
use super::{COMPANIONS, Document, card, companions};
use crate::formats::Provenance;
use crate::formats::fields::Named;
use crate::model::sections::Outlined;
use crate::model::{Field, Item, Soul};
use crate::text::Span;

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let mut document = Map::new();
        let card: Map<String, Value> = self.card.iter().map(|named| (named.key.clone(), named.value.clone())).collect();
        document.insert("card".into(), card.into());
        document.insert("soul".into(), self.body.as_str().into());
        let mut examples = Map::new();
        for (name, key, field) in COMPANIONS {
            let Some(text) = self.file_text(name) else { continue };
            match field {
                Field::GoodExample | Field::BadExample => examples.insert(key.into(), text.into()),
                _ => document.insert(key.into(), text.into()),
            };
        }
        if !examples.is_empty() {
            document.insert("examples".into(), examples.into());
        }
        document.into()
    }

    pub(crate) fn soul(&self) -> Soul {
        let (unread, text) = self.body.split_at(self.unread);
        let outlined = Outlined::new(text);
        let mut items = self.items_around_the_body(&outlined);
        let name = items.iter().find(|item| item.field == Field::Name && item.file.is_none()).map(|item| item.span);
        let is_name = |item: &Item| {
            name.is_some_and(|name| {
                item.field == Field::Body && name.start <= item.span.start && item.span.end <= name.end
            })
        };
        // A title that is the name, with nothing under it, says nothing else.
        let start = self.body_span.start + self.unread;
        items.extend(outlined.items(start).into_iter().filter(|item| !is_name(item)));
        if !unread.is_empty() {
            items.push(Item::passage(Field::Body, unread.trim(), Span::new(self.body_span.start, start)));
        }
        Soul { items }
    }

    /// The content with the body as one passage, byte for byte.
    pub(crate) fn whole_body_soul(&self) -> Soul {
        let mut items = self.items_around_the_body(&Outlined::new(&self.body[self.unread..]));
        if !self.body.trim().is_empty() {
            items.push(Item::passage(Field::Body, self.body.clone(), self.body_span));
        }
        Soul { items }
    }

    fn items_around_the_body(&self, body: &Outlined<'_>) -> Vec<Item> {
        let labels = self.file_text("IDENTITY.md").map(card::lines).unwrap_or_default();
        let name = self.name(&labels, body);
        let by_frontmatter = name.is_some() && name == self.name_in_frontmatter();
        let mut items: Vec<Item> = name.into_iter().collect();
        let own_name = |named: &&Named| named.key != "name" || !by_frontmatter;
        items.extend(self.card.iter().filter(own_name).flat_map(card_items));
        items.extend(label_items(&labels));
        items.extend(self.files.iter().flat_map(|(path, source)| companions::items(path, source)));
        items
    }

    /// The body, byte for byte.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.body.clone()
    }
}

/// A value of the frontmatter as text, if it is a line and not a list or a mapping.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// What a key of the frontmatter says. A value that its field cannot hold is kept under its key.
fn card_items(named: &Named) -> Vec<Item> {
    let text = |field| scalar(&named.value).map(|text| vec![Item::text(field, text, named.span)]);
    let items = match named.key.as_str() {
        "role" => text(Field::Role),
        "description" => text(Field::Description),
        "version" => text(Field::Version),
        "tags" => {
            tags(&named.value).map(|tags| tags.into_iter().map(|tag| Item::text(Field::Tag, tag, named.span)).collect())
        }
        "avatar" => match &named.value {
            Value::String(url) => Some(vec![Item::entry(Field::Avatar, AVATAR_URL, url.clone(), named.span)]),
            Value::Object(map) if !map.is_empty() => Some(
                map.iter().map(|(key, value)| Item::entry(Field::Avatar, key, value.clone(), named.span)).collect(),
            ),
            _ => None,
        },
        _ => None,
    };
    items.unwrap_or_else(|| vec![named.item()])
}

/// The setting of an avatar that is the picture itself.
pub(super) const AVATAR_URL: &str = "sourceUrl";

fn tags(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => {
            Some(text.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect())
        }
        Value::Array(tags) if !tags.is_empty() => tags.iter().map(scalar).collect(),
        _ => None,
    }
}

/// The lines of IDENTITY.md that other dialects have a field for. The card itself is an item of its own.
fn label_items(labels: &[card::Line]) -> Vec<Item> {
    let texts = [(Field::Role, card::ROLE), (Field::Description, card::DESCRIPTION), (Field::Id, card::ID)];
    let mut items: Vec<Item> = texts
        .into_iter()
        .filter_map(|(field, names)| card::value(labels, names).map(|line| beside(field, &line.value, line.span)))
        .collect();
    if let Some(line) = card::value(labels, card::AVATAR) {
        let item = Item::entry(Field::Avatar, AVATAR_URL, line.value.as_str(), line.span);
        items.push(Item { file: Some("IDENTITY.md".into()), ..item });
    }
    let tags = card::value(labels, card::TAGS).into_iter().flat_map(|line| {
        let tags = line.value.split(',').map(str::trim).filter(|tag| !tag.is_empty());
        tags.map(|tag| beside(Field::Tag, tag, line.span))
    });
    items.extend(tags);
    items
}
