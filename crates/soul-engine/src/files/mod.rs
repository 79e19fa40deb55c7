//! Reading souls from disk: one regular file at a time, never more than a soul can be, and never
//! through a link that leads out of its directory.

pub mod listing;
mod replace;
mod walk;

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

pub use replace::{folder_of, is_same, replace, replace_all};
pub(crate) use walk::is_library;
pub use walk::souls_below;

/// The largest file that is read. Every legal soul is far smaller.
pub const MAX_BYTES: u64 = 8 << 20;

/// The file that holds an agent's soul.
pub const SOUL_FILE: &str = "SOUL.md";

/// The file that holds a persona where there is no SOUL.md.
pub const PERSONA_FILE: &str = "persona.json";

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at this path.
    #[error("there is nothing there")]
    NotFound,
    /// It is a link, and leads out of its directory.
    #[error("it is a link that leads out of its directory")]
    Escapes,
    /// It is a directory, a pipe or a device.
    #[error("it is a {0}, not a file")]
    NotAFile(&'static str),
    /// It is larger than any soul.
    #[error("it is larger than {} MiB, the most that is read", MAX_BYTES >> 20)]
    TooLarge,
    /// The system refused.
    #[error("{}", plain(.0))]
    Io(#[from] io::Error),
}

/// The system's own words, without its error number.
#[must_use]
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// An open directory. What is read through it lies inside it.
#[derive(Debug)]
pub struct Directory(Dir);

impl Directory {
    /// Opens a directory; the path to it may lead through links.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self).map_err(classify)
    }

    /// Opens a directory below this one. A link is followed only within this one.
    ///
    /// # Errors
    /// When there is none, or it may not be opened.
    pub fn directory(&self, name: impl AsRef<Path>) -> Result<Self, Error> {
        self.0.open_dir(name).map(Self).map_err(classify)
    }

    /// Reads one file, given by its path from here. A link is followed only within the directory.
    ///
    /// # Errors
    /// When there is no such file, or it is not one to be read.
    pub fn read(&self, name: impl AsRef<Path>) -> Result<Vec<u8>, Error> {
        // Opening a pipe must not wait for someone to write into it.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        contents_of(self.0.open_with(name, &options).map_err(classify)?)
    }

    /// Reads one file, given by its path from here with `/`. No link is followed, not even within
    /// the directory.
    ///
    /// # Errors
    /// When there is no such file, or it is not one to be read.
    pub fn read_unlinked(&self, path: &str) -> Result<Vec<u8>, Error> {
        contents_of(self.open_unlinked(path)?)
    }

    /// Reads at most so many bytes of such a file, from an offset on.
    ///
    /// # Errors
    /// When there is no such file, or it is not one to be read.
    pub fn read_part_unlinked(&self, path: &str, offset: u64, most: u64) -> Result<Vec<u8>, Error> {
        let mut file = self.open_unlinked(path)?;
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            file.seek(SeekFrom::Start(offset))?;
            file.take(most).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn open_unlinked(&self, path: &str) -> Result<cap_std::fs::File, Error> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let open = |from: &Dir, folder: &str| from.open_dir_nofollow(folder).map_err(unlinked);
        let mut folder = None;
        for part in folders.into_iter().flat_map(|folders| folders.split('/')) {
            folder = Some(open(folder.as_ref().unwrap_or(&self.0), part)?);
        }
        folder.as_ref().unwrap_or(&self.0).open_with(name, &options).map_err(unlinked)
    }
}

/// All of a file, if it is a regular one of a sensible size.
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

/// The most files that a package has, and the most bytes in all of them.
const MAX_FILES: usize = 5_000;
const MAX_PACKAGE: u64 = 64 << 20;

/// What is below a directory: the files by their path, and what was not read.
#[derive(Debug, Default)]
pub struct Contents {
    /// The bytes of each file.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What is there and is not to be read, with the reason.
    pub refused: Vec<(String, Error)>,
    /// Whether there was more than a package can be.
    pub too_much: bool,
}

impl Directory {
    /// Reads every file below. Links are refused, wherever they lead; `.git` is passed over.
    ///
    /// # Errors
    /// When a directory cannot be listed.
    pub fn read_all(&self) -> Result<Contents, Error> {
        let mut contents = Contents::default();
        self.read_below("", &mut contents, &mut MAX_PACKAGE.clone())?;
        Ok(contents)
    }

    fn read_below(&self, prefix: &str, contents: &mut Contents, room: &mut u64) -> Result<(), Error> {
        for entry in self.0.entries().map_err(classify)? {
            let entry = entry?;
            let name = entry.file_name();
            let path = format!("{prefix}{}", name.to_string_lossy());
            let kind = entry.file_type()?;
            if contents.files.len() + contents.refused.len() >= MAX_FILES || *room == 0 {
                contents.too_much = true;
                return Ok(());
            }
            if kind.is_symlink() {
                contents.refused.push((path, Error::Escapes));
            } else if kind.is_dir() && name != ".git" {
                self.directory(&name)?.read_below(&format!("{path}/"), contents, room)?;
            } else if !kind.is_dir() {
                match self.read(&name) {
                    Ok(bytes) => {
                        *room = room.saturating_sub(bytes.len() as u64);
                        contents.files.insert(path, bytes);
                    }
                    Err(error) => contents.refused.push((path, error)),
                }
            }
        }
        Ok(())
    }
}

/// A link where none is followed.
fn unlinked(error: io::Error) -> Error {
    // ELOOP, as Linux and the BSDs number it.
    if matches!(error.raw_os_error(), Some(40 | 62)) { Error::Escapes } else { classify(error) }
}

fn classify(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Error::NotFound,
        // An escape is refused by the sandbox before the system is asked, so it has no number.
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
