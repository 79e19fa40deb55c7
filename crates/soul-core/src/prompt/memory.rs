use std::cmp::Reverse;

use pulldown_cmark::HeadingLevel;
use serde::{Deserialize, Serialize};

use crate::markup::markdown::outline;
use crate::text::visible;

/// The most bytes and lines that the index has, and the most characters of a line.
const MOST_BYTES: usize = 8 << 10;
const MOST_LINES: usize = 200;
const LONGEST: usize = 120;

/// A file of an agent's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Path relative to the agent's directory.
    pub path: String,
    /// The text, or why it could not be read.
    pub text: Result<String, String>,
}

/// The headings of an agent's memory files, so that the agent knows where to look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MemoryIndex"))]
pub struct MemoryIndex {
    /// The file names, each followed by the headings of its sections.
    pub text: String,
    /// Whether some entries were left out because the index was full.
    pub truncated: bool,
}

impl MemoryIndex {
    /// The index of memory files, in their order; `None` if it would be empty. `more` is the number of files that
    /// were not read.
    #[must_use]
    pub fn from_files(files: &[Memory], more: usize) -> Option<Self> {
        let mut text = String::new();
        let mut lines = 0;
        let mut left_out = 0;
        let mut add = |line: &str| {
            let cut: String = visible(line).chars().take(LONGEST).collect();
            if left_out > 0 || lines == MOST_LINES || text.len() + cut.len() >= MOST_BYTES {
                left_out += 1;
            } else {
                text.push_str(&cut);
                text.push('\n');
                lines += 1;
            }
        };
        for file in files {
            match &file.text {
                Ok(body) if body.trim().is_empty() => {}
                Ok(body) => {
                    add(&file.path);
                    for heading in outline(body) {
                        let depth = heading.level as usize - HeadingLevel::H1 as usize;
                        let title = heading.title.split_whitespace().collect::<Vec<_>>().join(" ");
                        if !title.is_empty() {
                            add(&format!("{}- {title}", "  ".repeat(depth)));
                        }
                    }
                }
                Err(why) => add(&format!("{} (not read: {why})", file.path)),
            }
        }
        let truncated = left_out + more > 0;
        if truncated {
            let what = [(left_out, "lines"), (more, "files")].into_iter().filter(|(count, _)| *count > 0);
            let what: Vec<String> = what.map(|(count, what)| format!("{count} more {what}")).collect();
            text.push_str(&format!("… {}\n", what.join(", ")));
        }
        text.pop();
        (!text.is_empty()).then_some(Self { text, truncated })
    }
}

/// Sorts the names of memory files by relevance: topics by name, then daily files, newest first.
pub fn by_age(names: &mut [String]) {
    let is_day = |name: &str| {
        let pattern = "0000-00-00";
        let fits = |(byte, pattern): (u8, u8)| if pattern == b'0' { byte.is_ascii_digit() } else { byte == pattern };
        name.len() >= pattern.len() && name.bytes().zip(pattern.bytes()).all(fits)
    };
    names.sort_by_cached_key(|name| {
        let day = is_day(name).then(|| Reverse(name.clone()));
        (day, name.clone())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Memory {
        Memory { path: path.into(), text: Ok(text.into()) }
    }

    #[test]
    fn headings_stand_below_their_files() {
        let files = [
            file("MEMORY.md", "# Facts\n\n## Ports\n22\n\n```\n# code\n```\n"),
            file("memory/empty.md", " \n"),
            file("memory/plain.md", "no heading\n"),
            Memory { path: "memory/x\n.md".into(), text: Err("it is a link".into()) },
        ];
        let index = MemoryIndex::from_files(&files, 0).unwrap();
        assert_eq!(
            index.text,
            "MEMORY.md\n- Facts\n  - Ports\nmemory/plain.md\nmemory/x\\n.md (not read: it is a link)"
        );
        assert!(!index.truncated);
        assert_eq!(MemoryIndex::from_files(&[], 0), None);
        assert_eq!(MemoryIndex::from_files(&[file("MEMORY.md", "")], 0), None);
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let many: String = (0..500).map(|n| format!("# Heading {n}\n")).collect();
        let index = MemoryIndex::from_files(&[file("MEMORY.md", &many)], 7).unwrap();
        assert!(index.truncated && index.text.len() < MOST_BYTES + 64);
        assert_eq!(index.text.lines().count(), MOST_LINES + 1);
        assert!(index.text.ends_with("… 301 more lines, 7 more files"));
        let long = format!("# {}\n", "é".repeat(10_000)).repeat(100);
        let index = MemoryIndex::from_files(&[file("MEMORY.md", &long)], 0).unwrap();
        assert!(index.truncated && index.text.len() < MOST_BYTES + 64);
    }

    #[test]
    fn the_last_day_comes_first() {
        let mut names = ["2026-01-02.md", "topic-b.md", "2026-11-30.md", "a.md"].map(str::to_owned);
        by_age(&mut names);
        assert_eq!(names, ["a.md", "topic-b.md", "2026-11-30.md", "2026-01-02.md"]);
    }
}
