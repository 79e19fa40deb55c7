//! The two memory blocks, and what the memory tool accepts.

use super::text::{read, stripped};
use super::threats::{Scope, scan};
use crate::runtimes::files::{Files, bytes_of};
use crate::runtimes::units::{code_points, thousands};
use crate::runtimes::{Loss, Sources, State, Traced};
use crate::text::python_strip;

const DELIMITER: &str = "\n§\n";

/// Which of the two.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    Memory,
    User,
}

impl Store {
    /// The file in the runtime's home.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Memory => "memories/MEMORY.md",
            Self::User => "memories/USER.md",
        }
    }

    const fn file_name(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY.md",
            Self::User => "USER.md",
        }
    }

    const fn header(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY (your personal notes)",
            Self::User => "USER PROFILE (who the user is)",
        }
    }

    /// How much the memory tool lets grow; a file that is longer is injected whole all the same.
    #[must_use]
    pub const fn default_limit(self) -> usize {
        match self {
            Self::Memory => 2_200,
            Self::User => 1_375,
        }
    }
}

/// The block of a store; `None` if it has no entries.
pub fn block(
    files: &dyn Files,
    path: &str,
    store: Store,
    limit: usize,
    sources: &mut Sources,
    losses: &mut Vec<Loss>,
) -> Option<Traced> {
    let bytes = bytes_of(files, path)?;
    let file = sources.number(path);
    let text = read(&bytes, file)?;
    let mut seen: Vec<String> = Vec::new();
    let mut entries: Vec<Traced> = Vec::new();
    for entry in entries_of(&text) {
        if seen.iter().any(|known| known == entry.as_str()) {
            let range = entry.ranges_of(file).first().cloned();
            let reason = "a repeated entry is injected once".to_owned();
            losses.push(Loss { file, range, state: State::Dropped, rule: "memory-duplicate", reason });
            continue;
        }
        seen.push(entry.as_str().to_owned());
        entries.push(safe(entry, store, file, losses));
    }
    if entries.is_empty() {
        return None;
    }
    let content = Traced::joined(&entries, DELIMITER);
    let length = code_points(content.as_str());
    let percent = if limit > 0 { ((length as f64 / limit as f64) * 100.0).min(100.0) as usize } else { 0 };
    let rule = "═".repeat(46);
    let header = store.header();
    let (length, limit) = (thousands(length), thousands(limit));
    let mut block = Traced::from(format!("{rule}\n{header} [{percent}% — {length}/{limit} chars]\n{rule}\n").as_str());
    block.push(&content);
    Some(block)
}

fn entries_of(text: &Traced) -> Vec<Traced> {
    let source = text.as_str();
    let mut entries = Vec::new();
    let mut start = 0;
    for end in source.match_indices(DELIMITER).map(|(at, _)| at).chain([source.len()]) {
        let entry = stripped(&text.slice(start..end));
        if !entry.is_empty() {
            entries.push(entry);
        }
        start = end + DELIMITER.len();
    }
    entries
}

/// The entry, or its placeholder.
fn safe(entry: Traced, store: Store, file: usize, losses: &mut Vec<Loss>) -> Traced {
    if entry.as_str().starts_with("[BLOCKED:") {
        return entry;
    }
    let found = scan(entry.as_str(), Scope::Strict);
    if found.is_empty() {
        return entry;
    }
    let ids = found.join(", ");
    let range = entry.ranges_of(file).first().map(|first| {
        let last = entry.ranges_of(file).last().map_or(first.end, |last| last.end);
        first.start..last
    });
    let reason = format!("its scan found {ids}, so the entry is replaced by a placeholder");
    losses.push(Loss { file, range, state: State::Blocked, rule: "memory-scan", reason });
    Traced::from(
        format!(
            "[BLOCKED: {} entry contained threat pattern(s): {ids}. Removed from system prompt; use memory(action=remove) to delete the original.]",
            store.file_name()
        )
        .as_str(),
    )
}

/// What the memory tool makes of a new entry: the new text, or `None` if it refuses.
#[must_use]
pub fn add(before: &str, entry: &str, limit: usize) -> Option<String> {
    let entry = python_strip(entry);
    if entry.is_empty() || !scan(entry, Scope::Strict).is_empty() {
        return None;
    }
    let mut entries: Vec<&str> = Vec::new();
    for known in before.split(DELIMITER).map(python_strip).filter(|known| !known.is_empty()) {
        if !entries.contains(&known) {
            entries.push(known);
        }
    }
    if entries.contains(&entry) {
        return Some(before.to_owned());
    }
    entries.push(entry);
    let after = entries.join(DELIMITER);
    (code_points(&after) <= limit).then_some(after)
}
