use std::cmp::Reverse;
use std::collections::HashSet;

use pulldown_cmark::HeadingLevel;
use serde::{Deserialize, Serialize};

use crate::markup::markdown::outline;
use crate::text::{BOM, visible};

/// The most bytes of the layer, and what is kept for each later file with facts and for the list of pages, as far as
/// they need that much.
const MOST_BYTES: usize = 8 << 10;
const FOR_LATER: usize = MOST_BYTES / 4;
/// Room for the path of a file with facts, and for what is said when it was cut.
const FOR_NOTES: usize = 128;
/// The most lines of the list of pages, and the most characters of such a line.
const MOST_LINES: usize = 200;
const LONGEST: usize = 120;

/// What AgentOS writes to `memory/index.md` before there is anything to remember.
const EMPTY_CATALOGUE: &str = "# Memory Index";

/// A file of an agent's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Path relative to the agent's directory.
    pub path: String,
    /// The text, or why it could not be read.
    pub text: Result<String, String>,
    /// Whether the text itself belongs in the prompt, as far as there is room, and not only its headings.
    pub in_full: bool,
}

/// What an agent remembers: the facts that are always known, and the headings of the other files, so that the agent
/// knows where to look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MemoryIndex"))]
pub struct MemoryIndex {
    /// The names of the files, each followed by its text or by the headings of its sections.
    pub text: String,
    /// Whether some lines were left out because the layer was full.
    pub truncated: bool,
}

impl MemoryIndex {
    /// The index of memory files, in their order; `None` if it would be empty. `more` is the number of files that
    /// were not read.
    #[must_use]
    pub fn from_files(files: &[Memory], more: usize) -> Option<Self> {
        let mut pages: Vec<String> = files.iter().filter(|file| !file.is_facts()).flat_map(Memory::listed).collect();
        let facts: Vec<_> =
            files.iter().filter(|file| file.is_facts()).map(|file| (&*file.path, file.body())).collect();
        let listed: usize = pages.iter().map(|line| line.len() + 1).sum();
        let later = |after: usize| -> usize {
            let facts = facts[after + 1..].iter().map(|(_, body)| (body.len() + FOR_NOTES).min(FOR_LATER));
            facts.sum::<usize>() + listed.min(FOR_LATER)
        };
        let mut text = String::new();
        let mut truncated = false;
        let mut known = HashSet::new();
        for (index, (path, body)) in facts.iter().enumerate() {
            truncated |= add_facts(&mut text, path, body, &mut known, MOST_BYTES.saturating_sub(later(index)));
        }
        let mut room = MOST_BYTES.saturating_sub(text.len());
        let fits = |line: &&String| {
            let left = room.checked_sub(line.len() + 1);
            room = left.unwrap_or_default();
            left.is_some()
        };
        let shown = pages.iter().take(MOST_LINES).take_while(fits).count();
        let left_out = pages.split_off(shown).len();
        pages.iter().for_each(|line| text.extend([line, "\n"]));
        if left_out + more > 0 {
            truncated = true;
            let what = [(left_out, "lines"), (more, "files")].into_iter().filter(|(count, _)| *count > 0);
            let what: Vec<String> = what.map(|(count, what)| format!("{count} more {what}")).collect();
            text.push_str(&format!("… {}\n", what.join(", ")));
        }
        text.truncate(text.trim_end().len());
        (!text.is_empty()).then_some(Self { text, truncated })
    }
}

impl Memory {
    fn is_facts(&self) -> bool {
        self.in_full && self.text.is_ok()
    }

