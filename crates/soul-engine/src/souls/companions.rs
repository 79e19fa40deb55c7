//! The files beside a soul that belong to it.

use std::collections::BTreeMap;

use soul_core::diagnostics::{Code, Diagnostic, Severity};
use soul_core::formats::{AUTHORED_FOLDERS, agentos, plain};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::problems::unreadable;
use crate::files::{self, Directory};

/// Files that say who an agentos agent is and that its loader does not read.
const BESIDE_AGENTOS: [&str; 2] = ["RULES.md", "TOOLS.md"];
/// Files of a plain soul's folder that no field is made of.
const BESIDE_PLAIN: [&str; 2] = ["HEARTBEAT.md", "BOOTSTRAP.md"];

/// The most files of the authored folders, and the most bytes of one: the folder of a soul may be a whole repository.
const MOST_FILES: usize = 256;
const LARGEST_FILE: usize = 1 << 20;
/// How deep the authored folders are read.
const DEEPEST: usize = 4;

/// The files beside a soul, by their paths, and what could not be read. Agh, cantus and dagu have none; a package is
/// read whole elsewhere.
pub(super) fn companions(directory: &Directory, dialect: Dialect) -> (BTreeMap<String, Source>, Vec<Diagnostic>) {
    let names: Vec<&str> = match dialect {
        Dialect::Agentos => agentos::COMPANIONS.iter().map(|(name, ..)| *name).chain(BESIDE_AGENTOS).collect(),
        Dialect::Plain => plain::COMPANIONS.iter().map(|(name, ..)| *name).chain(BESIDE_PLAIN).collect(),
        Dialect::Agh | Dialect::Cantus | Dialect::Dagu | Dialect::Soulspec => return Default::default(),
    };
    // What a lenient dialect does not need does not make its soul invalid.
    let severity = if dialect == Dialect::Plain { Severity::Warning } else { Severity::Error };
    let mut found = Found { files: BTreeMap::new(), problems: Vec::new(), left_out: 0 };
    for name in names {
        found.take(name, directory.read(name), severity);
    }
    for folder in AUTHORED_FOLDERS {
        if let Ok(inside) = directory.directory(folder) {
            found.folder(folder, &inside, DEEPEST);
        }
    }
    if found.left_out > 0 {
        let message = format!(
            "{} files below {} are not part of the soul: there are too many, or they are too large",
            found.left_out,
            AUTHORED_FOLDERS.join("/, ") + "/"
        );
        found.problems.push(Diagnostic::new(Code::FilesLeftOut, message));
    }
    (found.files, found.problems)
}

struct Found {
    files: BTreeMap<String, Source>,
    problems: Vec<Diagnostic>,
    left_out: usize,
}

impl Found {
    fn take(&mut self, path: &str, read: Result<Vec<u8>, files::Error>, severity: Severity) {
        match read {
            Ok(bytes) => drop(self.files.insert(path.to_owned(), Source::new(bytes))),
            Err(files::Error::NotFound) => {}
            Err(error) => {
                let diagnostic = unreadable(&error);
                let message = format!("could not read {path}: {error}");
                self.problems.push(Diagnostic { message, severity, ..diagnostic });
            }
        }
    }

    /// Reads the files of a folder, in order, as far as there is room.
    fn folder(&mut self, path: &str, directory: &Directory, depth: usize) {
        for name in directory.names().unwrap_or_default().into_iter().filter(|name| !name.starts_with('.')) {
            let below = format!("{path}/{name}");
            if self.files.contains_key(&below) {
                continue;
            }
            match directory.read(&name) {
                Err(files::Error::NotAFile(_)) if depth > 1 => match directory.directory(&name) {
                    Ok(inside) => self.folder(&below, &inside, depth - 1),
                    Err(_) => self.left_out += 1,
                },
                Ok(bytes) if bytes.len() <= LARGEST_FILE && self.files.len() < MOST_FILES => {
                    self.files.insert(below, Source::new(bytes));
                }
                _ => self.left_out += 1,
            }
        }
    }
}
