//! Files on disk: reading one regular file of a bounded size, never through a link that leads out of its
//! directory; listing and walking folders; and the one durable write (`durable/`).

mod durable;
pub mod listing;
mod lock;
mod replace;
mod walk;
pub(crate) mod watch;
pub mod witness;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

pub(crate) use durable::{Creation, Exchanged, Leftover, Renames, Site, Staged, is_staging};
pub use durable::{StagedTree, SwappedTree};
pub(crate) use lock::{PATIENCE, is_at, lock};
pub(crate) use replace::FileBelow;
pub use replace::{create_below, folder_of, is_same, replace, replace_all};
pub use walk::{BadGlob, Listing, Walk, souls_of};
pub(crate) use walk::{check_listable, is_library, is_named, on_all_cores};

use crate::fault::Cause;

/// The largest file that is read. Every valid soul is far smaller.
pub const MAX_BYTES: u64 = 8 << 20;

/// The largest file that is scanned, in parts.
const MAX_SCANNED: u64 = 1 << 30;

/// The file that holds an agent's soul.
pub const SOUL_FILE: &str = "SOUL.md";

/// Whether a file is a soul's own by its name, in whichever case it is written.
pub(crate) fn is_soul_file(name: &str) -> bool {
    name.eq_ignore_ascii_case(SOUL_FILE)
}

/// The file that holds a persona where there is no SOUL.md.
pub const PERSONA_FILE: &str = "persona.json";

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at this path.
    #[error("it does not exist")]
    NotFound,
    /// It is a link, and leads out of its directory.
    #[error("it is a link that points outside its directory")]
    Escapes,
    /// It is a link, where links are refused.
    #[error("it is a link")]
    Link,
    /// It is a hard link: it could be changed through its other name.
    #[error("it is a hard link: the same file has another name elsewhere")]
    HardLink,
    /// It is a directory, a pipe or a device.
    #[error("it is a {0}, not a file")]
    NotAFile(&'static str),
    /// It is larger than any soul.
    #[error("it is larger than {} MiB, the limit for souls", MAX_BYTES >> 20)]
    TooLarge,
    /// It is larger than anything that is scanned.
    #[error("it is larger than {} GiB, the limit for one file", MAX_SCANNED >> 30)]
    TooLargeToScan,
    /// The system refused.
    #[error("{}", plain(.0))]
    Io(#[from] io::Error),
}

impl Error {
    /// Whether the machine failed, and not what lies on it: no descriptors, locks or memory left, a disk that does not
    /// answer.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        matches!(self, Self::Io(error) if is_of_machine(error))
    }
}

/// The same of an error whose type is not known.
pub(crate) fn is_machine(cause: &Cause) -> bool {
    cause.downcast_ref::<Error>().is_some_and(Error::is_of_machine)
}

#[cfg(unix)]
fn is_of_machine(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let all = [Errno::MFILE, Errno::NFILE, Errno::NOLCK, Errno::NOMEM, Errno::NOBUFS, Errno::IO, Errno::STALE];
    error.raw_os_error().is_some_and(|number| all.iter().any(|errno| errno.raw_os_error() == number))
}

#[cfg(not(unix))]
fn is_of_machine(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// Makes a folder of the home, and the folders above it that are not there, for nobody but their owner.
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The message of a system error, in lower case and without its number.
#[must_use]
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

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

    fn open_file(&self, name: &Path, options: &mut OpenOptions) -> Result<cap_std::fs::File, Error> {
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
fn contents_of(mut file: cap_std::fs::File) -> Result<Vec<u8>, Error> {
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
        for entry in self.dir.entries().map_err(classify)? {
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
        for entry in self.dir.entries().map_err(classify)? {
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

/// A system error as one of ours.
fn classify(error: io::Error) -> Error {
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
