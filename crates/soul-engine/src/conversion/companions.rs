//! The other files of a folder that is converted: which of them go along, and what happened to each.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::formats::{Emitted, plain};
use soul_core::model::{At, Dialect, Fate, Field, Item, PLACES, Soul, Value, losses};
use soul_core::text::Span;

use crate::files::{Directory, PERSONA_FILE, SOUL_FILE, is_staging};

/// The file names that a soul has by its form and not by its own name.
pub(crate) const MAIN_FILES: [&str; 4] = [SOUL_FILE, MANIFESTS[0], MANIFESTS[1], PERSONA_FILE];

/// The most files of a folder that are looked at, and the most bytes that are read of them.
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 16 << 20;
const MAX_DEPTH: usize = 12;

/// Folders that hold nobody's soul.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

/// Folders that belong to a soul, with everything in them.
const FOLDERS: [&str; 6] = ["memory", "examples", "skills", "tools", "hooks", "data"];

/// What rules are read from. They become fields of their own wherever a dialect has some.
const RULES_FILE: &str = "RULES.md";

/// What happened to a file of the source folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ConvertedCompanion")]
pub struct Companion {
    /// Its path, relative to the folder.
    pub path: String,
    /// What happened to it.
    pub fate: Fate,
    /// The file that holds its content now, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why it was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The files of a folder besides the one that the soul was read from.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// The bytes of each file, or why it stays behind.
    files: BTreeMap<String, Result<Vec<u8>, String>>,
    bytes: usize,
    /// How many files were not looked at.
    pub(crate) unseen: usize,
}

/// Where a conversion goes, as far as other files are concerned.
pub(crate) struct Carrying<'a> {
    /// The name of the soul's own file.
    pub(crate) main: &'a str,
    /// Whether other files can stand beside it.
    pub(crate) into_folder: bool,
    /// Whether bytes that are not text can be handed over.
    pub(crate) binary: bool,
}

impl Beside {
    /// Lists a folder without the file `own`. Links are not followed; only files that can belong to a soul are read,
    /// or all of them if the folder is a package as a whole.
    pub(crate) fn list(folder: &Path, own: &str, whole: bool) -> Self {
        let mut beside = Self::default();
        if let Ok(directory) = Directory::open(folder) {
            beside.walk(&directory, "", whole, 0);
        }
        beside.files.remove(own);
        beside
    }

