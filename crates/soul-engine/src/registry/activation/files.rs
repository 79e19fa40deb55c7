//! The files beside a soul: as they are, and brought to where a record says.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::lock::PackageStep;
use super::super::{Error, MAX_BYTES, PackagePath};
use super::pass;
use super::record::{Blob, Change, Kept};
use crate::Keeper;
use crate::files::{self, FileBelow};
use crate::workspace::Agent;

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

/// Brings every file of a record to where it should be. A file that is neither what it was nor what it is to be was
/// changed by others, and stays.
pub(super) fn apply_files(keeper: &Keeper, agent: &Agent, kept: &Kept, direction: Direction) -> Result<Changed, Error> {
    let mut changed = Changed::default();
    for (number, (path, change)) in kept.record.files.iter().enumerate() {
        let (from, to) = match direction {
            Direction::Forward => (&change.before, &change.after),
            Direction::Back => (&change.after, &change.before),
        };
        tidy(keeper, agent, path, change)?;
        let now = found(agent, path.as_str())?;
        if !same(from, &now) || from.as_ref().map(|blob| &blob.sha256) == to.as_ref().map(|blob| &blob.sha256) {
            continue;
        }
        let bytes = to.as_ref().map(|blob| kept.bytes(blob)).transpose()?;
        set(
            keeper,
            agent,
            path,
            now.as_ref().map(|found| &found.bytes[..]),
            bytes.as_deref(),
            to.as_ref().and_then(|blob| blob.mode),
        )?;
        match bytes {
            Some(_) => changed.written.push(path.to_string()),
            None => changed.removed.push(path.to_string()),
        }
        pass(keeper, PackageStep::File(number))?;
    }
    Ok(changed)
}

/// Removes what an interrupted replacement of a file has left, if the record has it.
fn tidy(keeper: &Keeper, agent: &Agent, path: &PackagePath, change: &Change) -> Result<(), Error> {
    let io = |error| Error::Io(format!("`{path}`"), error);
    let folder = agent.path.join(path).parent().map(Path::to_path_buf).unwrap_or_default();
    if !folder.is_dir() {
        return Ok(());
    }
    let file = FileBelow::open(&agent.path, path.as_ref(), keeper.renames).map_err(io)?;
    for leftover in file.leftovers().map_err(io)? {
        let known = [&change.before, &change.after, &change.base];
        if known.into_iter().flatten().any(|blob| blob.holds(leftover.bytes())) {
            leftover.remove().map_err(io)?;
        }
    }
    Ok(())
}

/// Writes or removes a file of an agent durably, if it still holds what was read.
fn set(
    keeper: &Keeper,
    agent: &Agent,
    path: &PackagePath,
    read: Option<&[u8]>,
    bytes: Option<&[u8]>,
    mode: Option<u32>,
) -> Result<(), Error> {
    let io = |error| Error::Io(format!("`{path}`"), error);
    if let Some(folder) = Path::new(path.as_str()).parent().filter(|_| bytes.is_some()) {
        create_folders(agent, folder).map_err(io)?;
    }
    let changed = match (read, bytes) {
        (None, Some(bytes)) => {
            let made = files::create_below(&agent.path, path.as_ref(), bytes).map_err(io)?;
            set_mode(&agent.path.join(path), mode).map_err(io)?;
            !made
        }
        (Some(read), Some(bytes)) => FileBelow::open(&agent.path, path.as_ref(), keeper.renames)
            .map_err(io)?
            .replace(bytes, Some(read))
            .map_err(io)?
            .is_some(),
        (Some(read), None) => {
            FileBelow::open(&agent.path, path.as_ref(), keeper.renames).map_err(io)?.remove(read).map_err(io)?.is_some()
        }
        (None, None) => false,
    };
    if changed { Err(Error::ChangedSince(vec![path.to_string()])) } else { Ok(()) }
}

/// Makes the folders on the way to a file; none of them may be a link.
fn create_folders(agent: &Agent, folder: &Path) -> std::io::Result<()> {
    let mut path = agent.path.clone();
    for part in folder {
        path.push(part);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(std::io::ErrorKind::NotADirectory.into()),
            Err(_) => std::fs::create_dir(&path)?,
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    mode.map_or(Ok(()), |mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o777)))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> std::io::Result<()> {
    Ok(())
}

/// A file as it is.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Option<u32>,
}

pub(super) fn found(agent: &Agent, path: &str) -> Result<Option<Found>, Error> {
    let bytes = match agent.directory.read_within(path, MAX_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(files::Error::NotFound) => return Ok(None),
        Err(files::Error::NotAFile(_) | files::Error::Link | files::Error::HardLink) => {
            return Err(Error::InTheWay(path.to_owned()));
        }
        Err(error) => return Err(Error::Unreadable(path.to_owned(), error)),
    };
    Ok(Some(Found { bytes, mode: mode(&agent.path.join(path)) }))
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

/// The folders on the way to these files that are not there yet.
pub(super) fn missing_folders<'a>(agent: &Agent, paths: impl Iterator<Item = &'a PackagePath>) -> BTreeSet<String> {
    let folders = paths.flat_map(|path| Path::new(path.as_str()).ancestors().skip(1));
    let missing = folders.filter(|folder| !folder.as_os_str().is_empty() && !agent.path.join(folder).is_dir());
    missing.map(|folder| folder.to_string_lossy().into_owned()).collect()
}
