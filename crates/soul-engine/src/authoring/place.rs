use std::collections::BTreeMap;
use std::io;

use super::{Owner, Step, Subject};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE, Site, Staged};

/// Where the text of a soul is. Only the holder of the lock may change it.
pub(crate) trait Place {
    /// The bytes, if there are any.
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error>;
    /// Puts a text into a file of the place, durably and atomically.
    fn replace(&self, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Removes what is there.
    fn remove(&self) -> io::Result<()>;
    /// Removes what an interrupted replacement has left behind.
    fn tidy(&self);
}

/// A file in the directory that is locked.
pub(crate) struct FilePlace<'a> {
    keeper: &'a Keeper,
    subject: &'a dyn Subject,
    directory: &'a Directory,
    site: Site<'a>,
}

impl<'a> FilePlace<'a> {
    pub(crate) fn new(keeper: &'a Keeper, subject: &'a dyn Subject) -> Self {
        let directory = subject.directory();
        let name = subject.path().file_name().unwrap_or_default();
        // One slot for a soul, whichever file holds it.
        let slot = match subject.owner() {
            Owner::Agent(_) => SOUL_FILE.to_owned(),
            Owner::Library(_) => subject.file(),
        };
        let site = Site::of_file(directory.dir(), name, subject.folder().dir(), slot.as_ref());
        Self { keeper, subject, directory, site }
    }
}

impl Place for FilePlace<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, files::Error> {
        match self.directory.read(self.subject.file()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(files::Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn replace(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let staged = Staged::new(&self.site, BTreeMap::from([(file.as_ref(), bytes)]))?;
        self.keeper.pass(Step::Staged)?;
        let swapped = staged.swap()?;
        self.keeper.pass(Step::Replaced)?;
        swapped.sync()?;
        self.keeper.pass(Step::Synced)
    }

    fn remove(&self) -> io::Result<()> {
        self.keeper.pass(Step::Staged)?;
        self.directory.dir().remove_file(self.subject.file())?;
        self.keeper.pass(Step::Replaced)?;
        self.directory.handle()?.sync_all()?;
        self.keeper.pass(Step::Synced)
    }

    fn tidy(&self) {
        self.site.tidy();
    }
}