    fn walk(&mut self, directory: &Directory, prefix: &str, whole: bool, depth: usize) {
        let Ok(entries) = directory.dir().entries() else { return };
        let named = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), entry.file_type().ok()?))
        });
        let mut named: Vec<_> = named.collect();
        named.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, kind) in named {
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                if SKIPPED.contains(&&*name) || is_staging(name.as_ref()) {
                    continue;
                }
                if name.starts_with('.') {
                    self.files.insert(format!("{path}/"), Err("hidden folders are not converted".to_owned()));
                } else if depth < MAX_DEPTH
                    && let Ok(below) = directory.agent(&name)
                {
                    self.walk(&below, &format!("{path}/"), whole, depth + 1);
                }
            } else if self.files.len() >= MAX_FILES || self.bytes >= MAX_BYTES {
                self.unseen += 1;
            } else {
                let content = if kind.is_symlink() {
                    Err("it is a link".to_owned())
                } else if whole || is_part(&path) {
                    directory.read(&name).map_err(|error| error.to_string())
                } else {
                    Err("it is not part of a soul".to_owned())
                };
                self.bytes += content.as_ref().map_or(0, Vec::len);
                self.files.insert(path, content);
            }
        }
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_ref().ok().and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// The name on IDENTITY.md.
    pub(crate) fn card_name(&self) -> Option<String> {
        plain::card_name(self.text("IDENTITY.md")?)
    }

    /// What the files say that the soul's own dialect does not read, for a form that has no other files.
    pub(crate) fn unread_items(&self, soul: &Soul) -> Vec<Item> {
        let is_read = |name: &str| soul.items.iter().any(|item| item.file.as_deref() == Some(name));
        let unread = plain::COMPANIONS.iter().filter(|(name, ..)| !is_read(name));
        let items = unread.filter_map(|(name, _, field)| {
            let text = self.text(name)?.trim();
            let item = Item { file: Some((*name).into()), ..Item::passage(*field, text, Span::new(0, text.len())) };
            (!text.is_empty()).then_some(item)
        });
        items.collect()
    }

    /// The soul without what goes along as a file: a dialect that has no place for the file would put it into its body.
    pub(crate) fn without_files(&self, mut soul: Soul, to: Dialect) -> Soul {
        let has_place = |name: &str| {
            to == Dialect::Plain || PLACES.iter().any(|place| place.dialect == to && place.at == file_place(name))
        };
        soul.items.retain(|item| match (&item.file, &item.value) {
            (Some(file), Value::Passage(_)) => {
                [SOUL_FILE, RULES_FILE].contains(&&**file) || has_place(file) || self.text(file).is_none()
            }
            _ => true,
        });
        soul
    }

    /// Adds the files that go along to what was emitted, and says what happened to each.
    pub(crate) fn carry(
        &self,
        to: &Carrying<'_>,
        fresh: &mut Emitted,
        after: &Soul,
        copies: &mut Vec<(String, Vec<u8>)>,
    ) -> Vec<Companion> {
        let mut companions = Vec::new();
        for (path, content) in &self.files {
            let lost = |reason: &str| (Fate::Lost, None, Some(reason.to_owned()));
            let (fate, other, reason) = match content {
                Err(reason) => lost(reason),
                Ok(bytes) => match (std::str::from_utf8(bytes), to.into_folder) {
                    (Ok(text), true) => carry_text(path, text, to.main, fresh, after),
                    (Ok(text), false) => match found(text, after, fresh) {
                        Some(fate) => (fate, Some(to.main.to_owned()), None),
                        None => lost("a single file has no place for it"),
                    },
                    (Err(_), true) if to.binary => {
                        copies.push((path.clone(), bytes.clone()));
                        (Fate::Kept, None, None)
                    }
                    (Err(_), _) => lost("it is not text"),
                },
            };
            companions.push(Companion { path: path.clone(), fate, to: other, reason });
        }
        companions
    }
}

/// A text file of a folder that becomes a folder again.
fn carry_text(
    path: &str,
    text: &str,
    main: &str,
    fresh: &mut Emitted,
    after: &Soul,
) -> (Fate, Option<String>, Option<String>) {
    let same = |other: &str| other.trim() == text.trim();
    if path == main {
        return match found(text, after, fresh) {
            _ if fresh.text == text => (Fate::Kept, None, None),
            Some(_) => (Fate::Changed, None, None),
            None => (Fate::Lost, None, Some(format!("{main} is written anew, and has no place for part of it"))),
        };
    }
    if let Some(emitted) = fresh.beside.iter_mut().find(|(name, _)| name == path) {
        if same(&emitted.1) {
            // The file as it was, not as it was read.
            emitted.1 = text.to_owned();
            return (Fate::Kept, None, None);
        }
        if found(text, after, fresh).is_some() {
            return (Fate::Changed, None, None);
        }
        // What the soul adds stands below what was there: no rule of the file is replaced.
        let at = fresh.beside.iter().position(|(name, _)| name == path).unwrap_or_default();
        fresh.beside[at].1 = with_added(text, &fresh.beside[at].1);
        return (Fate::Changed, None, None);
    }
    if let Some((name, emitted)) = fresh.beside.iter_mut().find(|(_, emitted)| !text.trim().is_empty() && same(emitted))
    {
        emitted.clear();
        emitted.push_str(text);
        return (Fate::Moved, Some(name.clone()), None);
    }
    fresh.beside.push((path.to_owned(), text.to_owned()));
    (Fate::Kept, None, None)
}

