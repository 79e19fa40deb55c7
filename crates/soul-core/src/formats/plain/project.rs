use serde_json::{Map, Value};

use super::{COMPANIONS, Document};
use crate::formats::Provenance;
use crate::model::{Field, Item, Soul, sections};
use crate::text::Span;

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let mut document = Map::new();
        let card: Map<String, Value> = self.card.iter().map(|named| (named.key.clone(), named.value.clone())).collect();
        document.insert("card".into(), card.into());
        document.insert("soul".into(), self.body.as_str().into());
        for (name, key, _) in COMPANIONS {
            let text = self.files.get(name).and_then(|source| source.text());
            document.extend(text.map(|text| (key.to_owned(), text.into())));
        }
        document.into()
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut soul = self.whole_body_soul();
        soul.items.retain(|item| item.field != Field::Body);
        soul.items.extend(sections::items(&self.body, self.body_span.start));
        soul
    }

    /// The content with the body as one passage, byte for byte.
    pub(crate) fn whole_body_soul(&self) -> Soul {
        let mut items: Vec<Item> = self.card.iter().map(crate::formats::fields::Named::item).collect();
        items.extend(self.fallback_name.iter().map(|name| Item::text(Field::Name, name.clone(), Span::default())));
        if !self.body.is_empty() {
            items.push(Item::passage(Field::Body, self.body.clone(), self.body_span));
        }
        Soul { items }
    }

    /// The body, byte for byte.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.body.clone()
    }
}
