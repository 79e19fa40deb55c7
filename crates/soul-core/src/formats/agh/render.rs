use std::fmt::Write;

use serde_json::{Value, json};

use super::headings::reserved_headings;
use super::{Document, LISTS, Named};
use crate::digest::Digest;
use crate::markup::frontmatter::{self, Opening};
use crate::markup::yaml;
use crate::model::{At, Dialect, Field, Item, Occurs, PLACES, Soul, Value as ItemValue, arrange, entries, passage};
use crate::text::{LineEnds, Unified};

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
        items.extend(self.extras.iter().map(Named::item));
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

/// Fresh text: fields in canonical order, then the body.
pub(crate) fn emit(soul: &Soul) -> String {
    let mut front = String::new();
    let mut body = String::new();
    for (place, items) in arrange(soul, Dialect::Agh) {
        if items.is_empty() {
            continue;
        }
        match (place.at, place.occurs) {
            (At::Key(key), Occurs::List) => {
                let texts = items.iter().flat_map(|item| entries(&item.value));
                front.push_str(&yaml::field(key, &texts.collect::<Vec<_>>().into()));
            }
            (At::Key(key), Occurs::Once) => {
                let text = items[0].value.as_text().unwrap_or_default();
                let number = text.parse::<u64>().is_ok_and(|number| number.to_string() == text);
                let value = if key == "version" && number { text.to_owned() } else { yaml::scalar(text) };
                let _ = writeln!(front, "{key}: {value}");
            }
            _ => body = without_reserved_headings(&Unified::new(&passage(place, &items), 0, LineEnds::All).text),
        }
    }
    // Without frontmatter of its own, a body that begins like frontmatter needs an empty one.
    let fence =
        if front.is_empty() && frontmatter::opening(&body) == Opening::Absent && !body.starts_with(crate::text::BOM) {
            ""
        } else {
            "---\n"
        };
    let end = if body.is_empty() { "" } else { "\n" };
    format!("{fence}{front}{fence}{body}{end}")
}

/// A body in which headings that belong to others are bold lines instead.
fn without_reserved_headings(body: &str) -> String {
    let reserved = reserved_headings(body);
    let mut out = String::with_capacity(body.len());
    let mut done = 0;
    for (range, _) in reserved {
        let title = body[range.clone()].trim().trim_matches(['#', ' ', '*']);
        out.push_str(&body[done..range.start]);
        let _ = write!(out, "**{title}**");
        done = range.end;
    }
    out.push_str(&body[done..]);
    out
}
