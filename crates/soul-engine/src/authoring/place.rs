use std::io::{self, Write};
use std::path::PathBuf;

use cap_std::fs::{Dir, OpenOptions};

use super::{Step, unwritable};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE, folder_of};
use crate::ops::Error;
use crate::workspace::Agent;

/// Where the text of a soul is. One who has the agent's lock may change it.
pub(crate) trait Place {
    /// The bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error>;
    /// Puts these bytes in place of what is there, whole and durably, or not at all.
    fn replace(&self, bytes: &[u8]) -> io::Result<()>;
    /// Takes away what is there.
    fn remove(&self) -> io::Result<()>;
    /// Clears away what a replacement that was cut off has left.
    fn tidy(&self) -> io::Result<()>;
}

/// A file in an agent's directory.
pub(crate) struct FilePlace<'a> {
    keeper: &'a Keeper,
    directory: &'a Directory,
    /// Where the new text is written first: beside the agent's directory, so that not even a crash
    /// leaves anything of ours in it.
    staging: Dir,
    staged: PathBuf,
}

impl<'a> FilePlace<'a> {
    pub(crate) fn new(keeper: &'a Keeper, agent: &'a Agent) -> Result<Self, Error> {
        let fault = |error: io::Error| unwritable(keeper, agent, &error);
        let own = agent.directory.dir().try_clone().map_err(fault)?;
        let beside = Directory::open(folder_of(&agent.path)).map_err(|error| fault(io::Error::other(error)))?;
        let beside = beside.dir().try_clone().map_err(fault)?;
        // A file cannot be renamed from one file system to another.
        let staging = if device(&own).map_err(fault)? == device(&beside).map_err(fault)? { beside } else { own };
        let staged = PathBuf::from(format!(".{}.{SOUL_FILE}.tmp", agent.name));
        Ok(Self { keeper, directory: &agent.directory, staging, staged })
    }

    fn sync(&self) -> io::Result<()> {
        self.directory.handle()?.sync_all()
    }
}

#[cfg(unix)]
fn device(dir: &Dir) -> io::Result<u64> {
    Ok(cap_fs_ext::MetadataExt::dev(&dir.dir_metadata()?))
}

#[cfg(not(unix))]
fn device(_: &Dir) -> io::Result<u64> {
    Ok(0)
}

impl Place for FilePlace<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error> {
        match self.directory.read(SOUL_FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(files::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let permissions = self.directory.dir().metadata(SOUL_FILE).ok().map(|metadata| metadata.permissions());
        self.tidy()?;
        let staged = || {
            let mut file = self.staging.open_with(&self.staged, OpenOptions::new().write(true).create_new(true))?;
            file.write_all(bytes)?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            self.keeper.pass(Step::Staged)?;
            self.staging.rename(&self.staged, self.directory.dir(), SOUL_FILE)
        };
        staged().inspect_err(|_| {
            // What cannot be cleared away now is cleared away by the next who writes.
            let _ = self.tidy();
        })?;
        self.keeper.pass(Step::Replaced)?;
        self.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn remove(&self) -> io::Result<()> {
        self.keeper.pass(Step::Staged)?;
        self.directory.dir().remove_file(SOUL_FILE)?;
        self.keeper.pass(Step::Replaced)?;
        self.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn tidy(&self) -> io::Result<()> {
        match self.staging.remove_file(&self.staged) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
