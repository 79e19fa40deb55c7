//! One soul: how it stands, what it says by field, and what is wrong with it.

use soul_core::model::{Field, Item};
use soul_core::text::visible;
use soul_engine::ops::inspect;

use super::note;
use super::style::{self, FAINT, STRONG, count};
use super::terminal::{excerpts, headline, read_as};
use super::view;
use super::wrap::wrapped_at;

/// Headings, and the fields below them in the order in which they are shown.
const PARTS: [(&str, &[Field]); 5] = [
    ("Identity", &[Field::Id, Field::Name, Field::Role, Field::Description, Field::Version, Field::Tag]),
    (
        "Voice",
        &[Field::Tone, Field::Style, Field::Voice, Field::Trait, Field::DefaultMood, Field::Mood, Field::OutputFormat],
    ),
    ("Values and limits", &[Field::Principle, Field::Limit, Field::MustAlways, Field::MustNever, Field::Escalation]),
    (
        "Work",
        &[
            Field::Collaboration,
            Field::Handoff,
            Field::MemoryPolicy,
            Field::Tool,
            Field::Procedure,
            Field::User,
            Field::Memory,
        ],
    ),
    ("Text", &[Field::Preamble, Field::Body, Field::Section]),
];

/// What no other heading has.
const OTHERS: &str = "Other fields";

/// How wide the column of names is, with what is around it.
const INDENT: usize = 18;

/// How many lines of a text are shown without `-v`.
const LINES: usize = 6;

pub(crate) fn inspection(response: &inspect::Response) -> String {
    let mut out = headline(response) + &read_as(response);
    if let Some(digest) = &response.digest {
        out.push_str(&format!("{FAINT}digest{FAINT:#} {}\n", style::digest(digest)));
    }
    let items = &response.soul.items;
    for (title, fields) in PARTS {
        part(&mut out, title, items, fields);
    }
    let is_known = |field: &Field| PARTS.iter().any(|(_, fields)| fields.contains(field));
    let others: Vec<Field> = Field::ALL.iter().copied().filter(|field| !is_known(field)).collect();
    part(&mut out, OTHERS, items, &others);
    if !response.diagnostics.is_empty() {
        out.push('\n');
        out.push_str(&excerpts(note::of_soul(response)));
    }
    out
}

/// The items of these fields below their heading; nothing if there are none.
fn part(out: &mut String, title: &str, items: &[Item], fields: &[Field]) {
    if !items.iter().any(|item| fields.contains(&item.field)) {
        return;
    }
    out.push_str(&format!("\n{STRONG}{title}{STRONG:#}\n"));
    for field in fields {
        let mut name = field.as_str();
        for item in items.iter().filter(|item| item.field == *field) {
            for line in lines(&item.value.plain_text()) {
                let padding = INDENT - 2;
                out.push_str(format!("  {FAINT}{name:<padding$}{FAINT:#}{line}").trim_end());
                out.push('\n');
                name = "";
            }
        }
    }
}

/// The lines of a text, no wider than the terminal; the first ones, unless the user wants all.
fn lines(text: &str) -> Vec<String> {
    let lines = text.trim().lines().map(|line| visible(line.trim_end()));
    let mut all: Vec<String> = lines.flat_map(|line| wrapped_at(&line, INDENT)).collect();
    if all.len() > LINES + 1 && !view::is_verbose() {
        let more = all.len() - LINES;
        all.truncate(LINES);
        all.push(format!("{FAINT}{} more, `-v` shows them{FAINT:#}", count(more, "line")));
    }
    all
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn every_field_is_under_one_heading() {
        for field in Field::ALL {
            let parts = PARTS.iter().filter(|(_, fields)| fields.contains(field)).count();
            assert!(parts <= 1, "{}", field.as_str());
        }
        assert!(Field::ALL.iter().all(|field| field.as_str().width() + 3 <= INDENT));
    }
}
