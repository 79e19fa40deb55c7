use std::path::{Path, PathBuf};

use serde_json::Value;
use soul_core::digest::RawDigest;
use soul_core::search::Day;

use crate::files::listing::Look;
use crate::files::{self, Directory};

/// An agent's memory: the directory it lies in, and where in there.
#[derive(Debug)]
pub struct Memory {
    root: PathBuf,
    directory: Directory,
    layout: Layout,
}

/// Where the parts of a memory lie, as paths from the directory. `soul.json` may move them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    /// What is always known.
    pub long_term: String,
    /// One file a day, with `YYYY-MM-DD` in it.
    pub daily: String,
    /// One file a topic, with `*` in it.
    pub topics: String,
    /// Live state, which is searched only when asked for.
    pub runtime: String,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            long_term: "MEMORY.md".into(),
            daily: "memory/YYYY-MM-DD.md".into(),
            topics: "memory/topic-*.md".into(),
            runtime: "memory/runtime".into(),
        }
    }
}

/// Files that only an agent's directory or a package has, besides its soul.
const OF_AGENTS: [&str; 6] = ["AGENT.md", "AGENTS.md", "IDENTITY.md", "USER.md", "soul.json", files::PERSONA_FILE];

const DATE: &str = "YYYY-MM-DD";

impl Layout {
    /// What `memory.layout` of a manifest says. A path that leads out, or a pattern without its
    /// placeholder, is as if it were not there: `soul validate` tells of it.
    fn of(manifest: &[u8]) -> Self {
        let manifest: Value = serde_json::from_slice(manifest).unwrap_or_default();
        let said = &manifest["memory"]["layout"];
        let path = |key: &str, needs: &str, default: String| {
            let said = said[key].as_str().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
            said.filter(|path| is_inside(path) && path.contains(needs)).map_or(default, str::to_owned)
        };
        let default = Self::default();
        Self {
            long_term: path("longTerm", "", default.long_term),
            daily: path("daily", DATE, default.daily),
            topics: path("topics", "*", default.topics),
            runtime: path("runtime", "", default.runtime),
        }
    }

    /// The folders that hold memory: those of the daily logs and the topics.
    fn folders(&self) -> [&str; 2] {
        [&self.daily, &self.topics].map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder))
    }

    /// Whether a file is live state.
    #[must_use]
    pub fn is_runtime(&self, path: &str) -> bool {
        path.strip_prefix(&self.runtime).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether a file is a day's log.
    #[must_use]
    pub fn is_daily(&self, path: &str) -> bool {
        let (before, after) = self.daily.split_once(DATE).unwrap_or((&self.daily, ""));
        let day = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        day.and_then(Day::parse).is_some()
    }

    /// The topic that a file is about, if it is a topic's.
    #[must_use]
    pub fn topic_of<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (before, after) = self.topics.split_once('*')?;
        path.strip_prefix(before)?.strip_suffix(after).filter(|topic| !topic.is_empty())
    }

    /// The file of a topic.
    #[must_use]
    pub fn topic(&self, topic: &str) -> String {
        self.topics.replacen('*', topic, 1)
    }

    /// The file of a day.
    #[must_use]
    pub fn daily(&self, day: Day) -> String {
        self.daily.replacen(DATE, &day.to_string(), 1)
    }
}

/// Whether a path stays inside, as far as its text goes.
fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

