use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use cap_fs_ext::MetadataExt;
use cap_std::fs::{Dir, File};

use super::attributes::Replaced;
use super::exchange::{Exchanged, Leftover, Out, Place, Put, Renames};
use super::slot::{DirectorySlot, FileSlot, SlotPath, create_file, is_staging, sync};

/// A directory that files are written to, and where they are staged.
pub(crate) struct Site<'a> {
    directory: &'a Dir,
    slots: Vec<SlotPath<'a>>,
    /// Others may enter the directory of the first slot, and not that of the files.
    is_exposed: bool,
    renames: Renames,
    carries_over: bool,
}

impl<'a> Site<'a> {
    /// A site for any file of a directory. `root` is the folder that stays clean, the same directory or
    /// one above it, and `beside` the directory that holds `root` under this name.
    pub(crate) fn new(directory: &'a Dir, root: &'a Dir, name: &OsStr, beside: Option<&'a Dir>) -> Self {
        let beside = beside.filter(|beside| is_same_device(beside, directory));
        let mut slots: Vec<_> = beside.iter().map(|beside| SlotPath::beside(beside, name)).collect();
        if is_same_device(root, directory) {
            slots.push(SlotPath::inside(root));
        }
        if !std::ptr::eq(root, directory) {
            slots.push(SlotPath::inside(directory));
        }
        let is_exposed = beside.is_some_and(|beside| is_exposed(beside, root) || is_exposed(beside, directory));
        Self { directory, slots, is_exposed, renames: Renames::Exchange, carries_over: false }
    }

    /// A site for one file, with a slot of its own: what is left there belongs to that file. Its user holds
    /// the lock of the file's folder.
    pub(crate) fn of_file(directory: &'a Dir, name: &OsStr, beside: &'a Dir, file: &OsStr, renames: Renames) -> Self {
        let label: OsString = [name, OsStr::new("."), file].into_iter().collect();
        let mut slots = vec![SlotPath::new(directory, file)];
        let use_beside = is_same_device(beside, directory);
        if use_beside {
            slots.insert(0, SlotPath::new(beside, &label));
        }
        Self { directory, slots, is_exposed: use_beside && is_exposed(beside, directory), renames, carries_over: false }
    }

    /// The same for a file that others add to: what they add during an exchange is added to the new text.
    pub(crate) fn carrying_over(self) -> Self {
        Self { carries_over: true, ..self }
    }

    /// Removes what a crash has left of an earlier write.
    pub(crate) fn tidy(&self) {
        self.slots.iter().for_each(SlotPath::tidy);
    }

