use serde_json::{Map, Value, json};

use super::rules::{SECTIONS, beside_rules, entries};
use super::{Document, MANIFESTS, SpecVersion};
use crate::digest::Digest;
use crate::formats::Fresh;
use crate::formats::agentos;
use crate::model::{
    At, Dialect, Field, Item, Soul, Value as ItemValue, arrange, is_negative, nearest_to_a_name, passage,
};
use crate::text::{Span, slug};

/// Keys that say how the package is built, not what the soul is.
const STRUCTURE: [&str; 3] = ["specVersion", "files", "examples"];

/// Parts of files that no field and no fresh file has a place for.
const REST: [&str; 2] = ["RULES.md, besides its rules", "SOUL.md, frontmatter"];

/// Files that fill a field of their own: the key that names them, their usual path, the field.
const TEXTS: [(&str, &str, Field); 7] = [
    ("files.style", "STYLE.md", Field::Style),
    ("files.identity", "IDENTITY.md", Field::Card),
    ("files.agents", "AGENTS.md", Field::Procedure),
    ("", "memory/MEMORY.md", Field::Memory),
    ("", "MEMORY.md", Field::Memory),
    ("examples.good", "examples/good-outputs.md", Field::GoodExample),
    ("examples.bad", "examples/bad-outputs.md", Field::BadExample),
];

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let name = self.name.as_deref().unwrap_or(MANIFESTS[0]);
        let info = |path: &str, bytes: &[u8]| json!({ "kind": self.kind(path), "bytes": bytes.len(), "digest": Digest::of([bytes]).to_string() });
        let mut files: Map<String, Value> =
            self.files.iter().map(|(path, source)| (path.clone(), info(path, source.bytes()))).collect();
        files.insert(name.to_owned(), info(name, self.source.bytes()));
        let kind = if self.is_pack() { "pack" } else { "persona" };
        json!({ "manifest": self.manifest, "type": kind, "files": files })
    }

    /// What a file of the package is.
    fn kind(&self, path: &str) -> &'static str {
        if MANIFESTS.contains(&path) {
            return "manifest";
        }
        if path == self.soul_file() {
            return "soul";
        }
        match path {
            "RULES.md" => "rules",
            "README.md" => "readme",
            "HEARTBEAT.md" => "heartbeat",
            "USER_TEMPLATE.md" => "user_template",
            _ if Some(path) == self.path("files.avatar") => "avatar",
            _ if Some(path) == self.path("files.heartbeat") => "heartbeat",
            _ if Some(path) == self.path("files.userTemplate") => "user_template",
            _ if Some(path) == self.path("examples.good") || Some(path) == self.path("examples.bad") => "example",
            _ if path.starts_with("skills/") => "skill",
            _ if path.starts_with("tools/") => "tool",
            _ if path.starts_with("hooks/") => "hook",
            _ if path.starts_with("memory/") || path == "MEMORY.md" => "memory",
            _ if path.starts_with("examples/") => "example",
            _ => match self.text_field(path) {
                Some(Field::Style) => "style",
                Some(Field::Card) => "identity",
                Some(Field::Procedure) => "agents",
                _ => "other",
            },
        }
    }

    /// The field that a file fills, if it fills one.
    fn text_field(&self, path: &str) -> Option<Field> {
        let named = |(key, usual, _): &&(&str, &str, Field)| self.path(key).unwrap_or(usual) == path;
        TEXTS.iter().find(named).map(|(_, _, field)| *field)
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut items = Vec::new();
        for (key, value) in &self.manifest {
            let span = self.at(key);
            match (key.as_str(), value) {
                (_, Value::Null) => {}
                ("name" | "displayName" | "description", Value::String(text)) if text.trim().is_empty() => {}
                ("name", Value::String(text)) => items.push(Item::text(Field::Id, text.clone(), span)),
                ("displayName", Value::String(text)) => items.push(Item::text(Field::Name, text.clone(), span)),
                ("version", Value::String(text)) => items.push(Item::text(Field::Version, text.clone(), span)),
                ("description", Value::String(text)) => items.push(Item::text(Field::Description, text.clone(), span)),
                ("tags", Value::Array(tags)) if tags.iter().all(Value::is_string) => {
                    let tags = tags.iter().filter_map(Value::as_str).enumerate();
                    items.extend(
                        tags.map(|(index, tag)| Item::text(Field::Tag, tag, self.at(&format!("tags[{index}]")))),
                    );
                }
                ("files", Value::Object(map)) => {
                    // What the names of the files themselves do not say.
                    let told = |key: &str| {
                        key == "soul" || TEXTS.iter().any(|(of, _, _)| of.strip_prefix("files.") == Some(key))
                    };
                    let rest: Map<String, Value> = map
                        .iter()
                        .filter(|(key, _)| !told(key))
                        .map(|(key, value)| (key.clone(), value.clone()))
                        .collect();
                    if !rest.is_empty() {
                        items.push(Item::entry(Field::Extra, "files", rest, span));
                    }
                }
                (key, _) if STRUCTURE.contains(&key) => {}
                (key, value) => items.push(Item::entry(Field::Extra, key, value.clone(), span)),
            }
        }
        for (path, source) in &self.files {
            items.extend(self.items_of(path, source.text()));
        }
        Soul { items }
    }

    /// What one file says.
    fn items_of(&self, path: &str, text: Option<&str>) -> Vec<Item> {
        let whole = |field: Field, text: &str, file: &'static str| {
            let mut item = Item::passage(field, text.trim(), Span::new(0, text.len()));
            item.file = Some(file.into());
            vec![item]
        };
        match text {
            Some(text) if text.trim().is_empty() => Vec::new(),
            Some(text) if path == self.soul_file() => {
                let mut items = whole(Field::Body, self.body(), "SOUL.md");
                items.retain(|item| item.value.as_text().is_some_and(|text| !text.is_empty()));
                let front =
                    agentos::split(text).map(|halves| text[halves.metadata].trim()).filter(|front| !front.is_empty());
                items.extend(front.map(|front| Item::entry(Field::File, REST[1], front, Span::default())));
                items
            }
            Some(text) if path == "RULES.md" && !entries(text).is_empty() => {
                let rules = entries(text).into_iter().map(|(field, rule, span)| {
                    let mut item =
                        Item::text(field, if field == Field::MustNever { negated(&rule) } else { rule }, span);
                    item.file = Some("RULES.md".into());
                    item
                });
                let rest = beside_rules(text);
                let rest = rest.map(|rest| Item::entry(Field::File, REST[0], rest, Span::default()));
                rules.chain(rest).collect()
            }
            Some(text) => match self
                .text_field(path)
                .and_then(|field| Some((field, TEXTS.iter().find(|(_, _, of)| *of == field)?.1)))
            {
                Some((field, file)) => whole(field, text, file),
                None => vec![Item::entry(Field::File, path, text, Span::default())],
            },
            None => vec![Item::entry(Field::File, path, Value::Null, Span::default())],
        }
    }
}

