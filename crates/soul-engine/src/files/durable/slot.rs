use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::Instant;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, DirBuilder, File, Metadata, OpenOptions};
use soul_core::digest::RawDigest;

use super::exchange::{Leftover, Out, Place};
use crate::files::{PATIENCE, lock};

/// Ends every name that is ours.
const SUFFIX: &str = ".soul-staging";

/// The tree that is to come into place.
pub(super) const NEW: &str = "new.soul-staging";

/// The tree that was in place.
pub(super) const OLD: &str = "old.soul-staging";

/// A file that has changed places with the one in place.
const OUT: &str = "out.soul-staging";

/// The longest label that is part of a slot's name as it is: with the rest of the name, far from the
/// 255 bytes that file systems allow.
const LONGEST_LABEL: usize = 200;

/// Whether a name is that of a slot, or of something in one.
pub(crate) fn is_staging(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(SUFFIX.as_bytes())
}

/// Where a slot is, or will be created.
pub(super) struct SlotPath<'a> {
    parent: &'a Dir,
    name: OsString,
    /// The tree that stands beside the slot, which may have to be moved back to its place.
    tree: Option<OsString>,
}

impl<'a> SlotPath<'a> {
    /// A slot that is named for what is staged in it.
    pub(super) fn new(parent: &'a Dir, label: &OsStr) -> Self {
        let mut name = OsString::from(".");
        if label.len() <= LONGEST_LABEL {
            name.push(label);
        } else {
            let digest = RawDigest::of(label.as_encoded_bytes());
            name.push(digest.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        }
        name.push(SUFFIX);
        Self { parent, name, tree: None }
    }

    /// The slot of a folder, beside it.
    pub(super) fn beside(parent: &'a Dir, folder: &OsStr) -> Self {
        Self { tree: Some(folder.to_owned()), ..Self::new(parent, folder) }
    }

    /// The slot of a folder, inside it.
    pub(super) fn inside(folder: &'a Dir) -> Self {
        Self { parent: folder, name: OsString::from(SUFFIX), tree: None }
    }

    /// What changes places with a file: beside the slot, or in it where it is a directory. What is there is read
    /// before it is removed.
    pub(super) fn out(&self, folder: Option<DirectorySlot>) -> io::Result<Out> {
        let name = match &folder {
            Some(_) => OsString::from(OUT),
            None => [OsStr::new(self.label()), OsStr::new("."), OsStr::new(OUT)].into_iter().collect(),
        };
        let dir = folder.as_ref().map_or(self.parent, |folder| &folder.dir).try_clone()?;
        Ok(Out { dir, name, folder })
    }

    /// Its name without what all such names end with.
    fn label(&self) -> &OsStr {
        Path::new(&self.name).file_stem().unwrap_or(&self.name)
    }

    /// What an exchange that was cut off has left here.
    pub(super) fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        let mut found: Vec<_> = Leftover::of(self.out(None)?)?.into_iter().collect();
        if let Occupant::Directory(mut slot) = self.occupant(None)? {
            slot.keep = true;
            found.extend(Leftover::of(self.out(Some(slot))?)?);
        }
        Ok(found)
    }

