//! Where the library of souls is.

use std::path::PathBuf;

use super::Error;
use crate::Keeper;
use crate::fault::Cause;
use crate::files::{self, Directory};
use crate::store;

/// The folder in the home.
const FOLDER: &str = "souls";

impl Keeper {
    /// The folder of the library.
    pub(crate) fn library_path(&self) -> Result<PathBuf, Error> {
        let home = self.roots.home.as_ref().ok_or(store::Error::NoHome)?;
        // Souls that are kept in the database are in its copy.
        let chosen = self.settings.library.dir.clone().filter(|_| !self.keeps_souls_in_database());
        Ok(chosen.unwrap_or_else(|| home.join(FOLDER)))
    }

    /// The folder, open; `None` if there is nothing yet where it would be.
    pub(crate) fn library_folder(&self) -> Result<Option<(Directory, PathBuf)>, Error> {
        let path = self.library_path()?;
        match Directory::open_unlinked(&path) {
            Ok(directory) => Ok(Some((directory, path))),
            Err(files::Error::NotFound) if path.symlink_metadata().is_err() => Ok(None),
            Err(files::Error::NotFound) => Err(self.library_unusable("it is not a folder")),
            Err(error) => Err(self.library_unusable(error)),
        }
    }

    pub(crate) fn library_unusable(&self, why: impl Into<Cause>) -> Error {
        let shown = self.library_path().map(|path| self.roots.shown(&path)).unwrap_or_default();
        Error::LibraryUnusable(shown, why.into())
    }
}
