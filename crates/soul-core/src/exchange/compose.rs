//! A soul composed of the fields of another form, in which the same thing is often said twice.

use std::fmt::Write as _;

use super::is_said;

/// A text under construction: a field that it says already adds nothing.
pub(super) struct Composer {
    text: String,
}

impl Composer {
    /// Begins with a text as it is, or with the name as a title.
    pub(super) fn new(name: &str, text: Option<&str>) -> Self {
        let text = text.filter(|text| !text.trim().is_empty());
        // A name from a stranger is one line, so that it cannot open a section.
        let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = || if name.is_empty() { String::new() } else { format!("# {name}\n") };
        Self { text: text.map_or_else(title, str::to_owned) }
    }

    fn open(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.text.truncate(self.text.trim_end().len());
            self.text.push_str("\n\n");
        }
        if !heading.is_empty() {
            let _ = write!(self.text, "## {heading}\n\n");
        }
    }

    /// A passage under a heading.
    pub(super) fn passage(&mut self, heading: &str, passage: &str) {
        if !is_said(passage, &self.text) {
            self.open(heading);
            let _ = writeln!(self.text, "{}", passage.trim());
        }
    }

    /// A list under a heading, of what is not said yet.
    pub(super) fn list<'a>(&mut self, heading: &str, entries: impl IntoIterator<Item = &'a str>) {
        let new: Vec<&str> = entries.into_iter().map(str::trim).filter(|entry| !is_said(entry, &self.text)).collect();
        if !new.is_empty() {
            self.open(heading);
            for entry in new {
                let _ = writeln!(self.text, "- {}", entry.replace('\n', "\n  "));
            }
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
