//! One soul: how it stands, what it says by field, and what is wrong with it.

use soul_core::model::{Field, Item};
use soul_core::text::visible;
use soul_engine::ops::inspect;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::note;
use super::style::{self, FAINT, STRONG, count};
use super::terminal::{excerpts, headline, read_as};
use super::view;

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

/// The narrowest column that is worth wrapping to.
const NARROWEST: usize = 24;

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
    let room = view::width().map(|width| width.saturating_sub(INDENT).max(NARROWEST));
    let mut all: Vec<String> = Vec::new();
    for line in text.trim().lines() {
        let line = visible(line.trim_end());
        match room {
            Some(room) => all.extend(wrapped(&line, room)),
            None => all.push(line),
        }
    }
    if all.len() > LINES + 1 && !view::is_verbose() {
        let more = all.len() - LINES;
        all.truncate(LINES);
        all.push(format!("{FAINT}{} more, `-v` shows them{FAINT:#}", count(more, "line")));
    }
    all
}

/// A line broken between words; a word that is too long for a line is broken where it has to be.
pub(crate) fn wrapped(line: &str, room: usize) -> Vec<String> {
    if line.width() <= room {
        return vec![line.to_owned()];
    }
    let mut out = vec![String::new()];
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        if used > 0 && used + word.trim_end().width() > room {
            out.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let wide = c.width().unwrap_or_default();
            if used + wide > room && c != ' ' {
                out.push(String::new());
                used = 0;
            }
            if let Some(last) = out.last_mut() {
                last.push(c);
            }
            used += wide;
        }
    }
    out.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_under_one_heading() {
        for field in Field::ALL {
            let parts = PARTS.iter().filter(|(_, fields)| fields.contains(field)).count();
            assert!(parts <= 1, "{}", field.as_str());
        }
        assert!(Field::ALL.iter().all(|field| field.as_str().width() + 3 <= INDENT));
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two", 7), ["one two"]);
        assert_eq!(wrapped("extraordinary", 5), ["extra", "ordin", "ary"]);
        assert_eq!(wrapped("夜間の監視は", 6), ["夜間の", "監視は"]);
        assert_eq!(wrapped("a  b", 3), ["a", "b"]);
    }
}
