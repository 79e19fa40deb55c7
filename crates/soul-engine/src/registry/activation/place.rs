//! The files beside a soul, in the directory of an agent or in the database: as they are, and brought to where a record
//! says.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::super::lock::PackageStep;
use super::super::{Error, MAX_BYTES, PackagePath};
use super::pass;
use super::record::{Blob, Change, Kept};
use crate::Keeper;
use crate::files::{self, FileBelow};
use crate::souls;
use crate::store::Texts;
use crate::workspace::{Agent, SoulKey};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
}

#[derive(Default)]
pub(super) struct Changed {
    pub(super) written: Vec<String>,
    pub(super) removed: Vec<String>,
}

/// Where the files of an agent are.
pub(super) struct Place<'a> {
    pub(super) keeper: &'a Keeper,
    pub(super) agent: &'a Agent,
    pub(super) key: SoulKey,
    /// The rows that are the files, if those of the home are kept in the database. The directory is a copy of them then.
    texts: Option<&'a dyn Texts>,
}

impl<'a> Place<'a> {
    pub(super) fn of(keeper: &'a Keeper, agent: &'a Agent) -> Result<Self, Error> {
        let key = agent.key().map_err(souls::Error::WorkspaceId)?;
        let texts = keeper.texts()?.filter(|_| SoulKey::is_home(&key.scope));
        Ok(Self { keeper, agent, key, texts })
    }

    /// Brings every file of a record to where it should be. A file that is neither what it was nor what it is to be was
    /// changed by others, and stays.
    pub(super) fn apply(&self, kept: &Kept, direction: Direction) -> Result<Changed, Error> {
        let mut changed = Changed::default();
        for (number, (path, change)) in kept.record.files.iter().enumerate() {
            let (from, to) = match direction {
                Direction::Forward => (&change.before, &change.after),
                Direction::Back => (&change.after, &change.before),
            };
            self.tidy(path, change)?;
            let now = self.found(path.as_str())?;
            if !same(from, &now) || from.as_ref().map(|blob| &blob.sha256) == to.as_ref().map(|blob| &blob.sha256) {
                continue;
            }
            let bytes = to.as_ref().map(|blob| kept.bytes(blob)).transpose()?;
            let read = now.as_ref().map(|found| &found.bytes[..]);
            self.set(path, read, bytes.as_deref(), to.as_ref().and_then(|blob| blob.mode))?;
            match bytes {
                Some(_) => changed.written.push(path.to_string()),
                None => changed.removed.push(path.to_string()),
            }
            pass(self.keeper, PackageStep::File(number))?;
        }
        if self.texts.is_some() {
            // The copy is what the soul is resolved from next.
            self.keeper.prepare()?;
        }
        Ok(changed)
    }

    /// Removes what an interrupted replacement of a file has left, if the record has it.
    fn tidy(&self, path: &PackagePath, change: &Change) -> Result<(), Error> {
        let io = |error| Error::Io(format!("`{path}`"), error);
        let folder = self.agent.path.join(path).parent().map(Path::to_path_buf).unwrap_or_default();
        if self.texts.is_some() || !folder.is_dir() {
            return Ok(());
        }
        let file = self.below(path).map_err(io)?;
        for leftover in file.leftovers().map_err(io)? {
            let known = [&change.before, &change.after, &change.base];
            if known.into_iter().flatten().any(|blob| blob.holds(leftover.bytes())) {
                leftover.remove().map_err(io)?;
            }
        }
        Ok(())
    }

    fn below(&self, path: &PackagePath) -> io::Result<FileBelow> {
        FileBelow::open(&self.agent.path, path.as_ref(), self.keeper.renames)
    }

    /// Writes or removes a file durably, if it still holds what was read.
    fn set(
        &self,
        path: &PackagePath,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        mode: Option<u32>,
    ) -> Result<(), Error> {
        let is_done = match self.texts {
            Some(texts) => texts.replace_text(&self.key, path.as_str(), read, bytes, self.keeper.now())?,
            None => self.set_file(path, read, bytes, mode).map_err(|error| Error::Io(format!("`{path}`"), error))?,
        };
        if is_done { Ok(()) } else { Err(Error::ChangedSince(vec![path.to_string()])) }
    }

