use serde_json::{Map, Value, json};

use super::parse::is_ambiguous;
use super::rules::{beside_rules, entries};
use super::{Document, MANIFESTS, manifest};
use crate::digest::Digest;
use crate::formats::agentos;
use crate::formats::{Provenance, is_authored};
use crate::model::negation::negated;
use crate::model::{Field, Item, Soul};
use crate::text::Span;

/// Keys that say how the package is built, not what the soul is.
pub(super) const STRUCTURE: [&str; 3] = ["specVersion", "files", "examples"];

/// Parts of files that no field and no fresh file has a place for.
pub(super) const REST: [&str; 2] = ["RULES.md, besides its rules", "SOUL.md, frontmatter"];

/// Files that fill a field of their own: the key that names them, their usual path, the field.
pub(super) const TEXTS: [(&str, &str, Field); 7] = [
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

    /// The document with its authored files only: neither memory nor whatever else lies in the folder.
    pub(crate) fn authored_json(&self) -> Value {
        let mut document = self.to_json();
        if let Some(files) = document.get_mut("files").and_then(Value::as_object_mut) {
            files.retain(|path, _| MANIFESTS.contains(&path.as_str()) || is_authored(path) || self.is_named(path));
        }
        document
    }

    /// Whether the manifest names the file as part of who the agent is.
    fn is_named(&self, path: &str) -> bool {
        let keys = ["files.soul", "files.style", "files.identity", "files.agents", "examples.good", "examples.bad"];
        keys.iter().any(|key| self.path(key) == Some(path))
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
                    let is_covered = |key: &str| {
                        key == "soul" || TEXTS.iter().any(|(of, _, _)| of.strip_prefix("files.") == Some(key))
                    };
                    let rest: Map<String, Value> = map
                        .iter()
                        .filter(|(key, _)| !is_covered(key))
                        .map(|(key, value)| (key.clone(), value.clone()))
                        .collect();
                    if !rest.is_empty() {
                        items.push(Item::entry(Field::Manifest, "files", rest, span));
                    }
                }
                (key, _) if STRUCTURE.contains(&key) => {}
                (key, value) => {
                    let is_known = !is_ambiguous(key) && manifest::field(key).is_some();
                    let field = if is_known { Field::Manifest } else { Field::Extra };
                    items.push(Item::entry(field, key, value.clone(), span));
                }
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

    /// The body of SOUL.md.
    pub(crate) fn identity(&self, _from: Provenance<'_>) -> String {
        self.body().trim().to_owned()
    }

    /// The soul's own text, without frontmatter.
    pub(super) fn body(&self) -> &str {
        let text = self.file(self.soul_file()).unwrap_or_default();
        agentos::split(text).map_or(text, |halves| &text[halves.body])
    }
}
