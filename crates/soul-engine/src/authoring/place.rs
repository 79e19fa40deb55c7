use std::io::{self, Write};
use std::path::PathBuf;

use cap_std::fs::{Dir, OpenOptions};

use super::{Step, Subject};
use crate::Keeper;
use crate::files::{self, Directory};

/// Where the text of a soul is. One who has the lock may change it.
pub(crate) trait Place {
    /// The bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error>;
    /// Puts these bytes in place of what is there, whole and durably, or not at all.
    fn replace(&self, bytes: &[u8]) -> io::Result<()>;
    /// Takes away what is there.
    fn remove(&self) -> io::Result<()>;
    /// Clears away what a replacement that was cut off has left.
    fn tidy(&self);
}

/// A file in the directory that is locked.
pub(crate) struct FilePlace<'a> {
    keeper: &'a Keeper,
    directory: &'a Directory,
    file: &'a str,
    /// Where the new text is written first: beside the directory, so that not even a crash
    /// leaves anything of ours in it.
    beside: &'a Directory,
    staged: PathBuf,
}

impl<'a> FilePlace<'a> {
    pub(crate) fn new(keeper: &'a Keeper, subject: &'a dyn Subject) -> Self {
        let file = subject.file();
        let directory = subject.path().file_name().unwrap_or_default().to_string_lossy();
        let staged = PathBuf::from(format!(".{directory}.{file}.tmp"));
        Self { keeper, directory: subject.directory(), file, beside: subject.folder(), staged }
    }

    fn stage(&self, staging: &Dir, bytes: &[u8]) -> io::Result<()> {
        let permissions = self.directory.dir().metadata(self.file).ok().map(|metadata| metadata.permissions());
        let mut file = staging.open_with(&self.staged, OpenOptions::new().write(true).create_new(true))?;
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        self.keeper.pass(Step::Staged)?;
        staging.rename(&self.staged, self.directory.dir(), self.file)
    }

    fn sync(&self) -> io::Result<()> {
        self.directory.handle()?.sync_all()
    }
}

impl Place for FilePlace<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error> {
        match self.directory.read(self.file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(files::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        self.tidy();
        let staged = self.stage(self.beside.dir(), bytes).or_else(|_| {
            // The folder beside may not be ours to write, or be another disk; its own is there.
            self.tidy();
            self.stage(self.directory.dir(), bytes)
        });
        staged.inspect_err(|_| self.tidy())?;
        self.keeper.pass(Step::Replaced)?;
        self.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn remove(&self) -> io::Result<()> {
        self.keeper.pass(Step::Staged)?;
        self.directory.dir().remove_file(self.file)?;
        self.keeper.pass(Step::Replaced)?;
        self.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn tidy(&self) {
        for directory in [self.beside, self.directory] {
            // Where nothing can be removed, nothing was left, or the next who writes removes it.
            let _ = directory.dir().remove_file(&self.staged);
        }
    }
}