    fn set_file(
        &self,
        path: &PackagePath,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        mode: Option<u32>,
    ) -> io::Result<bool> {
        if let Some(folder) = Path::new(path.as_str()).parent().filter(|_| bytes.is_some()) {
            create_folders(self.agent, folder)?;
        }
        match (read, bytes) {
            (None, Some(bytes)) => {
                let is_made = files::create_below(&self.agent.path, path.as_ref(), bytes)?;
                set_mode(&self.agent.path.join(path), mode).map(|()| is_made)
            }
            (Some(read), Some(bytes)) => Ok(self.below(path)?.replace(bytes, Some(read))?.is_none()),
            (Some(read), None) => Ok(self.below(path)?.remove(read)?.is_none()),
            (None, None) => Ok(true),
        }
    }

    /// A file as it is.
    pub(super) fn found(&self, path: &str) -> Result<Option<Found>, Error> {
        if let Some(texts) = self.texts {
            return Ok(texts.text(&self.key, path)?.map(|bytes| Found { bytes, mode: None }));
        }
        let bytes = match self.agent.directory.read_within(path, MAX_BYTES as u64) {
            Ok(bytes) => bytes,
            Err(files::Error::NotFound) => return Ok(None),
            Err(files::Error::NotAFile(_) | files::Error::Link | files::Error::HardLink) => {
                return Err(Error::InTheWay(path.to_owned()));
            }
            Err(error) => return Err(Error::Unreadable(path.to_owned(), error)),
        };
        Ok(Some(Found { bytes, mode: mode(&self.agent.path.join(path)) }))
    }

    /// The text of the soul as it is.
    pub(super) fn soul(&self) -> Result<Option<Found>, Error> {
        self.found(&self.agent.soul_file())
    }

    /// The folders on the way to these files that are not there yet. A database has none.
    pub(super) fn missing_folders<'p>(&self, paths: impl Iterator<Item = &'p PackagePath>) -> BTreeSet<String> {
        let folders = paths.flat_map(|path| Path::new(path.as_str()).ancestors().skip(1));
        let missing = folders.filter(|folder| !folder.as_os_str().is_empty() && !self.agent.path.join(folder).is_dir());
        missing.filter(|_| self.texts.is_none()).map(|folder| folder.to_string_lossy().into_owned()).collect()
    }

    /// Removes folders that were made, the deepest first. A folder that is not empty stays.
    pub(super) fn remove_folders(&self, folders: &BTreeSet<String>) {
        let mut folders: Vec<&String> = folders.iter().collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        folders.iter().for_each(|folder| drop(std::fs::remove_dir(self.agent.path.join(folder))));
    }

    /// Removes the directory of an agent that was made for a package, if nothing is in it.
    pub(super) fn remove_if_new(&self, is_new: bool) {
        if is_new {
            let _ = std::fs::remove_dir(&self.agent.path);
        }
    }

    /// What is in the directory of the agent; nothing if that is a copy.
    pub(super) fn names(&self) -> Vec<String> {
        let is_there = self.texts.is_none() && self.agent.path.exists();
        if is_there { self.agent.directory.names().unwrap_or_default() } else { Vec::new() }
    }
}

/// Makes the folders on the way to a file; none of them may be a link.
fn create_folders(agent: &Agent, folder: &Path) -> io::Result<()> {
    let mut path = agent.path.clone();
    for part in folder {
        path.push(part);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(_) => std::fs::create_dir(&path)?,
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    mode.map_or(Ok(()), |mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o777)))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// A file as it is.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Option<u32>,
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    path.symlink_metadata().ok().map(|metadata| metadata.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}

pub(super) fn same(blob: &Option<Blob>, found: &Option<Found>) -> bool {
    match (blob, found) {
        (None, None) => true,
        (Some(blob), Some(found)) => blob.holds(&found.bytes),
        _ => false,
    }
}

/// What is the user's or the agent's own.
pub(super) fn is_own(path: &PackagePath) -> bool {
    matches!(path.as_str(), "USER.md" | "MEMORY.md" | "TOOLS.md") || path.folder() == Some("memory")
}