    /// The texts that an exchange which was cut off has left. They may be on no record.
    pub(crate) fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        let found = self.slots.iter().map(SlotPath::leftovers).collect::<io::Result<Vec<_>>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn place(&self, name: &'a OsStr) -> Place<'a> {
        Place { directory: self.directory, name, renames: self.renames, carries_over: self.carries_over }
    }

    /// Moves a file out of its place, if it still holds the text that was read.
    pub(crate) fn take_out(&self, name: &'a OsStr, read: &[u8]) -> io::Result<Exchanged<'a>> {
        let mut failed = io::Error::from(io::ErrorKind::CrossesDevices);
        for (index, path) in self.slots.iter().enumerate() {
            let folder = (index == 0 && self.is_exposed).then(|| path.create_directory()).transpose();
            match folder.and_then(|folder| path.out(folder)).map(|out| out.take(self.place(name), read)) {
                Ok(Ok(exchanged)) => return Ok(exchanged),
                Ok(Err(Put { error, out: Some(_) })) | Err(error) => failed = error,
                Ok(Err(Put { error, out: None })) => return Err(error),
            }
        }
        Err(failed)
    }
}

/// Nothing can be renamed from one device to another.
fn is_same_device(a: &Dir, b: &Dir) -> bool {
    let device = |dir: &Dir| dir.dir_metadata().ok().map(|metadata| metadata.dev());
    std::ptr::eq(a, b) || device(a) == device(b)
}

/// Whether others may enter the first directory and not the second.
fn is_exposed(first: &Dir, second: &Dir) -> bool {
    #[cfg(unix)]
    {
        use cap_std::fs::PermissionsExt;
        let mode = |dir: &Dir| dir.dir_metadata().ok().map(|metadata| metadata.permissions().mode());
        let (first, second) = (mode(first).unwrap_or(0o777), mode(second).unwrap_or(0));
        first & !second & 0o011 != 0
    }
    #[cfg(not(unix))]
    {
        _ = (first, second);
        false
    }
}

/// Files by their names in one directory.
pub(crate) type Files<'a> = BTreeMap<&'a OsStr, &'a [u8]>;

/// Files that are on disk and not yet in place. Dropping it removes them.
#[must_use]
pub(crate) struct Staged<'a> {
    site: &'a Site<'a>,
    files: Files<'a>,
    slot: Slot,
    /// Where to stage next if the files cannot be renamed from this slot.
    next: usize,
}

/// One file, or a directory for several files or for one that others must not read.
enum Slot {
    File(FileSlot),
    Directory(DirectorySlot),
}

impl Slot {
    /// Gives the one staged file the name under which it changes places with another.
    fn into_out(self, path: &SlotPath<'_>, name: &OsStr) -> io::Result<Out> {
        match self {
            Self::File(slot) => slot.rename_out(path.out(None)?),
            Self::Directory(slot) => {
                let out = path.out(Some(slot))?;
                out.dir.rename(name, &out.dir, &out.name)?;
                Ok(out)
            }
        }
    }
}

impl<'a> Staged<'a> {
    /// Writes files and syncs them. Those that replace one get its permissions.
    pub(crate) fn new(site: &'a Site<'a>, files: Files<'a>) -> io::Result<Self> {
        if files.keys().any(|name| is_staging(name)) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "names that end with `.soul-staging` are reserved",
            ));
        }
        site.tidy();
        let (slot, next) = stage(site, &files, 0)?;
        Ok(Self { site, files, slot, next })
    }

    /// Puts one file into place, if what is there is still the text that was read, or nothing. Both change places,
    /// so that what was there can be compared before it goes.
    pub(crate) fn exchange(self, read: Option<&[u8]>) -> io::Result<Exchanged<'a>> {
        let Self { site, files, mut slot, mut next } = self;
        let (name, ours) = files.first_key_value().ok_or(io::ErrorKind::InvalidInput)?;
        loop {
            let out = slot.into_out(&site.slots[next - 1], name)?;
            match out.put_in(site.place(name), ours, read) {
                Ok(exchanged) => return Ok(exchanged),
                Err(Put { error, out: Some(out) }) => {
                    out.remove()?;
                    if error.kind() != io::ErrorKind::CrossesDevices || next >= site.slots.len() {
                        return Err(error);
                    }
                    // A mount point of the same file system looks like any directory until one tries.
                    (slot, next) = stage(site, &files, next)?;
                }
                Err(Put { error, out: None }) => return Err(error),
            }
        }
    }

    /// Puts one file into place durably, if nothing is there; false if something is.
    pub(crate) fn create(self) -> io::Result<bool> {
        let Self { site, files, mut slot, mut next } = self;
        let name = *files.first_key_value().ok_or(io::ErrorKind::InvalidInput)?.0;
        loop {
            let moved = match &mut slot {
                Slot::File(slot) => slot.move_in(site.place(name)),
                Slot::Directory(slot) => site.place(name).move_in(&slot.dir, name),
            };
            match moved {
                Ok(()) => return sync(site.directory).map(|()| true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices && next < site.slots.len() => {
                    (slot, next) = stage(site, &files, next)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts one file into place after the other.
    pub(crate) fn swap(mut self) -> io::Result<Swapped<'a>> {
        while let Some(name) = self.files.keys().next().copied() {
            let renamed = match &mut self.slot {
                Slot::File(slot) => slot.rename(self.site.directory, name),
                Slot::Directory(slot) => slot.dir.rename(name, self.site.directory, name),
            };
            match renamed {
                Ok(()) => drop(self.files.remove(name)),
                // A mount point of the same file system looks like any directory until one tries.
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices && self.next < self.site.slots.len() => {
                    (self.slot, self.next) = stage(self.site, &self.files, self.next)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Swapped(self.site.directory))
    }
}

/// Stages in the first slot that can be used, and returns which one comes next.
fn stage(site: &Site<'_>, files: &Files<'_>, from: usize) -> io::Result<(Slot, usize)> {
    let mut failed = io::Error::from(io::ErrorKind::CrossesDevices);
    for (index, path) in site.slots.iter().enumerate().skip(from) {
        let staged = if files.len() > 1 || index == 0 && site.is_exposed {
            stage_in_directory(path, site.directory, files).map(Slot::Directory)
        } else {
            stage_as_file(path, site.directory, files).map(Slot::File)
        };
        match staged {
            Ok(slot) => return Ok((slot, index + 1)),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn stage_in_directory(path: &SlotPath<'_>, directory: &Dir, files: &Files<'_>) -> io::Result<DirectorySlot> {
    let slot = path.create_directory()?;
    for (name, bytes) in files {
        write(&slot.dir, name.as_ref(), bytes, Replaced::of(directory, name.as_ref()))?;
    }
    Ok(slot)
}

fn stage_as_file(path: &SlotPath<'_>, directory: &Dir, files: &Files<'_>) -> io::Result<FileSlot> {
    let (name, bytes) = files.first_key_value().ok_or(io::ErrorKind::InvalidInput)?;
    let replaced = Replaced::of(directory, name.as_ref());
    let mut slot = path.create_file(replaced.is_some())?;
    fill(&mut slot.file, bytes, replaced)?;
    Ok(slot)
}

/// Writes one file and syncs it, with the attributes of the one that it is to replace.
pub(super) fn write(directory: &Dir, path: &Path, bytes: &[u8], replaced: Option<Replaced>) -> io::Result<()> {
    fill(&mut create_file(directory, path, replaced.is_some())?, bytes, replaced)
}

fn fill(file: &mut File, bytes: &[u8], replaced: Option<Replaced>) -> io::Result<()> {
    if let Some(replaced) = replaced {
        replaced.give_to(file)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Files that are in place; which names the directory holds is not yet durable.
#[must_use]
pub(crate) struct Swapped<'a>(&'a Dir);

impl Swapped<'_> {
    /// Makes it durable.
    pub(crate) fn sync(self) -> io::Result<()> {
        sync(self.0)
    }
}