/// A file with the lines of another below it that it does not have.
fn with_added(text: &str, added: &str) -> String {
    let known: std::collections::HashSet<&str> = text.lines().map(str::trim).collect();
    let is_title = |line: &&str| line.starts_with("# ");
    let new: Vec<&str> = added.lines().filter(|line| !is_title(line) && !known.contains(line.trim())).collect();
    format!("{}\n\n{}\n", text.trim_end(), new.join("\n").trim())
}

/// Whether everything that a file says is in what was emitted, and whether in the same words.
fn found(text: &str, after: &Soul, fresh: &Emitted) -> Option<Fate> {
    let prose = |text: &str| Item::passage(Field::Body, text, Span::default());
    let items = after.items.iter().map(|item| match item.value.as_text() {
        Some(text) => prose(text),
        None => item.clone(),
    });
    let files = fresh.beside.iter().map(|(_, text)| prose(text));
    let after = Soul { items: items.chain(files).collect() };
    let lost = losses(&Soul { items: vec![prose(text)] }, &after);
    match lost.first().map(|lost| lost.fate) {
        _ if text.trim().is_empty() => None,
        Some(Fate::Lost) => None,
        Some(Fate::Changed) => Some(Fate::Changed),
        Some(Fate::Kept | Fate::Moved) | None => Some(Fate::Moved),
    }
}

/// Whether a file belongs to a soul, by its path: Markdown at the top, and whatever is in a folder of an agent.
fn is_part(path: &str) -> bool {
    match path.split_once('/') {
        Some((folder, _)) => FOLDERS.contains(&folder),
        None => Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")),
    }
}

fn file_place(name: &str) -> At {
    let known = PLACES.iter().find_map(|place| match place.at {
        At::File(file) if file == name => Some(file),
        _ => None,
    });
    // No dialect has a place for a file that none of them names.
    known.map_or(At::File(""), At::File)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_file_is_accounted_for() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &[u8]| {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        };
        write("SOUL.md", b"Be kind.");
        write("STYLE.md", b"Terse.\n");
        write("memory/2026/a.md", b"Rain.");
        write("skills/x/logo.png", &[0xff, 0xd8]);
        write("LICENSE", b"MIT");
        write("src/main.rs", b"");
        write(".git/HEAD", b"");
        write(".notes/a.md", b"");
        write("node_modules/a/b.md", b"");
        let beside = Beside::list(folder.path(), "SOUL.md", false);
        let mut fresh = Emitted { text: "Be kind.".into(), beside: vec![("STYLE.md".into(), "Terse.".into())] };
        let mut copies = Vec::new();
        let to = Carrying { main: "SOUL.md", into_folder: true, binary: true };
        let companions = beside.carry(&to, &mut fresh, &Soul::default(), &mut copies);
        let shown: Vec<_> = companions.iter().map(|file| format!("{} {}", file.fate.as_str(), file.path)).collect();
        let kept = ["kept STYLE.md", "kept memory/2026/a.md", "kept skills/x/logo.png"];
        assert_eq!(shown, ["lost .notes/", "lost LICENSE", kept[0], kept[1], kept[2], "lost src/main.rs"]);
        assert_eq!(fresh.beside[0].1, "Terse.\n");
        assert_eq!(copies.len(), 1);
        let alone = Carrying { main: "x.md", into_folder: false, binary: true };
        let after = Soul { items: vec![Item::passage(Field::Body, "Hi.\n\n## Style\n\nTerse.", Span::default())] };
        let companions = beside.carry(&alone, &mut Emitted::default(), &after, &mut Vec::new());
        let style = companions.iter().find(|file| file.path == "STYLE.md").unwrap();
        assert_eq!((style.fate, style.to.as_deref()), (Fate::Moved, Some("x.md")));
        assert!(companions.iter().all(|file| file.fate != Fate::Lost || file.reason.is_some()));
    }
}
