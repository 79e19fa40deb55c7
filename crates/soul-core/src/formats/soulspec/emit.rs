use serde_json::{Map, Value};

use super::SpecVersion;
use super::project::{REST, STRUCTURE, TEXTS};
use super::rules::SECTIONS;
use crate::formats::Emitted;
use crate::model::name::{id_for, made_up_name, name_for};
use crate::model::negation::under_never;
use crate::model::{At, Dialect, Field, Item, Soul, Value as ItemValue, arrange, is_tags, passage};
use crate::text::slug;

/// A fresh package: the manifest, SOUL.md, RULES.md if there are rules, and what else there is.
pub(crate) fn emit(soul: &Soul) -> Emitted {
    let mut manifest = Map::new();
    let mut beside: Vec<(String, String)> = Vec::new();
    let mut rules = String::new();
    let mut body = String::new();
    for (place, items) in arrange(soul, Dialect::Soulspec) {
        match (place.at, place.field) {
            (_, _) if items.is_empty() => {}
            (At::Key("*"), _) => {
                let extra = |item: &Item| match &item.value {
                    ItemValue::Entry { key, value } => Some((key.clone(), value.clone())),
                    _ => None,
                };
                for (key, value) in items.iter().filter_map(extra) {
                    let is_free = match key.as_str() {
                        "name" | "displayName" | "description" => false,
                        // Kept unread in another dialect, and a field of its own here.
                        "version" => !manifest.contains_key("version") && value.is_string(),
                        "tags" => !manifest.contains_key("tags") && value.as_array().is_some_and(|tags| is_tags(tags)),
                        key => key == "files" || !STRUCTURE.contains(&key),
                    };
                    if is_free {
                        manifest.insert(key, value);
                    }
                }
            }
            (At::Key("tags"), _) => {
                let tags = items.iter().filter_map(|item| item.value.as_text()).collect::<Vec<_>>();
                manifest.insert("tags".into(), tags.into());
            }
            (At::Key(key), _) => {
                manifest.insert(key.into(), items[0].value.as_text().unwrap_or_default().into());
            }
            (At::File("*"), _) => beside.extend(items.iter().filter_map(|item| match &item.value {
                ItemValue::Entry { key, value: Value::String(text) } if !REST.contains(&key.as_str()) => {
                    Some((key.clone(), text.clone()))
                }
                _ => None,
            })),
            (At::File("RULES.md"), field) => {
                let title = SECTIONS.iter().find(|(_, of)| *of == field).map_or("", |(title, _)| title);
                let list: String = items
                    .iter()
                    .filter_map(|item| item.value.as_text())
                    .flat_map(str::lines)
                    .filter(|line| !line.trim().is_empty())
                    .map(|line| {
                        let rule = line.trim().trim_start_matches("- ");
                        let rule = if field == Field::MustNever { under_never(rule) } else { rule };
                        format!(
                            "- {rule}
"
                        )
                    })
                    .collect();
                rules.push_str(&format!("\n## {title}\n{list}"));
            }
            (_, Field::Body) => body = passage(place, &items),
            (At::File(name), _) => beside.push((name.to_owned(), passage(place, &items) + "\n")),
            _ => {}
        }
    }
    if !rules.is_empty() {
        beside.insert(0, ("RULES.md".into(), format!("# Rules\n{rules}")));
    }
    beside.insert(0, ("SOUL.md".into(), format!("{}\n", body.trim())));
    Emitted { text: format!("{:#}\n", complete_manifest(manifest, soul, &beside)), beside }
}

/// The manifest with what every manifest has, in the usual order.
fn complete_manifest(mut rest: Map<String, Value>, soul: &Soul, beside: &[(String, String)]) -> Value {
    let mut manifest = Map::new();
    manifest.insert("specVersion".into(), SpecVersion::V0_6.as_str().into());
    let shown = rest.shift_remove("displayName").and_then(|name| name.as_str().map(str::to_owned));
    let id = rest.shift_remove("name").and_then(|name| name.as_str().map(slug)).filter(|id| !id.is_empty());
    let shown = shown.unwrap_or_else(|| name_for(soul));
    let id = id.unwrap_or_else(|| id_for(&shown, None).unwrap_or_else(|| made_up_name(soul)));
    manifest.insert("name".into(), id.into());
    manifest.insert("displayName".into(), shown.into());
    // Nobody gave this soul a version if it has none: one that is made up would come back as if its author had.
    manifest.extend(rest.shift_remove("version").map(|version| ("version".to_owned(), version)));
    manifest.insert("description".into(), rest.shift_remove("description").unwrap_or_else(|| "".into()));
    let named = rest.shift_remove("files");
    manifest.append(&mut rest);
    let mut files = Map::new();
    let mut examples = Map::new();
    files.insert("soul".into(), "SOUL.md".into());
    for (key, usual, _) in
        TEXTS.iter().filter(|(key, usual, _)| !key.is_empty() && beside.iter().any(|(path, _)| path == usual))
    {
        match key.split_once('.') {
            Some(("files", name)) => files.insert(name.into(), (*usual).into()),
            Some((_, name)) => examples.insert(name.into(), (*usual).into()),
            None => None,
        };
    }
    files.extend(named.and_then(|named| named.as_object().cloned()).into_iter().flatten());
    manifest.insert("files".into(), files.into());
    if !examples.is_empty() {
        manifest.insert("examples".into(), examples.into());
    }
    manifest.into()
}
