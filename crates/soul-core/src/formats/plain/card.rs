//! IDENTITY.md: a card of `- Label: value` lines.
//!
//! Read as OpenClaw does: line by line, emphasis does not count, the last of equal labels wins, and a hint that the
//! template leaves for the author is no value.

use crate::model::name::is_nobody;
use crate::text::Span;

/// One line of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The label in lower case.
    pub(super) label: String,
    pub(super) value: String,
    /// Where the value stands.
    pub(super) span: Span,
    /// Where the line ends.
    end: usize,
}

/// The labels of the fields that a card has in common with other dialects; the first is the one that we write.
pub(super) const NAME: &[&str] = &[
    "Name",
    "Agent name",
    "Display name",
    "Full name",
    "名字",
    "姓名",
    "名称",
    "名稱",
    "名前",
    "이름",
    "имя",
    "nombre",
    "nome",
    "nom",
];
pub(super) const ROLE: &[&str] = &["Role", "角色", "役割", "역할", "роль", "rol", "rolle", "papel"];
pub(super) const DESCRIPTION: &[&str] =
    &["Description", "描述", "説明", "설명", "описание", "descripción", "descrição"];
pub(super) const TAGS: &[&str] = &["Tags"];
pub(super) const AVATAR: &[&str] = &["Avatar"];
pub(super) const ID: &[&str] = &["Agent ID"];

/// The lines of a card that give a value.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    // A label may also be a heading, with its value on the next line that says something.
    let mut heading: Option<String> = None;
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim();
        let found = match read(line, start) {
            None if !content.is_empty() && !content.starts_with('#') => {
                heading.as_deref().and_then(|label| under_heading(label, line, start)).or_else(|| read_row(line, start))
            }
            found => found,
        };
        if !content.is_empty() {
            let title = content.trim_start_matches('#').trim();
            heading = content.starts_with('#').then(|| title.to_lowercase()).filter(|title| is_name_label(title));
        }
        lines.extend(found);
        start += line.len();
    }
    lines
}

/// The name that an IDENTITY.md gives.
#[must_use]
pub fn name(text: &str) -> Option<String> {
    let lines = lines(text);
    value(&lines, NAME).map(|line| line.value.clone()).filter(|name| !is_nobody(name))
}

fn is_name_label(label: &str) -> bool {
    NAME.iter().any(|name| name.to_lowercase() == label)
}

/// The line under a heading that asks for the name.
fn under_heading(label: &str, line: &str, start: usize) -> Option<Line> {
    line_of(label, line.trim().trim_start_matches("- "), line, start).filter(|line| line.value.chars().count() <= 60)
}

/// A row of a table: `| Name | Ada |`.
fn read_row(line: &str, start: usize) -> Option<Line> {
    let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
    let label: String = cells.next()?.chars().filter(|c| !matches!(c, '*' | '_' | '`')).collect();
    let value = cells.next()?;
    is_name_label(&label.to_lowercase()).then(|| line_of(&label, value, line, start))?
}

fn line_of(label: &str, value: &str, line: &str, start: usize) -> Option<Line> {
    let value = value.trim_matches(|c: char| matches!(c, '*' | '_' | '`') || c.is_whitespace());
    let at = value.as_ptr() as usize - line.as_ptr() as usize;
    (!value.is_empty() && !is_hint(value)).then(|| Line {
        label: label.trim().to_lowercase(),
        value: value.to_owned(),
        span: Span::new(start + at, start + at + value.len()),
        end: start + line.len(),
    })
}

/// The last value of any of these labels.
pub(super) fn value<'a>(lines: &'a [Line], labels: &[&str]) -> Option<&'a Line> {
    lines.iter().rev().find(|line| labels.iter().any(|label| label.to_lowercase() == line.label))
}

fn read(line: &str, start: usize) -> Option<Line> {
    let content = line.trim();
    let content = content.strip_prefix("- ").or_else(|| content.strip_prefix("* ")).unwrap_or(content).trim_start();
    let (label, value) = content.split_once([':', '：'])?;
    let label: String = label.chars().filter(|c| !matches!(c, '*' | '_' | '`')).collect();
    let is_label = !label.trim().is_empty() && label.chars().count() <= 40 && !label.trim_start().starts_with('#');
    is_label.then(|| line_of(&label, value, line, start))?
}

