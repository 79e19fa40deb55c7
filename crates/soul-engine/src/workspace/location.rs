use std::io;
use std::path::{Path, PathBuf};

use super::WORKSPACE_FOLDER;
use super::id::workspace_id;

/// Where a workspace is on this machine: what tells a directory from a copy of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The device of its `.soul` folder.
    pub device: u64,
    /// The inode of its `.soul` folder, which it keeps when it is moved, and a copy does not have.
    pub inode: u64,
    /// The path of the workspace, without links.
    pub path: PathBuf,
    /// Whether another home recorded it, perhaps on another machine: nothing here tells what is there.
    pub is_elsewhere: bool,
}

/// What is at a location where a workspace was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// The workspace, with its id.
    Here,
    /// Nothing, or a workspace with another id or without one.
    Gone,
    /// Something that cannot be read now.
    Unreadable,
}

impl Location {
    /// Where a workspace is that has a folder of ours.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) fn of(root: &Path) -> io::Result<Self> {
        let path = root.canonicalize()?;
        let (device, inode) = identity(&path.join(WORKSPACE_FOLDER))?;
        Ok(Self { device, inode, path, is_elsewhere: false })
    }

    /// Whether both are one directory: by its identity, or by its path where it was made anew.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.has_identity_of(other) || self.has_path_of(other)
    }

    pub(crate) fn has_identity_of(&self, other: &Self) -> bool {
        cfg!(unix) && (self.device, self.inode, self.is_elsewhere) == (other.device, other.inode, other.is_elsewhere)
    }

    pub(crate) fn has_path_of(&self, other: &Self) -> bool {
        (&self.path, self.is_elsewhere) == (&other.path, other.is_elsewhere)
    }

    /// Whether the workspace with this id is still there.
    pub(crate) fn presence(&self, scope: &str) -> Presence {
        match workspace_id(&self.path) {
            _ if self.is_elsewhere => Presence::Unreadable,
            Ok(Some(id)) if id == scope => Presence::Here,
            Ok(_) => Presence::Gone,
            Err(_) => Presence::Unreadable,
        }
    }

    /// Whether another directory than this one is at its path by now.
    pub(crate) fn is_replaced(&self) -> bool {
        !self.is_elsewhere && Self::of(&self.path).is_ok_and(|now| !now.has_identity_of(self))
    }

    /// A path, as the store keeps it.
    #[cfg(unix)]
    pub(crate) fn bytes_of(path: &Path) -> &[u8] {
        use std::os::unix::ffi::OsStrExt;
        path.as_os_str().as_bytes()
    }

    /// A path, as the store keeps it.
    #[cfg(not(unix))]
    pub(crate) fn bytes_of(path: &Path) -> &[u8] {
        path.to_str().unwrap_or_default().as_bytes()
    }

    /// A path that the store kept.
    #[cfg(unix)]
    pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::OsStr::from_bytes(bytes).into()
    }

    /// A path that the store kept.
    #[cfg(not(unix))]
    pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    std::fs::metadata(path).map(|_| (0, 0))
}