    fn body(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The path, and the headings below it.
    fn listed(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.text {
            Ok(body) if body.trim().is_empty() => {}
            Ok(body) => {
                lines.push(self.path.clone());
                for heading in outline(body) {
                    let depth = heading.level as usize - HeadingLevel::H1 as usize;
                    let title = heading.title.split_whitespace().collect::<Vec<_>>().join(" ");
                    if !title.is_empty() {
                        lines.push(format!("{}- {title}", "  ".repeat(depth)));
                    }
                }
            }
            Err(why) => lines.push(format!("{} (not read: {why})", self.path)),
        }
        lines.iter().map(|line| visible(line).chars().take(LONGEST).collect()).collect()
    }
}

/// Adds the lines of a file as they are, up to the first one for which the text would have more than `most` bytes. A
/// line that stood in a file before is left out: AgentOS copies MEMORY.md into its catalogue. Returns whether it was
/// cut.
fn add_facts<'a>(text: &mut String, path: &str, body: &'a str, known: &mut HashSet<&'a str>, most: usize) -> bool {
    let mut lines: Vec<&str> = Vec::new();
    let mut says_something = known.is_empty() && body.trim() != EMPTY_CATALOGUE;
    for line in body.trim_start_matches(BOM).lines().map(str::trim_end) {
        let is_blank = line.is_empty();
        if is_blank && lines.last().is_none_or(|last| last.is_empty()) || known.contains(line) {
            continue;
        }
        let is_comment = line.starts_with("<!--") && line.ends_with("-->");
        says_something |= !(is_blank || is_comment || line.starts_with('#'));
        lines.push(line);
    }
    while lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    if lines.is_empty() || !says_something {
        return false;
    }
    known.extend(lines.iter().filter(|line| !line.is_empty()));
    text.extend([path, "\n"]);
    let end = text.len();
    let shown = lines.iter().take_while(|line| {
        let fits = text.len() + line.len() + FOR_NOTES <= most;
        if fits {
            text.extend([line, "\n"]);
        }
        fits
    });
    let left_out = lines.len() - shown.count();
    text.truncate(text.trim_end().len().max(end - 1));
    text.push('\n');
    if left_out > 0 {
        text.push_str(&format!("… {left_out} more lines of {path}\n"));
    }
    text.push('\n');
    left_out > 0
}