/// A rule of `Must Never` that says so itself, so that it means the same wherever it goes.
fn negated(rule: &str) -> String {
    if is_negative(rule) { rule.to_owned() } else { format!("Never: {rule}") }
}

/// The same under a heading that says it already.
fn under_never(rule: &str) -> &str {
    rule.strip_prefix("Never: ").unwrap_or(rule)
}

/// A fresh package: the manifest, SOUL.md, RULES.md if there are rules, and what else there is.
pub(crate) fn emit(soul: &Soul) -> Fresh {
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
                let known = ["name", "displayName", "version", "description", "tags"];
                let extras = items.iter().filter_map(extra).filter(|(key, _)| {
                    !known.contains(&key.as_str()) && (key == "files" || !STRUCTURE.contains(&key.as_str()))
                });
                manifest.extend(extras);
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
    Fresh { text: format!("{:#}\n", whole(manifest, soul, &beside)), beside }
}

/// The manifest with what every manifest has, in the usual order.
fn whole(mut rest: Map<String, Value>, soul: &Soul, beside: &[(String, String)]) -> Value {
    let mut manifest = Map::new();
    manifest.insert("specVersion".into(), SpecVersion::V0_6.as_str().into());
    let shown = rest.remove("displayName").and_then(|name| name.as_str().map(str::to_owned));
    let id = rest.remove("name").and_then(|name| name.as_str().map(slug)).filter(|id| !id.is_empty());
    let shown = shown.or_else(|| nearest_to_a_name(soul).map(str::to_owned)).unwrap_or_else(|| "Unnamed".into());
    let id = id.unwrap_or_else(|| Some(slug(&shown)).filter(|id| !id.is_empty()).unwrap_or_else(|| "unnamed".into()));
    manifest.insert("name".into(), id.into());
    manifest.insert("displayName".into(), shown.into());
    manifest.insert("version".into(), rest.remove("version").unwrap_or_else(|| "1.0.0".into()));
    manifest.insert("description".into(), rest.remove("description").unwrap_or_else(|| "".into()));
    let named = rest.remove("files");
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
