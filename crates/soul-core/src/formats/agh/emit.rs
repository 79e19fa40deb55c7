use std::fmt::Write;

use super::headings::reserved_headings;
use crate::markup::frontmatter::{self, Opening};
use crate::markup::yaml;
use crate::model::{At, Dialect, Occurs, Soul, arrange, entries, passage};
use crate::text::{LineEnds, Unified};

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
