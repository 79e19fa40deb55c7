use serde_json::{Map, Value, json};

use super::{Document, SECTIONS};
use crate::formats::Provenance;
use crate::model::{At, Dialect, Field, Item, PLACES, Soul};

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let section = |index: usize| self.sections[index].as_ref().map(|section| section.body.as_str());
        let sections: Map<String, Value> =
            SECTIONS.iter().enumerate().map(|(index, (_, key))| ((*key).into(), section(index).into())).collect();
        json!({
            "sections": sections,
            "missing_sections": self.missing().collect::<Vec<_>>(),
            "duplicates": self.duplicates,
            "unexpected": self.unexpected,
        })
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut items: Vec<Item> =
            self.preamble.iter().map(|top| Item::passage(Field::Preamble, top.body.clone(), top.span)).collect();
        for ((title, _), section) in SECTIONS.iter().zip(&self.sections) {
            let place = PLACES.iter().find(|place| place.dialect == Dialect::Cantus && place.at == At::Section(title));
            if let (Some(place), Some(section)) = (place, section.as_ref().filter(|section| !section.body.is_empty())) {
                items.push(Item::passage(place.field, section.body.clone(), section.span));
            }
        }
        let others = self.others.iter();
        items
            .extend(others.map(|(title, section)| {
                Item::entry(Field::Section, title.clone(), section.body.clone(), section.span)
            }));
        Soul { items }
    }

    /// The six sections in canonical order, joined by blank lines; bodies stand as they are.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        let blocks = SECTIONS.iter().enumerate().map(|(index, (title, _))| format!("## {title}\n{}", self.body(index)));
        blocks.collect::<Vec<_>>().join("\n\n")
    }
}
