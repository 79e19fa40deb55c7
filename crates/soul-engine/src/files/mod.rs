//! Files on disk: reading one regular file of a bounded size, never through a link that leads out of its
//! directory; listing and walking folders; and the one durable write (`durable/`).

mod contents;
mod directory;
mod durable;
pub mod listing;
mod lock;
mod replace;
mod walk;
pub(crate) mod watch;
pub mod witness;

use std::io;
use std::path::Path;

pub(crate) use contents::Below;
pub use contents::Contents;
pub use directory::Directory;
use directory::contents_of;
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
