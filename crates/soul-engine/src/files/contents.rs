//! Everything below a directory: what a package has, and what is listed before it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_std::fs::OpenOptions;

use super::directory::{Directory, classify};
use super::{Error, is_staging};

/// The most files of a package, and the most bytes of all of them.
const MAX_FILES: usize = 5_000;
const MAX_PACKAGE: u64 = 64 << 20;

/// How deep folders of a package are listed: no path in one has more parts.
const MAX_DEPTH: usize = 128;

/// The files below a directory by their path, and what could not be read.
#[derive(Debug, Default)]
pub struct Contents {
    /// The bytes of each file.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was refused, with the reason.
    pub refused: Vec<(String, Error)>,
    /// Whether there was more than a package may have.
    pub too_much: bool,
}

/// A file below a directory that was not read yet.
#[derive(Debug, Clone)]
pub(crate) struct Below {
    /// Its path from the directory.
    pub(crate) path: PathBuf,
    pub(crate) is_link: bool,
    /// Its size in bytes when it was listed.
    pub(crate) size: u64,
}

impl Below {
    /// The path for people, with `/` between its parts.
    pub(crate) fn shown(&self) -> String {
        self.path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

impl Directory {
    /// Reads every file below. Links are refused; `.git` is skipped.
    ///
    /// # Errors
    /// When a directory cannot be listed.
    pub fn read_all(&self) -> Result<Contents, Error> {
        let mut contents = Contents::default();
        let mut room = MAX_PACKAGE;
        for below in self.list_all()? {
            if contents.files.len() + contents.refused.len() >= MAX_FILES || room == 0 {
                contents.too_much = true;
                break;
            }
            let read = if below.is_link { Err(Error::Escapes) } else { self.read(&below.path) };
            match read {
                Ok(bytes) => {
                    room = room.saturating_sub(bytes.len() as u64);
                    contents.files.insert(below.shown(), bytes);
                }
                Err(error) => contents.refused.push((below.shown(), error)),
            }
        }
        Ok(contents)
    }

    /// Every file below, in the order of their paths. Links are listed and not followed; `.git` is skipped.
    ///
    /// # Errors
    /// When a directory cannot be listed.
    pub(crate) fn list_all(&self) -> Result<Vec<Below>, Error> {
        let mut files = Vec::new();
        self.list_below(Path::new(""), &mut files)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The files below that are not hidden, in the order of their paths, and the names of what is. At most one more than
    /// `most` is listed. Links are listed and not followed.
    pub(crate) fn list_visible(&self, most: usize, hidden: &mut BTreeSet<String>) -> Result<Vec<Below>, Error> {
        let mut files = Vec::new();
        self.list_visible_below(Path::new(""), most, &mut files, hidden)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    fn list_visible_below(
        &self,
        folder: &Path,
        most: usize,
        files: &mut Vec<Below>,
        hidden: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        for entry in self.dir().entries().map_err(classify)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let path = folder.join(&name);
            if files.len() > most {
                return Ok(());
            }
            // What is not listed would be lost without a word.
            if path.iter().count() > MAX_DEPTH {
                return Err(Error::Io(io::Error::other("its folders are nested too deeply")));
            }
            if name.as_encoded_bytes().starts_with(b".") || is_staging(&name) {
                hidden.insert(Below { path, is_link: false, size: 0 }.shown());
            } else if kind.is_dir() {
                self.directory(&name)?.list_visible_below(&path, most, files, hidden)?;
            } else {
                let size = entry.metadata().map_or(0, |metadata| metadata.len());
                files.push(Below { path, is_link: kind.is_symlink(), size });
            }
        }
        Ok(())
    }

    /// Reads one regular file of at most so many bytes.
    pub(crate) fn read_within(&self, name: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, Error> {
        let file = self.open_file(name.as_ref(), OpenOptions::new().read(true))?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(Error::NotAFile(if metadata.is_dir() { "directory" } else { "pipe or device" }));
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most { Err(Error::TooLarge) } else { Ok(bytes) }
    }

    fn list_below(&self, folder: &Path, files: &mut Vec<Below>) -> Result<(), Error> {
        for entry in self.dir().entries().map_err(classify)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let path = folder.join(&name);
            if !kind.is_dir() {
                let size = entry.metadata().map_or(0, |metadata| metadata.len());
                files.push(Below { path, is_link: kind.is_symlink(), size });
            } else if name != ".git" && !is_staging(&name) {
                self.directory(&name)?.list_below(&path, files)?;
            }
        }
        Ok(())
    }
}
