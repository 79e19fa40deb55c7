//! Which files of a tree the scanner reads: those that models read, and not the source code beside them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use soul_core::formats::AUTHORED_FOLDERS;
use soul_core::formats::soulspec::MANIFESTS;

use crate::files::{Below, PERSONA_FILE, folder_of, is_library, is_named, is_soul_file};

/// Files that models read, wherever they are. `rules.md` is a page like any other, `RULES.md` is not.
const BY_NAME: [&str; 17] = [
    "AGENTS.md",
    "AGENT.md",
    "IDENTITY.md",
    "STYLE.md",
    "RULES.md",
    "MEMORY.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "TOOLS.md",
    "USER.md",
    "SKILL.md",
    "CLAUDE.md",
    "GEMINI.md",
    "copilot-instructions.md",
    ".cursorrules",
    "soul.json",
    "clawsoul.json",
];

/// Extensions of texts at the top of an agent's folder.
const TEXTS: [&str; 6] = ["md", "json", "yaml", "yml", "toml", "txt"];

/// The manifest of a skill, whose scripts are part of it.
const SKILL: &str = "SKILL.md";

/// What a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Everything below belongs to it.
    Whole,
    /// Texts at its top and what is in the folders that a soul has.
    Agent,
}

/// Whether a file stands beside a soul and is none itself.
pub(crate) fn is_companion(path: &Path) -> bool {
    is_named(path, |name| {
        let is_soul = is_soul_file(name) || name == PERSONA_FILE || MANIFESTS.contains(&name);
        !is_soul && (BY_NAME.contains(&name) || !name.ends_with(".md"))
    })
}

/// Whether a file may be a report or a baseline of ours, and nothing that a model reads whatever it looks like.
pub(super) fn may_be_report(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|extension| extension == "json" || extension == "sarif");
    let is_part = |part: &OsStr| part == "memory" || AUTHORED_FOLDERS.iter().any(|folder| part == *folder);
    is_json && !is_by_name(path) && !folder_of(path).iter().any(is_part)
}

fn is_by_name(path: &Path) -> bool {
    is_named(path, |name| BY_NAME.contains(&name) || is_soul_file(name) || name == PERSONA_FILE)
}

/// The files that are scanned, in groups that belong together: sentences may run from one file of a group to the next.
pub(crate) fn scan_groups(files: &[PathBuf]) -> Vec<Vec<&Path>> {
    let folders = folder_kinds(files.iter().map(PathBuf::as_path));
    let mut groups: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
    for path in files {
        if let Some(group) = group_of(path, &folders) {
            groups.entry(group).or_default().push(path);
        }
    }
    groups.into_values().collect()
}

/// All files, by the package, skill or agent that they belong to, and else by their folder.
pub(super) fn whole_groups(files: Vec<Below>) -> Vec<Vec<Below>> {
    let folders = folder_kinds(files.iter().map(|file| file.path.as_path()));
    let folder = |file: &Below| outermost(&file.path, &folders).unwrap_or_else(|| folder_of(&file.path)).to_path_buf();
    let names: Vec<PathBuf> = files.iter().map(folder).collect();
    let mut groups: BTreeMap<PathBuf, Vec<Below>> = BTreeMap::new();
    for (folder, file) in names.into_iter().zip(files) {
        groups.entry(folder).or_default().push(file);
    }
    groups.into_values().collect()
}

/// The folders of packages, skills and agents.
fn folder_kinds<'a>(files: impl Iterator<Item = &'a Path>) -> BTreeMap<&'a Path, Kind> {
    let mut folders: BTreeMap<&Path, Kind> = BTreeMap::new();
    for path in files {
        let kind = match path.file_name().and_then(OsStr::to_str) {
            Some(name) if name == SKILL || MANIFESTS.contains(&name) => Kind::Whole,
            Some(name) if is_soul_file(name) || name == PERSONA_FILE => Kind::Agent,
            _ => continue,
        };
        let known = folders.entry(folder_of(path)).or_insert(kind);
        *known = if kind == Kind::Whole { kind } else { *known };
    }
    folders
}

/// The folder whose files a file is scanned with; itself if it stands alone, `None` if it is not scanned.
fn group_of<'a>(path: &'a Path, folders: &BTreeMap<&'a Path, Kind>) -> Option<&'a Path> {
    outermost(path, folders).or_else(|| {
        let is_in_library = is_library(folder_of(path)) && path.extension() == Some(OsStr::new("md"));
        (is_by_name(path) || is_in_library).then_some(path)
    })
}

/// The outermost folder that a file belongs to: a skill belongs to its agent.
fn outermost<'a>(path: &'a Path, folders: &BTreeMap<&'a Path, Kind>) -> Option<&'a Path> {
    let folder = folder_of(path);
    let mut outermost = None;
    for ancestor in path.ancestors().skip(1) {
        let ancestor = if ancestor.as_os_str().is_empty() { Path::new(".") } else { ancestor };
        let belongs = match folders.get(ancestor) {
            Some(Kind::Whole) => true,
            Some(Kind::Agent) => ancestor == folder && is_text(path) || is_authored(path, ancestor),
            None => false,
        };
        outermost = if belongs { Some(ancestor) } else { outermost };
    }
    outermost
}

fn is_text(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| TEXTS.contains(&extension)) || is_by_name(path)
}

/// Whether a file is in one of the folders that are part of a soul.
fn is_authored(path: &Path, agent: &Path) -> bool {
    let here = (agent == Path::new(".")).then_some(path);
    let first = path.strip_prefix(agent).ok().or(here).and_then(|below| below.components().next());
    let first = first.and_then(|part| part.as_os_str().to_str());
    first.is_some_and(|first| first == "memory" || AUTHORED_FOLDERS.contains(&first)) && path.parent() != Some(agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_models_read_is_scanned_and_source_code_is_not() {
        let files = [
            "AGENTS.md",
            "Cargo.toml",
            "agents/a/SOUL.md",
            "agents/a/notes.txt",
            "agents/a/skills/x/SKILL.md",
            "agents/a/skills/x/run.py",
            "agents/a/src/main.rs",
            "docs/AGENTS.md",
            "docs/page.md",
            "docs/rules.md",
            "pack/lib/run.sh",
            "pack/soul.json",
            "skills/y/SKILL.md",
            "skills/y/run.sh",
            "souls/ops.md",
            "src/main.rs",
        ]
        .map(PathBuf::from);
        let groups = scan_groups(&files);
        let shown: Vec<Vec<String>> =
            groups.iter().map(|group| group.iter().map(|path| path.display().to_string()).collect()).collect();
        assert_eq!(
            shown,
            [
                vec!["AGENTS.md"],
                vec![
                    "agents/a/SOUL.md",
                    "agents/a/notes.txt",
                    "agents/a/skills/x/SKILL.md",
                    "agents/a/skills/x/run.py"
                ],
                vec!["docs/AGENTS.md"],
                vec!["pack/lib/run.sh", "pack/soul.json"],
                vec!["skills/y/SKILL.md", "skills/y/run.sh"],
                vec!["souls/ops.md"],
            ]
        );
    }
}