/// Sorts the names of memory files by relevance: topics by name, then daily files, newest first.
pub fn by_age(names: &mut [String]) {
    let is_day = |name: &str| {
        let pattern = "0000-00-00";
        let fits = |(byte, pattern): (u8, u8)| if pattern == b'0' { byte.is_ascii_digit() } else { byte == pattern };
        name.len() >= pattern.len() && name.bytes().zip(pattern.bytes()).all(fits)
    };
    names.sort_by_cached_key(|name| {
        let file = name.rsplit('/').next().unwrap_or(name);
        let day = is_day(file).then(|| Reverse(file.to_owned()));
        (day, name.clone())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Memory {
        Memory { path: path.into(), text: Ok(text.into()), in_full: false }
    }

    fn facts(path: &str, text: &str) -> Memory {
        Memory { in_full: true, ..file(path, text) }
    }

    #[test]
    fn facts_stand_as_they_are_and_headings_below_their_files() {
        let files = [
            facts("MEMORY.md", "# Facts\n\n\n\n## Ports\n\t- 22,  always\n\nUser prefers terse commits.\n\n"),
            facts("memory/index.md", "# Memory Index\n\n- [bob](entities/bob.md): likes tea\n"),
            file("memory/topic.md", "# Facts\n\n## Ports\n22\n\n```\n# code\n```\n"),
            file("memory/empty.md", " \n"),
            file("memory/entities/bob.md", "no heading\n"),
            Memory { path: "memory/x\n.md".into(), text: Err("it is a link".into()), in_full: false },
        ];
        let index = MemoryIndex::from_files(&files, 0).unwrap();
        let expected = [
            "MEMORY.md\n# Facts\n\n## Ports\n\t- 22,  always\n\nUser prefers terse commits.\n",
            "memory/index.md\n# Memory Index\n\n- [bob](entities/bob.md): likes tea\n",
            "memory/topic.md\n- Facts\n  - Ports\nmemory/entities/bob.md\nmemory/x\\n.md (not read: it is a link)",
        ];
        assert_eq!(index.text, expected.join("\n"));
        assert!(!index.truncated);
        assert_eq!(MemoryIndex::from_files(&[], 0), None);
        assert_eq!(MemoryIndex::from_files(&[facts("MEMORY.md", "")], 0), None);
        assert_eq!(MemoryIndex::from_files(&[facts("memory/index.md", "# Memory Index\n")], 0), None);
        let unread = Memory { text: Err("it is a directory".into()), ..facts("MEMORY.md", "") };
        let index = MemoryIndex::from_files(&[unread], 0).unwrap();
        assert_eq!(index.text, "MEMORY.md (not read: it is a directory)");
    }

    #[test]
    fn a_catalogue_that_copies_the_facts_does_not_repeat_them() {
        let memory = "# Facts\n\n- The port is 22.\n";
        let copied = format!("# Memory Index\n\n<!-- migrated from MEMORY.md -->\n\n{memory}\n");
        let index =
            |index: &str| MemoryIndex::from_files(&[facts("MEMORY.md", memory), facts("memory/index.md", index)], 0);
        assert_eq!(index(&copied).unwrap().text, "MEMORY.md\n# Facts\n\n- The port is 22.");
        assert!(index(&format!("{copied}- New.\n")).unwrap().text.ends_with("MEMORY.md -->\n\n- New."));
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let many: String = (0..500).map(|n| format!("# Heading {n}\n")).collect();
        let index = MemoryIndex::from_files(&[file("memory/a.md", &many)], 7).unwrap();
        assert!(index.truncated && index.text.len() < MOST_BYTES + 64);
        assert_eq!(index.text.lines().count(), MOST_LINES + 1);
        assert!(index.text.ends_with("… 301 more lines, 7 more files"));
        let long = format!("# {}\n", "é".repeat(10_000)).repeat(100);
        let index = MemoryIndex::from_files(&[file("memory/a.md", &long)], 0).unwrap();
        assert!(index.truncated && index.text.len() < MOST_BYTES + 64);
    }

    #[test]
    fn facts_leave_room_for_the_pages() {
        let long: String = (0..1000).map(|n| format!("- Fact {n:03} of many.\n")).collect();
        let alone = MemoryIndex::from_files(&[facts("MEMORY.md", &long)], 0).unwrap();
        assert!(alone.truncated && (MOST_BYTES - 256..=MOST_BYTES).contains(&alone.text.len()));
        let shown = alone.text.lines().filter(|line| line.starts_with("- Fact")).count();
        assert!(alone.text.ends_with(&format!("… {} more lines of MEMORY.md", 1000 - shown)));
        let many: String = (0..500).map(|n| format!("# Heading {n}\n")).collect();
        let both = MemoryIndex::from_files(&[facts("MEMORY.md", &long), file("memory/a.md", &many)], 0).unwrap();
        assert!(both.text.contains("\nmemory/a.md\n- Heading 0\n") && both.text.len() < MOST_BYTES + 64);
        assert!(both.text.contains("more lines of MEMORY.md\n\n") && both.text.ends_with(" more lines"));
        let small = [facts("memory/index.md", "- Bob likes tea.\n"), file("memory/bob.md", "# Bob\n")];
        let all = [facts("MEMORY.md", &long)].into_iter().chain(small).collect::<Vec<_>>();
        let all = MemoryIndex::from_files(&all, 0).unwrap();
        assert!(all.text.ends_with("\n\nmemory/index.md\n- Bob likes tea.\n\nmemory/bob.md\n- Bob"), "{}", all.text);
        assert!(all.truncated && all.text.len() <= MOST_BYTES);
    }

    #[test]
    fn the_last_day_comes_first() {
        let mut names = ["2026-01-02.md", "topic-b.md", "log/2026-11-30.md", "a.md"].map(str::to_owned);
        by_age(&mut names);
        assert_eq!(names, ["a.md", "topic-b.md", "log/2026-11-30.md", "2026-01-02.md"]);
    }
}
