use std::fmt::Write;

use serde_json::{Value, json};

use super::{Document, LISTS, Named};
use crate::digest::Digest;
use crate::formats::Provenance;
use crate::model::{At, Dialect, Field, Item, PLACES, Soul, Value as ItemValue};

impl Document {
    pub(crate) fn to_json(&self) -> Value {
        let mut frontmatter = serde_json::Map::new();
        frontmatter.insert("version".into(), self.version().into());
        frontmatter.insert("role".into(), self.role().into());
        for (index, (key, ..)) in LISTS.iter().enumerate() {
            let list = self.list(index).map(|items| items.map(Value::from).collect::<Vec<_>>());
            frontmatter.insert((*key).into(), list.into());
        }
        json!({ "frontmatter": frontmatter, "body": self.body })
    }

    pub(crate) fn soul(&self) -> Soul {
        let mut items = Vec::new();
        let mut once = |field, value: &Option<crate::text::Spanned>| {
            let value = value.as_ref().filter(|value| !value.text.is_empty());
            items.extend(value.map(|value| Item::text(field, value.text.clone(), value.span)));
        };
        once(Field::Version, &self.version);
        once(Field::Role, &self.role);
        for (index, (key, ..)) in LISTS.iter().enumerate() {
            let Some(list) = &self.lists[index] else { continue };
            let Some(place) = PLACES.iter().find(|place| place.dialect == Dialect::Agh && place.at == At::Key(key))
            else {
                continue;
            };
            if list.is_empty() {
                items.push(Item::new(place.field, ItemValue::Empty, self.list_spans[index]));
            }
            items.extend(list.iter().map(|item| Item::text(place.field, item.text.clone(), item.span)));
        }
        items.extend(self.extras.iter().map(carried));
        if !self.body.is_empty() {
            items.push(Item::passage(Field::Body, self.body.clone(), self.body_span));
        }
        Soul { items }
    }

    /// The peer's digest: a version line, the frontmatter as Go writes JSON, and the body.
    pub(crate) fn digest(&self) -> Digest {
        let mut json = String::with_capacity(self.source.bytes().len() + 160);
        json.push_str("{\"Version\":");
        go_string(self.version(), &mut json);
        json.push_str(",\"Role\":");
        go_string(self.role(), &mut json);
        for (index, (_, name, _)) in LISTS.iter().enumerate() {
            let _ = write!(json, ",\"{name}\":");
            match self.list(index) {
                None => json.push_str("null"),
                Some(items) => go_list(items, &mut json),
            }
        }
        json.push('}');
        Digest::of([b"agh.soul.v1\n".as_slice(), json.as_bytes(), b"\n", self.body.as_bytes()])
    }

    /// The `# Agent Soul` block; text is never escaped here.
    pub(crate) fn identity(&self, from: Provenance<'_>) -> String {
        let mut lines = vec!["<agh-agent-soul>".to_owned(), "# Agent Soul".to_owned(), String::new()];
        if let Some(id) = from.snapshot_id {
            lines.push(format!("Snapshot ID: {id}"));
        }
        lines.push(format!("Digest: {}", self.digest()));
        if !from.source_path.trim().is_empty() {
            lines.push(format!("Source: {}", from.source_path));
        }
        if !self.role().is_empty() {
            lines.push(format!("Role: {}", self.role()));
        }
        for (index, (_, _, title)) in LISTS.iter().enumerate() {
            let mut items = self.list(index).into_iter().flatten().peekable();
            if items.peek().is_some() {
                lines.push(format!("{title}:"));
                lines.extend(items.map(|item| format!("- {item}")));
            }
        }
        if !self.body.trim().is_empty() {
            lines.extend([String::new(), "## Body".to_owned(), self.body.trim().to_owned()]);
        }
        lines.push("</agh-agent-soul>".to_owned());
        lines.join("\n")
    }
}

/// A refused field. What it means is clear all the same where other dialects have it.
fn carried(named: &Named) -> Item {
    let field = match named.key.as_str() {
        "name" => Field::Name,
        "description" => Field::Description,
        _ => return named.item(),
    };
    match named.value.as_str().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Item::text(field, text, named.span),
        None => named.item(),
    }
}

fn go_list<'a>(items: impl Iterator<Item = &'a str>, out: &mut String) {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        go_string(item, out);
    }
    out.push(']');
}

/// A string as Go's encoding/json writes it, with HTML's characters escaped.
fn go_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