    /// Creates a file as the slot; a private one can be read by its owner only.
    pub(super) fn create_file(&self, private: bool) -> io::Result<FileSlot> {
        let until = Instant::now() + PATIENCE;
        loop {
            match create_file(self.parent, self.name.as_ref(), private) {
                Ok(file) => {
                    if let Held::Locked(lock) = self.lock(file.try_clone()?.into_std(), None) {
                        let parent = self.parent.try_clone()?;
                        return Ok(FileSlot { parent, name: self.name.clone(), file, in_place: false, _lock: lock });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.remove_stale(until)?,
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates a private directory as the slot.
    pub(super) fn create_directory(&self) -> io::Result<DirectorySlot> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.parent.create_dir_with(&self.name, &private_directory()) {
                Ok(()) => {
                    if let Occupant::Directory(slot) = self.occupant(None)? {
                        return Ok(slot);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.remove_stale(until)?,
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes what a crash has left. Where that is not possible, the next write tries again.
    pub(super) fn tidy(&self) {
        if let Ok(occupant) = self.occupant(None) {
            let _ = self.remove(occupant);
        }
    }

    /// Waits for the process that uses the slot, and removes what a crash has left.
    fn remove_stale(&self, until: Instant) -> io::Result<()> {
        match self.occupant(Some(until))? {
            Occupant::InUse => {
                Err(io::Error::new(io::ErrorKind::TimedOut, "another process is writing to this folder"))
            }
            occupant => self.remove(occupant),
        }
    }

    fn remove(&self, occupant: Occupant) -> io::Result<()> {
        match occupant {
            Occupant::Nothing | Occupant::InUse => Ok(()),
            Occupant::File(_lock) => self.parent.remove_file(&self.name),
            Occupant::Directory(mut slot) => {
                slot.keep = true;
                slot.clear()?;
                slot.keep = false;
                Ok(())
            }
        }
    }

    /// What is at the slot's path, locked unless another process has it.
    fn occupant(&self, until: Option<Instant>) -> io::Result<Occupant> {
        let metadata = match self.parent.symlink_metadata(&self.name) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Occupant::Nothing),
            Err(error) => return Err(error),
        };
        let opened = if metadata.is_dir() {
            self.parent.open_dir_nofollow(&self.name).and_then(|dir| Ok((dir.open(".")?, Some(dir))))
        } else if metadata.is_file() {
            let mut options = OpenOptions::new();
            options.read(true).nonblock(true).follow(FollowSymlinks::No);
            self.parent.open_with(&self.name, &options).map(|file| (file, None))
        } else {
            Err(foreign(&self.name))
        };
        let (handle, dir) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Occupant::Nothing),
            Err(error) => return Err(error),
        };
        Ok(match (self.lock(handle.into_std(), until), dir) {
            (Held::Gone, _) => Occupant::Nothing,
            (Held::InUse, _) => Occupant::InUse,
            (Held::Locked(lock), None) => Occupant::File(lock),
            (Held::Locked(lock), Some(dir)) => {
                let (parent, name, tree) = (self.parent.try_clone()?, self.name.clone(), self.tree.clone());
                Occupant::Directory(DirectorySlot { parent, name, tree, dir, keep: false, _lock: lock })
            }
        })
    }

    /// Locks what was opened at the slot's path. Another process may have removed or renamed it before
    /// we had the lock.
    fn lock(&self, handle: std::fs::File, until: Option<Instant>) -> Held {
        // An error means that this file system has no locks.
        if !lock(&handle, until).unwrap_or(true) {
            return Held::InUse;
        }
        let there = self.parent.symlink_metadata(&self.name).ok();
        let ours = Metadata::from_file(&handle).ok();
        let is_there = there.zip(ours).is_some_and(|(there, ours)| identity(&there) == identity(&ours));
        if is_there { Held::Locked(handle) } else { Held::Gone }
    }
}

enum Held {
    Locked(std::fs::File),
    InUse,
    Gone,
}

enum Occupant {
    Nothing,
    InUse,
    File(std::fs::File),
    Directory(DirectorySlot),
}

/// A file on its way into place. Dropping it removes it, unless it is there.
pub(super) struct FileSlot {
    parent: Dir,
    name: OsString,
    pub(super) file: File,
    in_place: bool,
    _lock: std::fs::File,
}

impl FileSlot {
    /// Gives it the name under which it changes places with another.
    pub(super) fn rename_out(mut self, out: Out) -> io::Result<Out> {
        self.parent.rename(&self.name, &out.dir, &out.name)?;
        self.in_place = true;
        Ok(out)
    }

    /// Puts it into place, if nothing is there.
    pub(super) fn move_in(&mut self, place: Place<'_>) -> io::Result<()> {
        place.move_in(&self.parent, &self.name)?;
        self.in_place = true;
        Ok(())
    }

    pub(super) fn rename(&mut self, directory: &Dir, name: &OsStr) -> io::Result<()> {
        self.parent.rename(&self.name, directory, name)?;
        self.in_place = true;
        Ok(())
    }
}

impl Drop for FileSlot {
    fn drop(&mut self) {
        if !self.in_place {
            // What cannot be removed now is removed by the next write.
            let _ = self.parent.remove_file(&self.name);
        }
    }
}

/// A private directory for what is on its way into place, or out of it. Dropping it removes it.
pub(super) struct DirectorySlot {
    pub(super) parent: Dir,
    name: OsString,
    tree: Option<OsString>,
    pub(super) dir: Dir,
    /// Leaves it for the next write to clear: what it holds may still be needed.
    pub(super) keep: bool,
    _lock: std::fs::File,
}

impl DirectorySlot {
    /// Finishes or reverts the swap of a tree that was cut off, and removes everything else.
    fn clear(&self) -> io::Result<()> {
        if self.has(OUT)? {
            return Err(foreign(&self.name));
        }
        if self.has(OLD)? {
            self.settle_tree()?;
        }
        for entry in self.dir.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            if !entry.file_type()?.is_dir() {
                self.dir.remove_file(&name)?;
            } else if name == NEW {
                remove_tree(&self.dir, NEW)?;
            } else {
                return Err(foreign(&self.name));
            }
        }
        Ok(())
    }

    fn settle_tree(&self) -> io::Result<()> {
        let Some(tree) = &self.tree else { return Err(foreign(&self.name)) };
        match self.parent.symlink_metadata(tree) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.dir.rename(OLD, &self.parent, tree)?;
                sync(&self.parent)
            }
            Err(error) => Err(error),
            // The new tree has come into place. That must be durable before the old one goes.
            Ok(_) if !self.has(NEW)? => {
                sync(&self.parent)?;
                remove_tree(&self.dir, OLD)
            }
            // Another program has created what is there; the old tree is the only copy.
            Ok(_) => Err(foreign(&self.name)),
        }
    }

    fn has(&self, name: &str) -> io::Result<bool> {
        match self.dir.symlink_metadata(name) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Drop for DirectorySlot {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        // What cannot be removed now is removed by the next write.
        if self.parent.remove_dir(&self.name).is_err() && self.clear().is_ok() {
            let _ = self.parent.remove_dir(&self.name);
        }
    }
}

/// A slot holds something that we did not put there, or must not remove.
pub(super) fn foreign(name: &OsStr) -> io::Error {
    let name = soul_core::text::visible(&name.to_string_lossy());
    let message = format!("`{name}` is in the way: move its contents, or delete it");
    io::Error::new(io::ErrorKind::AlreadyExists, message)
}

/// Removes a directory with all that it holds, also from folders that are read-only.
fn remove_tree(directory: &Dir, name: &str) -> io::Result<()> {
    match directory.remove_dir_all(name) {
        #[cfg(unix)]
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(directory, OsStr::new(name))?;
            directory.remove_dir_all(name)
        }
        result => result,
    }
}

#[cfg(unix)]
fn make_writable(directory: &Dir, name: &OsStr) -> io::Result<()> {
    use cap_std::fs::{Permissions, PermissionsExt};
    directory.set_permissions(name, Permissions::from_mode(0o700))?;
    let opened = directory.open_dir_nofollow(name)?;
    for entry in opened.entries()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_writable(&opened, &entry.file_name())?;
        }
    }
    Ok(())
}

