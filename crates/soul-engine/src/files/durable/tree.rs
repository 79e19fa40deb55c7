use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::attributes::Replaced;
use super::file;
use super::slot::{DirectorySlot, NEW, OLD, SlotPath, identity, is_staging, sync};

/// A directory tree that is being written beside the one that it is to replace. Dropping it removes
/// it.
///
/// ```
/// use soul_engine::files::StagedTree;
///
/// let packages = tempfile::tempdir()?;
/// let mut staged = StagedTree::begin(&packages.path().join("guide"))?;
/// staged.write("soul.json", b"{}")?;
/// staged.write("skills/read/SKILL.md", b"Read first.")?;
/// // Until here nothing is in place; from here on, all of it is.
/// staged.swap()?.sync()?;
/// # assert!(packages.path().join("guide/skills/read/SKILL.md").is_file());
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub struct StagedTree {
    name: OsString,
    new: Dir,
    /// The tree in place, whose permissions are kept.
    old: Option<Dir>,
    folders: BTreeSet<PathBuf>,
    slot: DirectorySlot,
}

impl StagedTree {
    /// Starts an empty tree that is to replace the directory at `path`, or to be created there. What a
    /// crash has left of an earlier replacement is repaired first. The path to the parent directory may
    /// lead through links; the directory itself must not be one.
    ///
    /// # Errors
    /// When the parent directory cannot be written, or something else than a directory is in place.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| invalid("the path does not end with a name"))?;
        let parent = Dir::open_ambient_dir(super::super::folder_of(path), ambient_authority())?;
        Self::begin_in(&parent, name)
    }

    fn begin_in(parent: &Dir, name: &OsStr) -> io::Result<Self> {
        if is_staging(name) {
            return Err(invalid("names that end with `.soul-staging` are reserved"));
        }
        let slot = SlotPath::beside(parent, name).create_directory()?;
        let old = match parent.symlink_metadata(name) {
            Ok(metadata) if metadata.is_dir() => Some(parent.open_dir_nofollow(name)?),
            Ok(_) => return Err(io::Error::from(io::ErrorKind::NotADirectory)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        slot.dir.create_dir(NEW)?;
        let new = slot.dir.open_dir_nofollow(NEW)?;
        let staged = Self { name: name.to_owned(), new, old, folders: BTreeSet::from([PathBuf::from(".")]), slot };
        Ok(staged)
    }

    /// Adds a file, and the folders on the way to it. What is in place under the same path gives it its
    /// permissions.
    ///
    /// # Errors
    /// When the path leads out of the tree, is taken, or the file cannot be written.
    pub fn write(&mut self, path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let path = path.as_ref();
        let inside = path.components().all(|part| matches!(part, Component::Normal(name) if !is_staging(name)));
        if !inside || path.as_os_str().is_empty() {
            return Err(invalid("the path points outside the tree, or is reserved"));
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            self.new.create_dir_all(folder)?;
            self.folders.extend(folder.ancestors().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned));
        }
        let replaced = self.old.as_ref().and_then(|old| Replaced::of(old, path));
        file::write(&self.new, path, bytes, replaced)
    }

    /// Puts the tree into place: moves the old one aside, and the new one in.
    ///
    /// # Errors
    /// When a directory cannot be synced or renamed; then the old tree is in place.
    pub fn swap(self) -> io::Result<SwappedTree> {
        self.finish()?;
        self.set_aside()?;
        self.move_in()
    }

    /// Gives folders their permissions, and makes durable what they hold.
    pub(super) fn finish(&self) -> io::Result<()> {
        for folder in &self.folders {
            let open = self.new.open_dir(folder)?.open(".")?;
            let replaced = self.old.as_ref().and_then(|old| old.symlink_metadata(folder).ok());
            if let Some(replaced) = replaced.filter(cap_std::fs::Metadata::is_dir) {
                open.set_permissions(replaced.permissions())?;
            }
            open.sync_all()?;
        }
        Ok(())
    }

    /// Moves the old tree aside, if there was one. One that another program has put there since is left
    /// alone: it keeps the new one from coming into place.
    pub(super) fn set_aside(&self) -> io::Result<()> {
        let Some(old) = &self.old else { return Ok(()) };
        if identity(&old.dir_metadata()?) != identity(&self.slot.parent.symlink_metadata(&self.name)?) {
            return Err(io::Error::other("another program has replaced it"));
        }
        self.slot.parent.rename(&self.name, &self.slot.dir, OLD)
    }

    pub(super) fn move_in(mut self) -> io::Result<SwappedTree> {
        self.slot.dir.rename(NEW, &self.slot.parent, &self.name)?;
        self.slot.keep = true;
        Ok(SwappedTree(self.slot))
    }
}

/// A tree that is in place and not yet durably so. The one that it replaced is kept until then.
#[must_use]
pub struct SwappedTree(DirectorySlot);

impl SwappedTree {
    /// Makes it durable, and removes the tree that it replaced.
    ///
    /// # Errors
    /// When the system cannot say that it is durable.
    pub fn sync(mut self) -> io::Result<()> {
        sync(&self.0.parent)?;
        self.0.keep = false;
        Ok(())
    }
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
