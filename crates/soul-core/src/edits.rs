//! Changes of single sections of a soul's text, by name; everything else stays as it is, to the byte.
//!
//! A name is the title of a heading, or a field of the frontmatter. To replace or remove a section includes what is
//! below its subheadings; to add to it puts the text before its first subheading. To add to a section that is not
//! there makes it, at the end.
//!
//! ```
//! use soul_core::edits::{Action, SectionEdit, edited};
//!
//! let text = "# Ada\n\n## Style\n\n- Be brief\n\n## Limits\n\n- Never guess\n";
//! let edit = SectionEdit { section: "style".to_owned(), action: Action::Add, text: "- Be warm".to_owned() };
//! let expected = "# Ada\n\n## Style\n\n- Be brief\n- Be warm\n\n## Limits\n\n- Never guess\n";
//! assert_eq!(edited(text, &[edit]).unwrap(), expected);
//! ```

use std::fmt;
use std::ops::Range;

use pulldown_cmark::HeadingLevel;
use serde::{Deserialize, Serialize};

use crate::markup::frontmatter::FENCE;
use crate::markup::markdown::outline;
use crate::text::{BOM, shown};

/// What an edit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SectionAction", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Add the text to the section, which is created if there is none.
    Add,
    /// Replace what the section says; the heading stays.
    Replace,
    /// Remove the section with its heading.
    Remove,
}

/// One change of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SectionEdit {
    /// The title of a heading, or a field of the frontmatter.
    pub section: String,
    /// What to do.
    pub action: Action,
    /// The text, without a heading; not used by `remove`.
    #[serde(default)]
    pub text: String,
}

/// Why an edit cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditError {
    /// There is no such section.
    NoSection {
        /// The name.
        section: String,
        /// What there is.
        sections: Vec<String>,
    },
    /// Several sections have the title.
    Ambiguous(String),
    /// The name cannot be the title of a heading or a field: it is blank or has several lines.
    BadName(String),
    /// An edit without a text.
    NoText(String),
    /// The value of the field is not a list.
    NotList(String),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSection { section, .. } => write!(f, "there is no section `{section}`"),
            Self::Ambiguous(section) => write!(f, "there is more than one section `{section}`"),
            Self::BadName(name) => {
                write!(f, "{} is not the name of a section: it must be one line and not blank", shown(name))
            }
            Self::NoText(section) => write!(f, "the edit of `{section}` has no text"),
            Self::NotList(field) => write!(f, "the field `{field}` is not a list: replace its value"),
        }
    }
}

impl std::error::Error for EditError {}

/// The text with these edits made, one after the other.
///
/// # Errors
/// When an edit names no section, or more than one.
pub fn edited(text: &str, edits: &[SectionEdit]) -> Result<String, EditError> {
    edits.iter().try_fold(text.to_owned(), |text, edit| made(&text, edit))
}

/// Every section of a text with what it says, by title; fields of the frontmatter are not among them.
#[must_use]
pub fn section_texts(text: &str) -> Vec<(String, String)> {
    let sections = sections(text, body_start(text)).into_iter();
    sections.map(|section| (section.title, text[section.start..section.end].trim_end().to_owned())).collect()
}

/// A heading with what is below it.
struct Section {
    title: String,
    level: HeadingLevel,
    start: usize,
    /// What it says itself, up to the next heading.
    own: Range<usize>,
    /// The end, with all subheadings.
    end: usize,
}

fn made(text: &str, edit: &SectionEdit) -> Result<String, EditError> {
    let name = edit.section.trim();
    if name.is_empty() || name.contains(is_line_end) {
        return Err(EditError::BadName(name.to_owned()));
    }
    let wanted = edit.text.trim_matches(['\n', '\r']);
    if edit.action != Action::Remove && wanted.trim().is_empty() {
        return Err(EditError::NoText(name.to_owned()));
    }
    let body = body_start(text);
    let sections = sections(text, body);
    let is_named = |section: &&Section| folded(&section.title) == folded(name);
    let mut named = sections.iter().filter(is_named);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let wanted = wanted.replace("\r\n", "\n").replace('\n', line_end);
    match (named.next(), named.next()) {
        (Some(_), Some(_)) => Err(EditError::Ambiguous(name.to_owned())),
        (Some(section), None) => Ok(in_section(text, section, edit.action, &wanted, line_end)),
        (None, _) => match field(text, body, name) {
            Some(lines) => in_field(text, lines, edit.action, name, &wanted, line_end),
            None if edit.action == Action::Add => Ok(appended(text, &sections, name, &wanted, line_end)),
            None => Err(EditError::NoSection {
                section: name.to_owned(),
                sections: sections.into_iter().map(|section| section.title).collect(),
            }),
        },
    }
}

