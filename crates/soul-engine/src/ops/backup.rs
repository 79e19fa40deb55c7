//! Back up the store.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use super::audit::verify;
use super::{Error as OpError, Hints, Operation};
use crate::caller::Grant;
use crate::context::{Context, Progress};
use crate::fault::{Fault, Kind};
use crate::files;
use crate::store::{self, NotedBackup, Sqlite};

/// Copy the whole store into one SQLite file, also while a service uses it, and verify the copy.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The file to create: one of this machine, so it is never sent.
    #[serde(skip)]
    pub file: PathBuf,
}

/// What is in a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Backup")]
pub struct Response {
    /// The file, as it was given.
    pub file: String,
    /// How many souls have a record in it.
    pub souls: usize,
    /// How many revisions it holds.
    pub revisions: usize,
    /// How many snapshots it holds.
    pub snapshots: usize,
    /// Its size.
    pub bytes: u64,
    /// The digest of its bytes.
    pub raw_digest: RawDigest,
}

/// Why a store was not backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file was given.
    #[error("a backup is a file on this machine, but no file was given")]
    NoFile,
    /// There is no store.
    #[error("there is no record yet")]
    NothingRecorded,
    /// The file is there.
    #[error("`{0}` already exists")]
    Exists(String),
    /// There is no such file.
    #[error("there is no file `{0}`")]
    NotFound(String),
    /// A file could not be written or read.
    #[error("could not use `{}`: {}", .0, files::plain(.1))]
    Io(String, #[source] io::Error),
    /// The store was replaced, and what follows failed.
    #[error("the backup was restored, but this could not be confirmed: {}", files::plain(.0))]
    Unconfirmed(#[source] io::Error),
    /// Others may use the database, so what is in it is never replaced.
    #[error("the database is not empty, and a backup replaces nothing in a database")]
    NotEmpty,
    /// The record is damaged.
    #[error("`{0}` is not a complete record: {1}")]
    Damaged(String, String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::NoFile => (Kind::Usage, "bad_request", "run the command on the machine where the service runs"),
            Self::Unconfirmed(_) => {
                (Kind::Unconfirmed, "unconfirmed", "run `soul audit verify` before you restore again")
            }
            Self::NothingRecorded => (Kind::NotFound, "not_found", "the first change of a soul creates it"),
            Self::Exists(_) => (Kind::Conflict, "file_exists", "choose another name, or remove the file"),
            Self::NotFound(_) => (Kind::NotFound, "not_found", "give the file that `soul backup` made"),
            Self::Io(_, error) if error.kind() == io::ErrorKind::NotFound => {
                (Kind::Unable, "io", "create the folder first, or choose one that exists")
            }
            Self::Io(..) => {
                (Kind::Unable, "io", "check the permissions of the file and its folder, and the free disk space")
            }
            Self::Damaged(..) => (
                Kind::Invalid,
                "record_damaged",
                "restore another backup; `soul audit verify` shows what is wrong with the store itself",
            ),
            Self::NotEmpty => (
                Kind::Conflict,
                "target_not_empty",
                "create an empty database, set `[store] url` to it, and restore again",
            ),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}

impl Operation for Request {
    const NAME: &'static str = "backup";
    const HINTS: Hints = Hints::ADD.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn is_local(&self) -> bool {
        true
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let keeper = context.keeper;
        let (name, file) = (shown(&self.file), self.file);
        let label = file.file_name().ok_or(Error::NoFile)?.to_string_lossy().into_owned();
        let store = keeper.existing_store()?.ok_or(Error::NothingRecorded)?;
        let io = |error| Error::Io(name.clone(), error);
        if file.symlink_metadata().is_ok() {
            return Err(Error::Exists(name).into());
        }
        let staged = Staged::create(&file).map_err(io)?;
        store.copy_to(&staged.0)?;
        let response = describe(&staged.0, name.clone(), context.progress)?;
        File::open(&staged.0).and_then(|file| file.sync_all()).map_err(io)?;
        match place(&staged.0, &file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(Error::Exists(name).into()),
            placed => placed.map_err(io)?,
        }
        // The backup is made: that it is not named in an error some day does not unmake it.
        let _ = keeper.mark()?.note_backup(NotedBackup { file: label, time: keeper.now() });
        Ok(response)
    }
}

/// What is wrong with a copy is not said of the store.
pub(super) fn of_copy(name: &str, error: store::Error) -> Error {
    match error {
        store::Error::Damaged(why) | store::Error::ReadOnly(why) => Error::Damaged(name.to_owned(), why.to_string()),
        error => error.into(),
    }
}

/// Verifies a copy, and tells what is in it.
pub(super) fn describe(path: &Path, file: String, progress: &dyn Progress) -> Result<Response, OpError> {
    let damaged = |problem: String| Error::Damaged(file.clone(), problem);
    let store = Sqlite::open_copy(path).map_err(|error| of_copy(&file, error))?;
    use store::Store;
    if let Some(problem) = store.check().map_err(|error| of_copy(&file, error))?.into_iter().next() {
        return Err(damaged(problem).into());
    }
    let verified = verify::examine(&store, Vec::new(), progress)?;
    if let Some(problem) = verified.problem {
        return Err(damaged(problem).into());
    }
    let io = |error| Error::Io(file.clone(), error);
    let raw_digest = raw_digest(path).map_err(io)?;
    let bytes = path.metadata().map_err(io)?.len();
    let verify::Response { revisions, snapshots, heads, .. } = verified;
    Ok(Response { file, souls: heads.len(), revisions, snapshots, bytes, raw_digest })
}

pub(super) fn raw_digest(path: &Path) -> io::Result<RawDigest> {
    let (mut file, mut failed) = (File::open(path)?, None);
    let chunks = std::iter::from_fn(|| {
        let mut chunk = vec![0; 1 << 20];
        match file.read(&mut chunk) {
            Ok(0) => None,
            Ok(length) => {
                chunk.truncate(length);
                Some(chunk)
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    });
    let digest = RawDigest::of_chunks(chunks);
    failed.map_or(Ok(digest), Err)
}

/// A path as the user typed it.
pub(super) fn shown(path: &Path) -> String {
    soul_core::text::visible(&path.to_string_lossy())
}

/// A private file on its way into place. Dropping it removes it.
struct Staged(PathBuf);

impl Staged {
    fn create(target: &Path) -> io::Result<Self> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let path = files::folder_of(target).join(format!(".{name}.{}.soul-staging", std::process::id()));
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Renames a file to a name that nothing has, durably.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    rename_without_replacing(from, to)?;
    File::open(files::folder_of(to))?.sync_all()
}

#[cfg(target_os = "linux")]
fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // This file system does not know how.
        Err(Errno::INVAL | Errno::NOSYS) => fs::hard_link(from, to),
        renamed => Ok(renamed?),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)
}