/// Which file or directory it is, whatever its name.
pub(super) fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// A folder that is being created beside its slot. If the process ends before the folder has anything in it, the slot
/// shows that the folder was made for something that never came.
#[must_use]
pub(crate) struct Creation(#[expect(dead_code, reason = "held, not used")] DirectorySlot);

impl Creation {
    pub(crate) fn begin(parent: &Dir, folder: &OsStr) -> io::Result<Self> {
        SlotPath::beside(parent, folder).create_directory().map(Self)
    }

    /// Removes the empty folder of a creation that was cut off, given by its slot. Returns its name if it is gone.
    pub(crate) fn sweep(parent: &Dir, slot: &str) -> Option<String> {
        let folder = slot.strip_prefix('.')?.strip_suffix(SUFFIX).filter(|folder| !folder.is_empty())?;
        let Ok(Occupant::Directory(slot)) = SlotPath::beside(parent, OsStr::new(folder)).occupant(None) else {
            return None;
        };
        if slot.dir.entries().ok()?.next().is_some() {
            return None;
        }
        // One that has anything in it is not removed.
        parent.remove_dir(folder).ok().map(|()| folder.to_owned())
    }
}

/// Makes durable which names a directory holds.
pub(super) fn sync(directory: &Dir) -> io::Result<()> {
    directory.open(".")?.sync_all()
}

/// Creates a file that was not there; a private one can be read by its owner only.
pub(super) fn create_file(directory: &Dir, path: &Path, private: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    directory.open_with(path, &options)
}

fn private_directory() -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
