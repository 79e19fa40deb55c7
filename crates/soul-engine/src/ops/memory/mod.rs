//! An agent's memory: found, shown, added to and taken from. Nothing outside its directory is read,
//! and no link is followed.

pub mod add;
pub mod detail;
pub mod forget;
mod rerank;
pub mod search;
pub mod status;

use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use soul_core::search::{Section, sections};

use super::Error;
use crate::Keeper;
use crate::files;
use crate::workspace::{AgentName, Memory};

/// Whose memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Whose {
    /// The one that lies in this directory.
    #[serde(skip)]
    Directory(PathBuf),
    /// An agent's.
    Agent(AgentName),
}

impl Whose {
    /// Whether only the machine of whoever asks has it.
    pub(super) const fn is_here(&self) -> bool {
        matches!(self, Self::Directory(_))
    }
}

fn open(keeper: &Keeper, whose: &Whose) -> Result<Memory, Error> {
    let path = match whose {
        Whose::Directory(path) => path.clone(),
        Whose::Agent(name) => keeper.agent(name)?.path,
    };
    Memory::open(&path).map_err(|error| match error {
        files::Error::NotFound => Error::NoMemory(keeper.roots.shown(&path)),
        error => Error::Unlistable(keeper.roots.shown(&path), error.to_string()),
    })
}

/// The name of a section as it is shown; what stands before the first heading has none.
fn named(heading: &str) -> &str {
    if heading.is_empty() { "(top)" } else { heading }
}

/// A file of the memory and its bytes.
fn read(keeper: &Keeper, memory: &Memory, typed: &str) -> Result<(String, Vec<u8>), Error> {
    let shown = || keeper.roots.shown(Path::new(typed));
    let refused = |error: files::Error| match error {
        files::Error::NotFound => Error::NotInMemory(shown()),
        files::Error::Escapes => Error::Refused(shown(), "it lies outside of the memory".to_owned()),
        error => Error::Refused(shown(), error.to_string()),
    };
    let file = memory.find(typed).map_err(refused)?;
    let bytes = memory.read(&file).map_err(refused)?;
    Ok((file, bytes))
}

/// Which section of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Which {
    /// The one that this line belongs to.
    Line(usize),
    /// The first one with this heading.
    Section(String),
}

/// Finds a section in a text.
fn find(text: &str, file: &str, which: &Which) -> Result<Section, Error> {
    let all = sections(text).sections;
    let found = match which {
        Which::Line(line) => {
            let start = line_start(text, *line);
            start.and_then(|start| all.iter().find(|section| section.span.contains(&start)))
        }
        Which::Section(name) => {
            let same = |section: &&Section| named(&section.heading).to_lowercase() == name.to_lowercase();
            all.iter().find(|section| named(&section.heading) == name).or_else(|| all.iter().find(same))
        }
    };
    found.cloned().ok_or_else(|| {
        let what = match which {
            Which::Line(line) => format!("line {line}"),
            Which::Section(name) => format!("section {}", soul_core::text::shown(name)),
        };
        Error::NoSection(what, file.to_owned())
    })
}

/// Where a line begins, counted as sections count them.
fn line_start(text: &str, line: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    let top = if text.starts_with('\u{feff}') { 3 } else { 0 };
    std::iter::once(top).chain(ends.map(|(at, _)| at + 1)).nth(line.checked_sub(1)?)
}

/// Waits until nobody else writes to the memory. The directory itself is locked, so that nothing of
/// ours stays in it.
fn lock(keeper: &Keeper, memory: &Memory) -> Result<File, Error> {
    let refused = |why: String| Error::Unwritable(keeper.roots.shown(memory.root()), why);
    let plain = |error: io::Error| refused(files::plain(&error));
    let directory = File::open(memory.root()).map_err(plain)?;
    match files::lock(&directory, Some(Instant::now() + files::PATIENCE)).map_err(plain)? {
        true => Ok(directory),
        false => Err(refused("another program has it".to_owned())),
    }
}

/// Puts a file of the memory in place, if no part of the way to it is a link.
fn write(memory: &Memory, file: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = memory.root().join(file);
    let unwritable = |why: String| Error::Unwritable(file.to_owned(), why);
    let mut part = memory.root().to_path_buf();
    for name in Path::new(file) {
        part.push(name);
        match part.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => return Err(unwritable("it is a link".into())),
            Ok(metadata) if part == path && !metadata.is_file() => return Err(unwritable("it is not a file".into())),
            Ok(_) => {}
            Err(_) if part == path => {}
            Err(_) => fs::create_dir(&part).map_err(|error| unwritable(files::plain(&error)))?,
        }
    }
    files::replace_below(memory.root(), Path::new(file), bytes).map_err(|error| unwritable(files::plain(&error)))
}
