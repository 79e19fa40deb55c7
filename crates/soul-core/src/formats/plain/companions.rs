use serde_json::Value;

use crate::model::{Field, Item, sections};
use crate::text::{BOM, Source, Span};

/// The files beside a plain soul: name, key in JSON, and field.
pub const COMPANIONS: [(&str, &str, Field); 9] = [
    ("IDENTITY.md", "identity", Field::Card),
    ("STYLE.md", "style", Field::Style),
    ("AGENTS.md", "agents", Field::Procedure),
    ("TOOLS.md", "tools", Field::Tool),
    ("USER.md", "user", Field::User),
    ("RULES.md", "rules", Field::Limit),
    ("MEMORY.md", "memory", Field::Memory),
    ("examples/good-outputs.md", "good", Field::GoodExample),
    ("examples/bad-outputs.md", "bad", Field::BadExample),
];

/// What a file beside the soul says: a passage of its field, the rules of RULES.md one by one, any other file as a whole.
pub(super) fn items(path: &str, source: &Source) -> Vec<Item> {
    let known = COMPANIONS.iter().find(|(name, ..)| *name == path);
    let Some(text) = source.text() else {
        return vec![Item::entry(Field::File, path, Value::Null, Span::default())];
    };
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let text = &text[start..];
    match known {
        None => vec![Item::entry(Field::File, path, text, Span::default())],
        Some(_) if text.trim().is_empty() => Vec::new(),
        Some((name, _, Field::Limit)) => {
            let rules = sections::items_of(text, start, Field::Limit);
            rules.into_iter().map(|rule| Item { file: Some((*name).into()), ..rule }).collect()
        }
        Some((name, _, field)) => {
            let item = Item::passage(*field, text.trim(), Span::new(start, start + text.len()));
            vec![Item { file: Some((*name).into()), ..item }]
        }
    }
}
