use std::fmt::Write;

use crate::formats::fields::extras;
use crate::markup::yaml;
use crate::model::name::name_for;
use crate::model::{At, Dialect, Field, Occurs, Soul, arrange, passage};

/// Fresh text. The id is not part of it: it is the name of the file.
pub(crate) fn emit(soul: &Soul) -> String {
    let mut out = String::from("---\n");
    for (place, items) in arrange(soul, Dialect::Dagu) {
        match place.at {
            At::Key(_) if place.occurs == Occurs::Map => out.push_str(&extras(&items, &["name", "description"])),
            At::Key(key) => {
                let text = items.first().and_then(|item| item.value.as_text()).filter(|text| !text.is_empty());
                let text = text.map(str::to_owned).or_else(|| (place.field == Field::Name).then(|| name_for(soul)));
                // A block at the end would lose its last line end; quotes keep it.
                out.extend(text.map(|text| match text.ends_with('\n') {
                    true => format!("{key}: {}\n", yaml::scalar(&text)),
                    false => yaml::field(key, &text.into()),
                }));
            }
            At::Body => {
                let content = written(&passage(place, &items));
                // A `\r` at the end must not meet the line end that follows.
                let end = if content.is_empty() || content.ends_with(['\r', '\n']) { "" } else { "\n" };
                let _ = write!(out, "---\n{content}{end}");
            }
            _ => {}
        }
    }
    out
}

/// Content as it is written: a `\r\n` that reading let through was `\r\r\n`.
pub(super) fn written(content: &str) -> String {
    content.replace("\r\n", "\r\r\n")
}
