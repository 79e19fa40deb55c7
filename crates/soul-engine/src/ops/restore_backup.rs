//! Put a backup in the place of the store.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::backup::{self, Error, Response as Backup};
use super::store::migrate;
use super::{Error as OpError, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::store::{self, Mark, Migration, Noted, Sqlite, StoreUrl};

/// Put a backup in the place of the store. Verifies the backup first, refuses while a service or another command uses
/// the store, and keeps the store that was there.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The backup: a file of this machine, so it is never sent.
    #[serde(skip)]
    pub file: PathBuf,
}

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RestoredBackup")]
pub struct Response {
    /// What is in the store now.
    #[serde(flatten)]
    pub backup: Backup,
    /// The file in the home that holds the store that was replaced, if there was one.
    pub replaced: Option<String>,
}

impl Operation for Request {
    const NAME: &'static str = "restore-backup";
    const HINTS: Hints = Hints::REPLACE.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn is_local(&self) -> bool {
        true
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let keeper = context.keeper;
        let name = backup::shown(&self.file);
        if self.file.as_os_str().is_empty() {
            return Err(Error::NoFile.into());
        }
        if !self.file.is_file() {
            return Err(Error::NotFound(name).into());
        }
        keeper.make_home()?;
        let path = match keeper.store_url()? {
            StoreUrl::Sqlite(path) => path,
            to => return fill(&self.file, name, &to, context),
        };
        // Nobody can open the store until this is dropped.
        let _alone = store::alone(&path)?;
        let staged = beside(&path, "restoring");
        let io = |error| Error::Io(name.clone(), error);
        let (noted, description) = stage(&self.file, &staged, &name, context).inspect_err(|_| discard(&staged))?;
        let mark = Mark::beside(&path);
        let replaced = set_aside(&path, &mark, context).map_err(|error| match error {
            Aside::Store(error) => OpError::from(error),
            Aside::Io(error) => Error::Io("keeper.db".to_owned(), error).into(),
        });
        let replaced = replaced.inspect_err(|_| discard(&staged))?;
        fs::rename(&staged, &path).map_err(io)?;
        sync_folder(&path).and_then(|()| mark.write(&noted, true)).map_err(Error::Unconfirmed)?;
        Ok(Response { backup: description, replaced })
    }
}

/// Copies the backup into a database, which must be empty: others may use it, so nothing of it is replaced.
fn fill(file: &Path, name: String, to: &StoreUrl, context: &Context<'_>) -> Result<Response, OpError> {
    let home = context.keeper.home().ok_or(store::Error::NoHome)?;
    let staged = Discarded(home.join("restoring.db"));
    let (_, backup) = stage(file, &staged.0, &name, context)?;
    let migration = Migration::open(&StoreUrl::Sqlite(staged.0.clone()), to, home).map_err(migrate::Error::from)?;
    migrate::migrate(&migration, (name, to.to_string()), context.progress).map_err(|error| {
        match error.fault().code {
            "target_not_empty" | "already_migrated" => Error::NotEmpty.into(),
            _ => error,
        }
    })?;
    migrate::keep_scope(home, migration.target(), false)?;
    Ok(Response { backup, replaced: None })
}

/// A copy of a backup that is removed with everything beside it.
struct Discarded(PathBuf);

impl Drop for Discarded {
    fn drop(&mut self) {
        discard(&self.0);
        let _ = fs::remove_file(self.0.with_extension("lock"));
    }
}

/// Copies the backup into the home, brings it to today's version, and verifies it. Nothing of the store is touched.
fn stage(from: &Path, staged: &Path, name: &str, context: &Context<'_>) -> Result<(Noted, Backup), OpError> {
    let io = |error| Error::Io(name.to_owned(), error);
    // It must be complete by itself.
    drop(Sqlite::open_copy(from).map_err(|error| backup::of_copy(name, error))?);
    discard(staged);
    copy_private(from, staged).map_err(io)?;
    let noted = Sqlite::migrate_copy(staged).map_err(|error| backup::of_copy(name, error))?;
    let description = backup::describe(staged, name.to_owned(), context.progress)?;
    // Of the file that was given, whatever a later version makes of it.
    let raw_digest = backup::raw_digest(from).map_err(io)?;
    let bytes = from.metadata().map_err(io)?.len();
    let description = Backup { raw_digest, bytes, ..description };
    File::open(staged).and_then(|file| file.sync_all()).map_err(io)?;
    Ok((noted, description))
}

/// How every SQLite file begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// What the engine keeps beside a file.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Why the old store could not be set aside.
enum Aside {
    Store(store::Error),
    Io(io::Error),
}

impl From<io::Error> for Aside {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Keeps the store that is there under another name too, in one file that is complete, and sees to it that nothing
/// beside its name is laid over the one that comes. Until the rename the old store stays in place.
fn set_aside(path: &Path, mark: &Mark, context: &Context<'_>) -> Result<Option<String>, Aside> {
    let kept = beside(path, &format!("replaced-{}", stamp(context)));
    let is_there = path.exists();
    // The engine removes the log of an empty file without a look at it, and merges one into whatever is there.
    let mut begins = [0; MAGIC.len()];
    let merged = match File::open(path).and_then(|mut file| file.read_exact(&mut begins)) {
        Ok(()) if begins == *MAGIC => Sqlite::merge_log(path),
        _ => Err(store::Error::Damaged("it is not a database".into())),
    };
    match merged {
        Ok(()) => {}
        // Nothing can be merged into what is damaged or gone; all of it is kept as it is.
        Err(store::Error::Damaged(_)) => {
            for suffix in LOGS {
                let left = with_suffix(path, suffix);
                if left.exists() {
                    fs::rename(left, with_suffix(&kept, suffix))?;
                }
            }
        }
        Err(error) => return Err(Aside::Store(error)),
    }
    if is_there {
        fs::hard_link(path, &kept).or_else(|_| fs::copy(path, &kept).and_then(|_| File::open(&kept)?.sync_all()))?;
        // From here to the new mark, whichever store is in place is taken for the right one. Where there is none, the
        // mark keeps telling that it is missing.
        mark.remove()?;
    }
    sync_folder(path)?;
    Ok(is_there.then(|| kept.file_name().unwrap_or_default().to_string_lossy().into_owned()))
}

/// `2026-11-16T095658Z`, as a part of a file name.
fn stamp(context: &Context<'_>) -> String {
    let now = context.keeper.now().to_string();
    now.replace(':', "").replacen('.', "-", 1)
}

fn beside(path: &Path, what: &str) -> PathBuf {
    with_suffix(path, &format!(".{what}"))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Removes what an earlier attempt has left.
fn discard(staged: &Path) {
    for suffix in [""].iter().chain(&LOGS) {
        let _ = fs::remove_file(with_suffix(staged, suffix));
    }
}

fn copy_private(from: &Path, to: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::copy(&mut File::open(from)?, &mut options.open(to)?).map(drop)
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(crate::files::folder_of(path))?.sync_all()
}