/// Whether a value only tells the author what to write: it stands in brackets as a whole, or says that it is not set.
fn is_hint(value: &str) -> bool {
    let bracketed = [('(', ')'), ('（', '）'), ('[', ']'), ('<', '>'), ('{', '}')]
        .iter()
        .any(|(open, close)| value.starts_with(*open) && value.ends_with(*close) && value.matches(*open).count() <= 2);
    let words: String = value.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    bracketed
        || words.is_empty() && value.is_ascii()
        || matches!(words.as_str(), "notset" | "notsetyet" | "tbd" | "todo" | "none" | "unset")
}

/// Whether a value comes back from a line of a card as it is.
pub(super) fn fits(value: &str) -> bool {
    let line = format!("- X: {value}");
    !value.contains(['\n', '\r']) && lines(&line).first().is_some_and(|read| read.value == value)
}

/// A card with lines added for the labels that it lacks: after its last line with a value, or after its heading.
pub(super) fn with_lines(card: Option<&str>, added: &[(&str, String)]) -> String {
    let new: String = added.iter().map(|(label, value)| format!("- {label}: {value}\n")).collect();
    let Some(card) = card.filter(|card| !card.trim().is_empty()) else { return format!("# Identity\n\n{new}") };
    let at = lines(card).last().map(|line| line.end);
    let heading = card.starts_with('#').then(|| card.find('\n').map_or(card.len(), |at| at + 1));
    let (before, after) = card.split_at(at.or(heading).unwrap_or(0));
    let gap = |text: &str, gap| if text.is_empty() || text.ends_with('\n') { "" } else { gap };
    let blank = if at.is_none() && heading.is_some() { "\n" } else { "" };
    let end = if at.is_none() && !after.is_empty() && !after.starts_with('\n') { "\n" } else { "" };
    format!("{before}{}{blank}{new}{end}{after}", gap(before, "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_whatever_their_dress() {
        let text = "# Card\r\n\r\n- **Name:** Ada\r\n* `Emoji`: 🌱\n_Vibe_: **calm**\nNo label here\nName: _Grace_\n- 名字：小七\n";
        let lines = lines(text);
        assert_eq!(value(&lines, &["Name"]).map(|line| line.value.as_str()), Some("Grace"));
        assert_eq!(value(&lines, NAME).map(|line| line.value.as_str()), Some("小七"));
        assert_eq!(value(&lines, &["emoji"]).map(|line| line.value.as_str()), Some("🌱"));
        for line in &lines {
            assert_eq!(&text[line.span.start..line.span.end], line.value);
        }
    }

    #[test]
    fn a_name_may_stand_under_a_heading_or_in_a_table() {
        for text in [
            "# Identity\n\n## Name\n\nAda 🌱\n\n## Purpose\nHelp\n",
            "| Field | Value |\n|---|---|\n| **Name** | Ada 🌱 |\n",
        ] {
            let lines = lines(text);
            let name = value(&lines, NAME).unwrap();
            assert_eq!((name.value.as_str(), &text[name.span.start..name.span.end]), ("Ada 🌱", "Ada 🌱"));
        }
        assert!(value(&lines("## Name\n\n## Role\nPilot\n"), NAME).is_none());
    }

    #[test]
    fn hints_of_a_template_are_no_values() {
        for hint in
            ["(choose a name)", "_(how do you sound?)_", "[your name]", "{{name}}", "Not set yet", "TBD", "—", "-", ""]
        {
            let text = format!("- **Name:** {hint}\n");
            assert!(lines(&text).is_empty() || hint == "—", "{hint}");
        }
        assert!(!lines("- Name: Ada (v2)\n").is_empty());
    }

    #[test]
    fn lines_are_added_where_the_card_is() {
        let added = [("Role", "Pilot".to_owned())];
        assert_eq!(with_lines(None, &added), "# Identity\n\n- Role: Pilot\n");
        assert_eq!(
            with_lines(Some("# Me\n\n- Name: Ada\n\nNotes.\n"), &added),
            "# Me\n\n- Name: Ada\n- Role: Pilot\n\nNotes.\n"
        );
        assert_eq!(with_lines(Some("# Me\nNotes."), &added), "# Me\n\n- Role: Pilot\n\nNotes.");
        assert_eq!(with_lines(Some("Name: Ada"), &added), "Name: Ada\n- Role: Pilot\n");
    }
}
