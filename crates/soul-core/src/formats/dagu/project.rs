use serde_json::{Value, json};

use super::{Document, Named};
use crate::formats::Provenance;
use crate::model::{Field, Item, Soul};
use crate::text::{Span, Spanned};

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "id": self.id.as_deref().unwrap_or_default(),
            "name": Self::text(self.name.as_ref()),
            "description": Self::text(self.description.as_ref()),
            "content": self.content,
        })
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut items: Vec<Item> =
            self.id.iter().map(|id| Item::text(Field::Id, id.clone(), Span::default())).collect();
        let mut once = |field, value: &Option<Spanned>| {
            let value = value.as_ref().filter(|value| !value.text.is_empty());
            items.extend(value.map(|value| Item::text(field, value.text.clone(), value.span)));
        };
        once(Field::Name, &self.name);
        once(Field::Description, &self.description);
        items.extend(self.extras.iter().map(Named::item));
        if !self.content.is_empty() {
            items.push(Item::passage(Field::Body, self.content.clone(), self.content_span));
        }
        Soul { items }
    }

    /// The content; name and description are for people.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.content.clone()
    }
}
