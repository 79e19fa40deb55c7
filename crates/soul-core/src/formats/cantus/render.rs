use serde_json::{Map, Value, json};

use super::{Document, SECTIONS};
use crate::model::{At, Dialect, Field, Item, PLACES, Soul, arrange, passage};
use crate::text::{LineEnds, Unified};

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
        items.extend(
            others.map(|(title, section)| Item::entry(Field::Extra, title.clone(), section.body.clone(), section.span)),
        );
        Soul { items }
    }
}

/// Fresh text: what stood before the sections, then the six of them.
pub(crate) fn emit(soul: &Soul) -> String {
    let mut blocks = Vec::new();
    for (place, items) in arrange(soul, Dialect::Cantus) {
        let text = inside(&Unified::new(&passage(place, &items), 0, LineEnds::All).text);
        match place.at {
            At::Section(title) if text.is_empty() => blocks.push(format!("## {title}\n")),
            At::Section(title) => blocks.push(format!("## {title}\n{text}\n")),
            _ if text.is_empty() => {}
            _ => blocks.push(format!("{text}\n")),
        }
    }
    blocks.join("\n")
}

/// Text that opens no section of its own: a first line is indented by a blank, which reading
/// strips again, and a later heading goes one level down.
fn inside(text: &str) -> String {
    let (first, rest) = text.split_once('\n').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let mut out = if first.starts_with("## ") { format!(" {first}") } else { first.to_owned() };
    for line in rest.into_iter().flat_map(|rest| rest.split('\n')) {
        out.push('\n');
        if line.starts_with("## ") {
            out.push('#');
        }
        out.push_str(line);
    }
    out
}
