use std::collections::BTreeMap;
use std::path::Path;

use soul_core::formats::Document;
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::prompt::{Memory, MemoryIndex, by_age};

use super::{CARD_FILE, Error};
use crate::Keeper;
use crate::fault::Cause;
use crate::files::{self, Directory, PERSONA_FILE, SOUL_FILE};
use crate::store::Surroundings;

/// The authored files that reach the prompt beside the soul itself, by their usual names.
const PROMPT_FILES: [&str; 6] = [AGENT_FILE, STYLE_FILE, RULES_FILE, PROCEDURES_FILE, TOOLS_FILE, CARD_FILE];
/// The runtime's file, whose body is the base prompt.
pub(crate) const AGENT_FILE: &str = "AGENT.md";
/// How the agent writes.
pub(crate) const STYLE_FILE: &str = "STYLE.md";
/// What it must and must not do.
pub(crate) const RULES_FILE: &str = "RULES.md";
/// What it does, step by step.
pub(crate) const PROCEDURES_FILE: &str = "AGENTS.md";
/// What it should know about its tools.
pub(crate) const TOOLS_FILE: &str = "TOOLS.md";
/// Whom it works for. Read, never written, and nobody's layer.
pub(crate) const USER_FILE: &str = "USER.md";
/// What it remembers, with the files of the folder.
pub(crate) const MEMORY_FILE: &str = "MEMORY.md";
const MEMORY_FOLDER: &str = "memory";
/// What the agent always knows: Soul Spec packages keep MEMORY.md below `memory/`, and AgentOS keeps facts in its
/// catalogue of pages.
const FACT_FILES: [&str; 3] = [MEMORY_FILE, "memory/MEMORY.md", "memory/index.md"];
/// Live state, which changes while an agent runs.
const MEMORY_RUNTIME: &str = "memory/runtime";

/// The folders whose files are authored too, and how their names end.
const FOLDERS: [(&str, &[&str]); 3] = [("examples", &[".md"]), ("hooks", &[".md"]), ("tools", &[".yaml", ".yml"])];

/// The most files of a folder, and the most bytes of a file.
const MAX_FILES: usize = 64;
pub(super) const MAX_LAYER: usize = 1 << 20;

/// The most memory files that are looked into for an index.
const MAX_MEMORIES: usize = 200;
/// How deep below `memory/` they are looked for.
const MAX_MEMORY_DEPTH: usize = 8;

/// The directory that a soul stands in.
pub(crate) struct Folder<'a> {
    pub(crate) keeper: &'a Keeper,
    pub(crate) directory: &'a Directory,
    pub(crate) path: &'a Path,
}

impl Folder<'_> {
    /// The authored files: what a snapshot keeps, and what its bundle digest is of.
    pub(super) fn authored(&self, document: &Document) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut found = self.prompt_files(Some(document))?;
        for name in [document.path_of(SOUL_FILE), PERSONA_FILE].into_iter().chain(MANIFESTS) {
            found.extend(self.read(name)?.map(|bytes| (name.to_owned(), bytes)));
        }
        for (folder, ends) in FOLDERS {
            let names = match self.directory.directory(folder).and_then(|directory| names(&directory, ends)) {
                Ok(names) => names,
                Err(files::Error::NotFound) => continue,
                Err(error) => return Err(self.refused(folder, error)),
            };
            if names.len() > MAX_FILES {
                return Err(self.refused(folder, format!("it has more than {MAX_FILES} files")));
            }
            for name in names {
                let name = format!("{folder}/{name}");
                found.extend(self.read(&name)?.map(|bytes| (name, bytes)));
            }
        }
        Ok(found)
    }

    /// Those of them that reach the prompt, each under its path.
    pub(crate) fn prompt_files(&self, document: Option<&Document>) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut found = BTreeMap::new();
        for usual in PROMPT_FILES {
            let name = document.map_or(usual, |document| document.path_of(usual));
            if let Some(text) = self.text(name)? {
                found.insert(name.to_owned(), text.into_bytes());
            }
        }
        Ok(found)
    }

    /// What is the user's and what is the agent's own: no layer of the soul, and never part of what
    /// names one.
    pub(crate) fn surroundings(&self) -> Result<Surroundings, Error> {
        let shown = self.keeper.roots.shown(&self.path.join(SOUL_FILE));
        let folder = shown.strip_suffix(SOUL_FILE).unwrap_or_default().to_owned();
        let (user, memory) = (self.text(USER_FILE)?, self.memory());
        Ok(Surroundings { folder, user, memory, ..Surroundings::default() })
    }

    /// What the agent remembers. A memory that cannot be read is named, and stops nothing.
    fn memory(&self) -> Option<MemoryIndex> {
        let mut memories = Vec::new();
        let mut add = |path: String, read: Result<Vec<u8>, files::Error>| {
            let text = match read {
                Err(files::Error::NotFound) => return,
                Err(error) => Err(error.to_string()),
                Ok(bytes) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()),
            };
            let in_full = FACT_FILES.contains(&path.as_str());
            memories.push(Memory { path, text, in_full });
        };
        add(MEMORY_FILE.to_owned(), self.directory.read(MEMORY_FILE));
        let mut names = Vec::new();
        if let Err(error) = pages(self.directory, MEMORY_FOLDER, MAX_MEMORY_DEPTH, &mut names) {
            add(MEMORY_FOLDER.to_owned(), Err(error));
        }
        by_age(&mut names);
        names.sort_by_key(|name| !FACT_FILES.contains(&name.as_str()));
        let more = names.len().saturating_sub(MAX_MEMORIES);
        for name in names.into_iter().take(MAX_MEMORIES) {
            let read = self.directory.read(&name);
            add(name, read);
        }
        MemoryIndex::from_files(&memories, more)
    }

    fn text(&self, name: &str) -> Result<Option<String>, Error> {
        let text = self.read(name)?.map(String::from_utf8).transpose();
        text.map_err(|_| self.refused(name, "it is not UTF-8 text"))
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.directory.read(name) {
            Ok(bytes) if bytes.len() > MAX_LAYER => Err(self.refused(name, "it is larger than 1 MiB")),
            Ok(bytes) => Ok(Some(bytes)),
            Err(files::Error::NotFound) => Ok(None),
            Err(error) => Err(self.refused(name, error)),
        }
    }

    fn refused(&self, name: &str, why: impl Into<Cause>) -> Error {
        Error::Layer(self.keeper.roots.shown(&self.path.join(name)), why.into())
    }
}

fn names(directory: &Directory, ends: &[&str]) -> Result<Vec<String>, files::Error> {
    let names = directory.names()?;
    Ok(names.into_iter().filter(|name| ends.iter().any(|end| name.ends_with(end))).collect())
}

/// The Markdown files below a folder, by their path. Folders that are hidden or hold live state are skipped.
fn pages(directory: &Directory, folder: &str, depth: usize, found: &mut Vec<String>) -> Result<(), files::Error> {
    let opened = directory.directory(folder)?;
    found.extend(names(&opened, &[".md"])?.into_iter().map(|name| format!("{folder}/{name}")));
    for name in opened.folders()?.into_iter().filter(|name| depth > 0 && !name.starts_with('.')) {
        let below = format!("{folder}/{name}");
        if below != MEMORY_RUNTIME {
            pages(directory, &below, depth - 1, found)?;
        }
    }
    Ok(())
}
