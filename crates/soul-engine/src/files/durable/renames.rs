use std::ffi::OsStr;
use std::io;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::slot::identity;
use crate::files::contents_of;

/// A directory and a name in it.
#[derive(Clone, Copy)]
pub(super) struct At<'a>(pub(super) &'a Dir, pub(super) &'a OsStr);

/// One file as it is: which, and its bytes if it is one that can be read.
pub(super) struct Sight {
    identity: (u64, u64),
    pub(super) bytes: Option<Vec<u8>>,
}

impl Sight {
    /// What is there; nothing is none.
    pub(super) fn of(At(dir, name): At<'_>) -> io::Result<Option<Self>> {
        let metadata = match dir.symlink_metadata(name) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let bytes = if metadata.is_file() { contents_of(open(dir, name)?).ok() } else { None };
        Ok(Some(Self { identity: identity(&metadata), bytes }))
    }

    /// A file of ours with this text.
    pub(super) fn ours(text: &[u8]) -> Self {
        Self { identity: (0, 0), bytes: Some(text.to_vec()) }
    }

    /// Whether it holds this text.
    pub(super) fn holds(&self, text: &[u8]) -> bool {
        self.bytes.as_deref() == Some(text)
    }

    /// Whether the same text, or the same thing that cannot be read, is in both.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if self.bytes.is_none() { self.identity == other.identity } else { self.bytes == other.bytes }
    }
}

pub(super) fn open(dir: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    dir.open_with(name, &options)
}

/// What shows that a file is another one, or was written to.
pub(super) fn state(metadata: &Metadata) -> ((u64, u64), u64, Option<cap_std::time::SystemTime>) {
    (identity(metadata), metadata.len(), metadata.modified().ok())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_with(from: At<'_>, to: At<'_>, flags: rustix::fs::RenameFlags) -> io::Result<()> {
    Ok(rustix::fs::renameat_with(from.0, from.1, to.0, to.1, flags)?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(from: At<'_>, to: At<'_>) -> io::Result<()> {
    rename_with(from, to, rustix::fs::RenameFlags::EXCHANGE)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_into_nothing(from: At<'_>, to: At<'_>) -> io::Result<()> {
    rename_with(from, to, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: At<'_>, _: At<'_>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn rename_into_nothing(_: At<'_>, _: At<'_>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the file system, or the system, does not know the flags.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}