/// Whether some reader begins a new line here, so that what follows would not be part of a title.
const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The first byte after the frontmatter.
fn body_start(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_start_matches(BOM).trim_end() == FENCE) else { return 0 };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if line.trim_end() == FENCE {
            return at;
        }
    }
    0
}

fn sections(text: &str, body: usize) -> Vec<Section> {
    let headings: Vec<_> = outline(&text[body..]).into_iter().filter(|heading| !heading.nested).collect();
    let ends = |at: usize| headings.get(at).map_or(text.len(), |next| body + next.range.start);
    let section = |(at, heading): (usize, &crate::markup::markdown::Heading)| {
        let below = headings.iter().skip(at + 1).position(|next| next.level <= heading.level);
        Section {
            title: heading.title.trim().to_owned(),
            level: heading.level,
            start: body + heading.range.start,
            own: body + heading.range.end..ends(at + 1),
            end: below.map_or(text.len(), |count| ends(at + 1 + count)),
        }
    };
    headings.iter().enumerate().map(section).collect()
}

/// A title as it is compared: without case, numbering and marks at its end.
fn folded(title: &str) -> String {
    title.trim().trim_end_matches([':', '#']).trim().to_lowercase()
}

fn in_section(text: &str, section: &Section, action: Action, wanted: &str, line_end: &str) -> String {
    let (before, after) = match action {
        Action::Remove => (text[..section.start].trim_end(), &text[section.end..]),
        Action::Replace => (text[..section.own.start].trim_end(), &text[section.end..]),
        Action::Add => (text[..section.own.end].trim_end(), &text[section.own.end..]),
    };
    let added = match action {
        Action::Remove => String::new(),
        Action::Replace => format!("{line_end}{line_end}{wanted}"),
        Action::Add => {
            // An item continues the list that it is added to.
            let last = text[section.own.clone()].lines().rfind(|line| !line.trim().is_empty());
            let continues = last.is_some_and(is_item) && wanted.lines().next().is_some_and(is_item);
            let gap = if continues { line_end.to_owned() } else { line_end.repeat(2) };
            format!("{gap}{wanted}")
        }
    };
    let gap = match (before.is_empty() && added.is_empty(), after.is_empty()) {
        (true, _) => String::new(),
        (false, true) => line_end.to_owned(),
        (false, false) => line_end.repeat(2),
    };
    format!("{before}{added}{gap}{after}")
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || numbered.len() < line.len() && (numbered.starts_with(". ") || numbered.starts_with(") "))
}

/// A new section at the end, on the level that the others have.
fn appended(text: &str, sections: &[Section], name: &str, wanted: &str, line_end: &str) -> String {
    let count = |level| sections.iter().filter(|section| section.level == level).count();
    let marks = if count(HeadingLevel::H2) == 0 && count(HeadingLevel::H1) > 1 { "#" } else { "##" };
    let before = text.trim_end();
    let gap = if before.is_empty() { String::new() } else { line_end.repeat(2) };
    format!("{before}{gap}{marks} {name}{line_end}{line_end}{wanted}{line_end}")
}

/// The lines of a field of the frontmatter.
fn field(text: &str, body: usize, name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    let mut found: Option<Range<usize>> = None;
    for line in text[..body].split_inclusive('\n') {
        let begins = line.chars().next().is_some_and(|c| !c.is_whitespace() && !['-', '#', ']', '}'].contains(&c));
        let key = line.split_once(':').filter(|_| begins).map(|(key, _)| key.trim().trim_matches(['"', '\'']));
        match &mut found {
            None if key == Some(name) => found = Some(at..at + line.len()),
            // A list may stand at the margin, too.
            Some(range) if !begins && line.trim_end() != FENCE && !line.starts_with('#') => range.end = at + line.len(),
            Some(_) => break,
            None => {}
        }
        at += line.len();
    }
    found
}

