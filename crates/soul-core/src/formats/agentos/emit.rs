use serde_json::Value;

use super::KEYS;
use super::parse::looks_like_json;
use crate::formats::Emitted;
use crate::formats::fields::extras;
use crate::markup::yaml;
use crate::model::{At, Dialect, Field, Item, Occurs, Place, Soul, Value as ItemValue, arrange, entries, passage};

/// Fresh files: SOUL.md, and each companion that the soul has something for.
pub(crate) fn emit(soul: &Soul) -> Emitted {
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
    let end = if body.is_empty() || body.ends_with('\n') { "" } else { "\n" };
    let ambiguous = body.starts_with("---") || body.starts_with(crate::text::BOM) || looks_like_json(&body);
    let fence = if front.is_empty() && !ambiguous { "" } else { "---\n" };
    Emitted { text: format!("{fence}{front}{fence}{body}{end}"), beside }
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