impl Memory {
    /// Opens the memory in a directory, which may be empty.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: &Path) -> Result<Self, files::Error> {
        let directory = Directory::open_unlinked(root)?;
        let layout = match directory.read("soul.json") {
            Ok(manifest) => Layout::of(&manifest),
            Err(_) => Layout::default(),
        };
        Ok(Self { root: root.to_path_buf(), directory, layout })
    }

    /// Where its parts lie.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether there is any file of it, or a folder for one.
    pub(crate) fn exists(&self) -> bool {
        let is_file = |file: &str| self.root.join(file).symlink_metadata().is_ok();
        let mut folders = self.layout.folders().into_iter().filter(|folder| !folder.is_empty());
        is_file(&self.layout.long_term) || folders.any(|folder| self.is_plain_folder(folder))
    }

    /// Whether something in the directory says that an agent lives in it.
    pub(crate) fn is_agent(&self) -> bool {
        let names = self.directory.names().unwrap_or_default();
        names.iter().any(|name| files::is_soul_file(name) || OF_AGENTS.contains(&name.as_str()))
    }

    /// What names this memory's cache among others: the digest of where it really is.
    ///
    /// # Errors
    /// When the directory is gone.
    pub fn key(&self) -> Result<String, files::Error> {
        let place = self.root.canonicalize()?;
        let digest = RawDigest::of(place.as_os_str().as_encoded_bytes());
        Ok(digest.as_bytes()[..16].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The files of the memory as they are now, live state among them.
    ///
    /// # Errors
    /// When a folder of it is there and cannot be listed.
    pub fn look(&self) -> Result<Look, files::Error> {
        let mut look = Look::default();
        look.one(&self.root.join(&self.layout.long_term), &self.layout.long_term);
        let mut done: Vec<&str> = Vec::new();
        for folder in self.layout.folders() {
            if done.contains(&folder) {
                continue;
            }
            done.push(folder);
            if folder.is_empty() {
                // The directory itself holds more than memory: only what fits a pattern is.
                let wanted = |path: &str| self.layout.is_daily(path) || self.layout.topic_of(path).is_some();
                look.below(&self.root, "", &|path| !path.contains('/') && wanted(path))?;
            } else if self.is_plain_folder(folder) {
                look.below(&self.root.join(folder), &format!("{folder}/"), &is_wanted)?;
            }
        }
        Ok(look)
    }

    /// Whether a folder is there, and no part of the way to it is a link.
    fn is_plain_folder(&self, folder: &str) -> bool {
        let mut path = self.root.clone();
        folder.split('/').all(|part| {
            path.push(part);
            path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
        })
    }

    /// Reads a file of the memory; no link is followed.
    ///
    /// # Errors
    /// When it is not there or not to be read.
    pub fn read(&self, file: &str) -> Result<Vec<u8>, files::Error> {
        self.directory.read(file)
    }

    /// Opens a file of the memory to add to its end; no link is followed.
    pub(crate) fn open_to_append(&self, file: &str) -> Result<std::fs::File, files::Error> {
        self.directory.open_to_append(file)
    }

    /// Makes the folder that a file of the memory lies in, if there is none; no link is followed.
    pub(crate) fn create_folder_of(&self, file: &str) -> std::io::Result<()> {
        let refused = |error: files::Error| std::io::Error::other(error.to_string());
        let mut directory: Option<Directory> = None;
        for part in Path::new(file).parent().into_iter().flat_map(Path::iter) {
            let above = directory.as_ref().unwrap_or(&self.directory);
            above.create(&part.to_string_lossy())?;
            directory = Some(above.agent(part).map_err(refused)?);
        }
        Ok(())
    }

    /// Reads at most so many bytes of a file of the memory, from an offset on.
    ///
    /// # Errors
    /// When it is not there or not to be read.
    pub fn read_part(&self, file: &str, offset: u64, most: u64) -> Result<Vec<u8>, files::Error> {
        self.directory.read_part(file, offset, most)
    }

    /// The file that was typed, if it is one of this memory's.
    ///
    /// # Errors
    /// When it is not there, or lies outside.
    pub fn find(&self, typed: &str) -> Result<String, files::Error> {
        let typed = typed.strip_prefix("./").unwrap_or(typed);
        if !is_inside(typed) {
            return Err(files::Error::Escapes);
        }
        let look = self.look()?;
        if look.files.contains_key(typed) {
            return Ok(typed.to_owned());
        }
        if look.refused.iter().any(|refused| refused.trim_end_matches('/') == typed) {
            return Err(files::Error::NotAFile("link or special file"));
        }
        Err(files::Error::NotFound)
    }
}

/// Markdown files, and folders that are not hidden.
fn is_wanted(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let markdown = name.len() > 3 && name.as_bytes()[name.len() - 3..].eq_ignore_ascii_case(b".md");
    !name.starts_with('.') && (path.ends_with('/') || markdown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn files(memory: &Memory) -> Vec<String> {
        memory.look().unwrap().files.into_keys().collect()
    }

    #[test]
    fn the_layout_of_the_specification() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str| {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), "# A\n\na\n").unwrap();
        };
        for path in ["MEMORY.md", "SOUL.md", "memory/2026-01-02.md", "memory/topic-x.md", "memory/archive/2025-Q1.md"] {
            put(path);
        }
        for path in ["memory/runtime/state.md", "memory/.git/a.md", "memory/a.txt", "memory/bob/2026-01-02.md"] {
            put(path);
        }
        let memory = Memory::open(root.path()).unwrap();
        let expected = [
            "MEMORY.md",
            "memory/2026-01-02.md",
            "memory/archive/2025-Q1.md",
            "memory/bob/2026-01-02.md",
            "memory/runtime/state.md",
            "memory/topic-x.md",
        ];
        assert_eq!(files(&memory), expected);
        assert!(memory.layout().is_runtime("memory/runtime/state.md"));
        assert_eq!(memory.layout().topic_of("memory/topic-x.md"), Some("x"));
        assert!(matches!(memory.find("../x.md"), Err(files::Error::Escapes)));
        assert!(matches!(memory.find("/etc/hostname"), Err(files::Error::Escapes)));
        assert!(matches!(memory.find("SOUL.md"), Err(files::Error::NotFound)));
        assert!(memory.find("./memory/topic-x.md").is_ok());
    }

    #[test]
    fn a_manifest_may_move_it() {
        let root = tempfile::tempdir().unwrap();
        let layout = r#"{"memory": {"layout": {"longTerm": "notes/LONG.md", "daily": "YYYY-MM-DD.md",
            "topics": "notes/about-*.md", "runtime": "../out"}}}"#;
        fs::write(root.path().join("soul.json"), layout).unwrap();
        fs::create_dir(root.path().join("notes")).unwrap();
        for path in ["notes/LONG.md", "2026-01-02.md", "SOUL.md", "notes/about-x.md", "notes/other.md"] {
            fs::write(root.path().join(path), "x").unwrap();
        }
        let memory = Memory::open(root.path()).unwrap();
        assert_eq!(files(&memory), ["2026-01-02.md", "notes/LONG.md", "notes/about-x.md", "notes/other.md"]);
        assert_eq!(memory.layout().runtime, "memory/runtime");
    }
}