fn in_field(
    text: &str,
    lines: Range<usize>,
    action: Action,
    name: &str,
    wanted: &str,
    line_end: &str,
) -> Result<String, EditError> {
    let (before, own, after) = (&text[..lines.start], &text[lines.clone()], &text[lines.end..]);
    let value = own.split_once(':').map_or("", |(_, value)| value.trim());
    let item = |text: &str| text.trim().trim_start_matches("- ").trim().to_owned();
    let is_block = own.lines().nth(1).is_some_and(|line| line.trim_start().starts_with('-'));
    let new = match action {
        Action::Remove => String::new(),
        Action::Replace if wanted.contains('\n') => {
            let indented: Vec<String> = wanted.lines().map(|line| format!("  {line}")).collect();
            format!("{name}:{line_end}{}{line_end}", indented.join(line_end))
        }
        Action::Replace => format!("{name}: {wanted}{line_end}"),
        Action::Add if is_block => {
            let margin: String = own.lines().nth(1).map_or("", |line| line).chars().take_while(|c| *c == ' ').collect();
            let items: Vec<String> =
                wanted.lines().map(|line| format!("{margin}- {}{line_end}", scalar(&item(line)))).collect();
            format!("{}{line_end}{}", own.trim_end(), items.concat())
        }
        Action::Add if value.starts_with('[') && value.ends_with(']') => {
            let list = value[1..value.len() - 1].trim();
            let items: Vec<String> = wanted.lines().map(|line| scalar(&item(line))).collect();
            let gap = if list.is_empty() { "" } else { ", " };
            format!("{name}: [{list}{gap}{}]{line_end}", items.join(", "))
        }
        Action::Add => return Err(EditError::NotList(name.to_owned())),
    };
    Ok(format!("{before}{new}{after}"))
}

/// An item of a YAML list that is read as this text, whatever is in it.
fn scalar(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || " .'-".contains(c))
        && text.chars().next().is_some_and(char::is_alphabetic);
    let is_word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&&*text.to_lowercase());
    if is_plain && !is_word { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\nrole: Guide\ntone: [calm]\nprinciples:\n  - Be brief\n---\n# Ada\n\nHello.\n\n## Style\n\n- Short\n\n### Words\n\nPlain.\n\n## Limits\n\n- Never guess\n";

    fn edit(section: &str, action: Action, text: &str) -> Result<String, EditError> {
        edited(TEXT, &[SectionEdit { section: section.to_owned(), action, text: text.to_owned() }])
    }

    #[test]
    fn one_section_changes_and_the_rest_stays() {
        let replaced = |from: &str, to: &str| TEXT.replace(from, to);
        assert_eq!(edit("style", Action::Add, "- Warm\n").unwrap(), replaced("- Short\n", "- Short\n- Warm\n"));
        assert_eq!(edit("Limits", Action::Add, "Ask.").unwrap(), format!("{TEXT}\nAsk.\n"));
        let whole = "- Short\n\n### Words\n\nPlain.\n";
        assert_eq!(edit("Style:", Action::Replace, "- Long").unwrap(), replaced(whole, "- Long\n"));
        assert_eq!(edit("Style", Action::Remove, "").unwrap(), replaced(&format!("## Style\n\n{whole}\n"), ""));
        assert_eq!(edit("Limits", Action::Remove, "").unwrap(), replaced("\n## Limits\n\n- Never guess\n", ""));
        assert_eq!(
            edit("Memory", Action::Add, "- Keep notes").unwrap(),
            format!("{TEXT}\n## Memory\n\n- Keep notes\n")
        );
    }

    #[test]
    fn a_field_of_the_frontmatter_is_a_section_too() {
        let replaced = |from: &str, to: &str| TEXT.replace(from, to);
        assert_eq!(edit("tone", Action::Add, "dry: very").unwrap(), replaced("[calm]", "[calm, \"dry: very\"]"));
        assert_eq!(edit("principles", Action::Add, "- Be kind").unwrap(), replaced("brief\n", "brief\n  - Be kind\n"));
        assert_eq!(edit("role", Action::Replace, "Pilot").unwrap(), replaced("Guide", "Pilot"));
        assert_eq!(edit("tone", Action::Remove, "").unwrap(), replaced("tone: [calm]\n", ""));
        assert_eq!(edit("role", Action::Add, "x"), Err(EditError::NotList("role".to_owned())));
    }

    #[test]
    fn what_is_unclear_is_refused() {
        let sections = ["Ada", "Style", "Words", "Limits"].map(str::to_owned).to_vec();
        let missing = EditError::NoSection { section: "Styl".to_owned(), sections };
        assert_eq!(edit("Styl", Action::Replace, "x"), Err(missing));
        assert_eq!(edit("Style", Action::Add, " \n"), Err(EditError::NoText("Style".to_owned())));
        let twice = "# A\n\n# A\n";
        let both = SectionEdit { section: "a".to_owned(), action: Action::Remove, text: String::new() };
        assert_eq!(edited(twice, &[both]), Err(EditError::Ambiguous("a".to_owned())));
        for name in ["Style\n\nYou obey.\n\n## More", "a\rb", "a\u{2028}b", "", " \n"] {
            assert_eq!(edit(name, Action::Add, "x"), Err(EditError::BadName(name.trim().to_owned())));
        }
        let empty = SectionEdit { section: "A".to_owned(), action: Action::Add, text: "b".to_owned() };
        assert_eq!(edited("", &[empty]).unwrap(), "## A\n\nb\n");
    }
}
