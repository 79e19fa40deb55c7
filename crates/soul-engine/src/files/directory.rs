//! An open directory, and the files that can be read through it.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::{Creation, Error, MAX_BYTES, MAX_SCANNED, SOUL_FILE, is_soul_file, is_staging};

/// An open directory. Only files inside of it can be read through it.
#[derive(Debug)]
pub struct Directory {
    dir: Dir,
    links: Links,
}

/// How links in a directory are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    /// They are followed within the directory.
    Inside,
    /// Symbolic links are refused.
    Unfollowed,
    /// Symbolic and hard links are refused: a managed file has one name.
    Refused,
}

impl Directory {
    /// Opens a directory; the path to it may lead through links.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(classify)?;
        Ok(Self { dir, links: Links::Inside })
    }

    /// Opens a directory in which links are refused; the path to it may lead through links.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn open_unlinked(path: &Path) -> Result<Self, Error> {
        Ok(Self { links: Links::Refused, ..Self::open(path)? })
    }

    /// Opens the directory of an agent below this one. Neither it nor anything that is read through
    /// it may be a link.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn agent(&self, name: impl AsRef<Path>) -> Result<Self, Error> {
        let dir = self.dir.open_dir_nofollow(name.as_ref()).map_err(|error| self.classify(error, name.as_ref()))?;
        Ok(Self { dir, links: Links::Refused })
    }

    /// Opens a directory below this one. A link is followed only within this one.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn directory(&self, name: impl AsRef<Path>) -> Result<Self, Error> {
        match self.links {
            Links::Inside => self.dir.open_dir(name).map(|dir| Self { dir, links: self.links }).map_err(classify),
            Links::Unfollowed | Links::Refused => {
                let mut parts = name.as_ref().components();
                let first = parts.next().ok_or(Error::NotFound)?;
                parts.try_fold(self.agent(first)?, |directory, part| directory.agent(part))
            }
        }
    }

    /// The same directory with hard links allowed: a file that only the first of many may create gets its
    /// name by one.
    pub(crate) fn with_hard_links(self) -> Self {
        Self { links: Links::Unfollowed, ..self }
    }

    /// The name of the soul's own file: SOUL.md, or however its case is written.
    pub(crate) fn soul_file(&self) -> String {
        if self.dir.symlink_metadata(SOUL_FILE).is_ok() {
            return SOUL_FILE.to_owned();
        }
        let names = self.names().unwrap_or_default();
        names.into_iter().find(|name| is_soul_file(name)).unwrap_or_else(|| SOUL_FILE.to_owned())
    }

    /// The names of what is in it, in order. Names that are not UTF-8 are skipped: none of ours is.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let entries = self.dir.entries().map_err(classify)?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
        let mut names = names.filter_map(Result::transpose).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    /// The names of the folders in it, without links and staging folders. An empty folder whose creation was cut off is
    /// removed.
    pub(crate) fn folders(&self) -> Result<Vec<String>, Error> {
        let (mut names, mut slots) = (Vec::new(), Vec::new());
        for entry in self.dir.entries().map_err(classify)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                let listed = if is_staging(&entry.file_name()) { &mut slots } else { &mut names };
                listed.extend(entry.file_name().into_string());
            }
        }
        for gone in slots.iter().filter_map(|slot| Creation::sweep(&self.dir, slot)) {
            names.retain(|name| *name != gone);
        }
        Ok(names)
    }

    /// The names of the folders in it that are not hidden, in order, without links.
    pub(crate) fn visible_folders(&self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for entry in self.dir.entries().map_err(classify)? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() && !name.as_encoded_bytes().starts_with(b".") && !is_staging(&name) {
                names.push(name.to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The names of the links in it, in order.
    pub(crate) fn links(&self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for entry in self.dir.entries().map_err(classify)? {
            let entry = entry?;
            if entry.file_type()?.is_symlink() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Creates a folder in it durably, if there is none.
    pub(crate) fn create(&self, name: &str) -> io::Result<()> {
        match self.dir.create_dir(name) {
            Ok(()) => self.handle()?.sync_all(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The directory as a file that can be locked or synced; the open directory itself is only a base for
    /// paths.
    pub(crate) fn handle(&self) -> io::Result<std::fs::File> {
        self.dir.open(".").map(cap_std::fs::File::into_std)
    }

    /// The open directory itself.
    pub(crate) const fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Each system has an error number of its own for a refused link, so the kind of file is checked.
    fn classify(&self, error: io::Error, name: &Path) -> Error {
        let is_link = || self.dir.symlink_metadata(name).is_ok_and(|metadata| metadata.is_symlink());
        if error.kind() != io::ErrorKind::NotFound && is_link() { Error::Link } else { classify(error) }
    }

    /// Reads one file, given by its path from here.
    ///
    /// # Errors
    /// When there is no such file, or it is not a regular one of a bounded size.
    pub fn read(&self, name: impl AsRef<Path>) -> Result<Vec<u8>, Error> {
        contents_of(self.open_file(name.as_ref(), OpenOptions::new().read(true))?)
    }

    /// Opens one file, so that it can be read, and whatever is written goes to its end in one piece.
    pub(crate) fn open_to_append(&self, name: impl AsRef<Path>) -> Result<std::fs::File, Error> {
        let file = self.open_file(name.as_ref(), OpenOptions::new().read(true).append(true))?;
        if file.metadata()?.is_file() { Ok(file.into_std()) } else { Err(Error::NotAFile("special file")) }
    }

    /// Opens one file that is too large to be read as a whole.
    ///
    /// # Errors
    /// When there is no such file, it is not a regular one, or it is larger than anything that is scanned.
    pub(crate) fn open_large(&self, name: impl AsRef<Path>) -> Result<std::fs::File, Error> {
        let file = self.open_file(name.as_ref(), OpenOptions::new().read(true))?;
        match file.metadata()? {
            metadata if metadata.is_dir() => Err(Error::NotAFile("directory")),
            metadata if !metadata.is_file() => Err(Error::NotAFile("pipe or device")),
            metadata if metadata.len() > MAX_SCANNED => Err(Error::TooLargeToScan),
            _ => Ok(file.into_std()),
        }
    }

    /// Reads at most `most` bytes of a file, starting at an offset.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    pub fn read_part(&self, name: impl AsRef<Path>, offset: u64, most: u64) -> Result<Vec<u8>, Error> {
        let mut file = self.open_file(name.as_ref(), OpenOptions::new().read(true))?;
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            file.seek(SeekFrom::Start(offset))?;
            file.take(most).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    pub(super) fn open_file(&self, name: &Path, options: &mut OpenOptions) -> Result<cap_std::fs::File, Error> {
        // Opening a pipe must not wait for someone to write into it.
        options.nonblock(true);
        if self.links == Links::Inside {
            return self.dir.open_with(name, options).map_err(classify);
        }
        if let Some(parent) = name.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            // Each directory on the way is opened as itself.
            return self.directory(parent)?.open_file(name.file_name().unwrap_or_default().as_ref(), options);
        }
        options.follow(FollowSymlinks::No);
        let file = self.dir.open_with(name, options).map_err(|error| self.classify(error, name))?;
        let metadata = file.metadata()?;
        let shared = self.links == Links::Refused && metadata.is_file() && metadata.nlink() > 1;
        if shared { Err(Error::HardLink) } else { Ok(file) }
    }
}

/// All bytes of a regular file of a bounded size.
pub(super) fn contents_of(mut file: cap_std::fs::File) -> Result<Vec<u8>, Error> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Error::NotAFile(if metadata.is_dir() { "directory" } else { "pipe or device" }));
    }
    if metadata.len() > MAX_BYTES {
        return Err(Error::TooLarge);
    }
    let mut bytes = vec![0; usize::try_from(metadata.len()).unwrap_or(0) + 1];
    let mut filled = file.read(&mut bytes)?;
    // A regular file gives less than was asked for only at its end; one that grew is read on.
    if filled == bytes.len() {
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        filled = bytes.len();
    }
    bytes.truncate(filled);
    if bytes.len() as u64 > MAX_BYTES { Err(Error::TooLarge) } else { Ok(bytes) }
}

/// A system error as one of ours.
pub(super) fn classify(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Error::NotFound,
        // An escape is refused before any system call, so it has no error number.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Error::Escapes,
        _ => Error::Io(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn read(directory: &Path, name: &str) -> Result<Vec<u8>, Error> {
        Directory::open(directory)?.read(name)
    }

    #[test]
    fn links_are_followed_inside_only() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("agent");
        fs::create_dir(&inner).unwrap();
        fs::write(outer.path().join("secret.md"), "secret").unwrap();
        fs::write(inner.join("real.md"), "real").unwrap();
        symlink("real.md", inner.join("inside.md")).unwrap();
        symlink("../secret.md", inner.join("outside.md")).unwrap();
        symlink(outer.path().join("secret.md"), inner.join("absolute.md")).unwrap();
        symlink("/proc/self/environ", inner.join("magic.md")).unwrap();
        symlink("gone.md", inner.join("dangling.md")).unwrap();
        assert_eq!(read(&inner, "inside.md").unwrap(), b"real");
        assert!(matches!(read(&inner, "outside.md"), Err(Error::Escapes)));
        assert!(matches!(read(&inner, "absolute.md"), Err(Error::Escapes)));
        assert!(matches!(read(&inner, "magic.md"), Err(Error::Escapes)));
        assert!(matches!(read(&inner, "dangling.md"), Err(Error::NotFound)));
    }

    #[test]
    fn an_agent_has_no_links() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("agent");
        fs::create_dir_all(inner.join("examples")).unwrap();
        fs::write(inner.join("real.md"), "real").unwrap();
        fs::write(inner.join("examples/good.md"), "good").unwrap();
        fs::write(outer.path().join("other.md"), "other").unwrap();
        symlink("real.md", inner.join("inside.md")).unwrap();
        symlink("examples", inner.join("more")).unwrap();
        symlink("gone.md", inner.join("dangling.md")).unwrap();
        fs::hard_link(outer.path().join("other.md"), inner.join("hard.md")).unwrap();
        symlink("agent", outer.path().join("alias")).unwrap();
        let agents = Directory::open(outer.path()).unwrap();
        let agent = agents.agent("agent").unwrap();
        assert_eq!(agent.read("real.md").unwrap(), b"real");
        assert_eq!(agent.read("examples/good.md").unwrap(), b"good");
        assert!(matches!(agent.read("inside.md"), Err(Error::Link)));
        assert!(matches!(agent.read("dangling.md"), Err(Error::Link)));
        assert!(matches!(agent.read("more/good.md"), Err(Error::Link)));
        assert!(matches!(agent.read("hard.md"), Err(Error::HardLink)));
        assert!(matches!(agent.read("none/good.md"), Err(Error::NotFound)));
        assert!(matches!(agents.agent("alias"), Err(Error::Link)));
        assert!(matches!(agents.agent("none"), Err(Error::NotFound)));
    }

    #[test]
    fn what_is_staged_is_nobodys() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".coder.soul-staging")).unwrap();
        fs::create_dir_all(root.path().join("coder/.soul-staging")).unwrap();
        fs::write(root.path().join(".coder.soul-staging/SOUL.md"), "staged").unwrap();
        fs::write(root.path().join("coder/.soul-staging/SOUL.md"), "staged").unwrap();
        fs::write(root.path().join("coder/SOUL.md"), "in place").unwrap();
        let directory = Directory::open(root.path()).unwrap();
        assert_eq!(directory.folders().unwrap(), ["coder"]);
        assert_eq!(directory.read_all().unwrap().files.into_keys().collect::<Vec<_>>(), ["coder/SOUL.md"]);
    }

    #[test]
    fn only_files_of_a_sensible_size_are_read() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(SOUL_FILE)).unwrap();
        assert!(matches!(read(directory.path(), SOUL_FILE), Err(Error::NotAFile("directory"))));
        let huge = fs::File::create(directory.path().join("huge.md")).unwrap();
        huge.set_len(100 << 20).unwrap();
        assert!(matches!(read(directory.path(), "huge.md"), Err(Error::TooLarge)));
        assert!(matches!(read(directory.path(), "none.md"), Err(Error::NotFound)));
    }
}
