use std::collections::BTreeMap;
use std::io;

use super::{Step, Subject};
use crate::Keeper;
use crate::files::{self, Directory, Site, Staged};

/// Where the text of a soul is. Only the holder of the lock may change it.
pub(crate) trait Place {
    /// The bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error>;
    /// Replaces what is there durably and atomically.
    fn replace(&self, bytes: &[u8]) -> io::Result<()>;
    /// Removes what is there.
    fn remove(&self) -> io::Result<()>;
    /// Removes what an interrupted replacement has left behind.
    fn tidy(&self);
}

/// A file in the directory that is locked.
pub(crate) struct FilePlace<'a> {
    keeper: &'a Keeper,
    directory: &'a Directory,
    file: &'a str,
    site: Site<'a>,
}

impl<'a> FilePlace<'a> {
    pub(crate) fn new(keeper: &'a Keeper, subject: &'a dyn Subject) -> Self {
        let (directory, file) = (subject.directory(), subject.file());
        let name = subject.path().file_name().unwrap_or_default();
        let site = Site::of_file(directory.dir(), name, subject.folder().dir(), file.as_ref());
        Self { keeper, directory, file, site }
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
        let staged = Staged::new(&self.site, BTreeMap::from([(self.file.as_ref(), bytes)]))?;
        self.keeper.pass(Step::Staged)?;
        let swapped = staged.swap()?;
        self.keeper.pass(Step::Replaced)?;
        swapped.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn remove(&self) -> io::Result<()> {
        self.keeper.pass(Step::Staged)?;
        self.directory.dir().remove_file(self.file)?;
        self.keeper.pass(Step::Replaced)?;
        self.directory.handle()?.sync_all()?;
        self.keeper.pass(Step::Synced)
    }

    fn tidy(&self) {
        self.site.tidy();
    }
}
