//! The library: a flat folder of souls, one file each, from which people select.
//!
//! Reading goes through an index that follows the folder, whoever changes it. Writing goes through the
//! one authoring service, under a lock on the folder. What the peer does is recorded in
//! `conformance/dagu-parse.json`; a file that it would list and never open is told as skipped here.

pub(crate) mod chain;
mod error;
mod id;
mod index;
pub(crate) mod member;
mod search;
pub(crate) mod seed;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

pub use error::Error;
pub use id::SoulId;
pub use index::{Entry, Index, Skipped};

use crate::files::listing::Stamp;
use crate::files::{self, Directory};
use crate::{Keeper, ops, store};

/// The folder in the home.
const FOLDER: &str = "souls";

/// How long a look is believed when the folder itself shows no change: a file that is written in place
/// leaves no trace in its folder, and is to be seen within a second.
const BELIEVED: Duration = Duration::from_millis(500);

/// The last look at the library, shared by whoever asks.
#[derive(Debug)]
pub(crate) struct Shelf(RwLock<Option<Looked>>);

#[derive(Debug, Clone)]
struct Looked {
    index: Arc<Index>,
    folder: Option<Stamp>,
    at: Instant,
}

impl Shelf {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }
}

/// How recent a look must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Of this moment.
    Now,
    /// Of this second.
    Recent,
}

impl Keeper {
    /// The folder of the library.
    pub(crate) fn library_path(&self) -> Result<PathBuf, ops::Error> {
        let home = self.roots.home.as_ref().ok_or(store::Error::NoHome)?;
        Ok(self.settings.library.dir.clone().unwrap_or_else(|| home.join(FOLDER)))
    }

    /// The folder, open; none if there is nothing yet where it would be.
    pub(crate) fn library_folder(&self) -> Result<Option<(Directory, PathBuf)>, ops::Error> {
        let path = self.library_path()?;
        match Directory::open_unlinked(&path) {
            Ok(directory) => Ok(Some((directory, path))),
            Err(files::Error::NotFound) if path.symlink_metadata().is_err() => Ok(None),
            Err(files::Error::NotFound) => Err(self.library_unusable("it is not a folder")),
            Err(error) => Err(self.library_unusable(&error.to_string())),
        }
    }

    pub(crate) fn library_unusable(&self, why: &str) -> ops::Error {
        let shown = self.library_path().map(|path| self.roots.shown(&path)).unwrap_or_default();
        Error::Unusable(shown, why.to_owned()).into()
    }

    /// The souls of the library. The look is the last one if nothing shows that it is out of date.
    ///
    /// # Errors
    /// When the folder is there and cannot be listed, or there is no home.
    pub fn library(&self) -> Result<Arc<Index>, ops::Error> {
        self.library_as_of(Freshness::Recent)
    }

    pub(crate) fn library_as_of(&self, freshness: Freshness) -> Result<Arc<Index>, ops::Error> {
        let path = self.library_path()?;
        let folder = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()));
        let last = self.shelf.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(last) = &last
            && freshness == Freshness::Recent
            && last.folder == folder
            && folder.is_none_or(|folder| folder.settled)
            && last.at.elapsed() < BELIEVED
        {
            return Ok(last.index.clone());
        }
        let at = Instant::now();
        let index = match self.library_folder()? {
            Some((directory, path)) => {
                let before = last.map(|last| last.index).unwrap_or_default();
                let looked = Index::look(&directory, &path, &before);
                looked.map_err(|error| self.library_unusable(&error.to_string()))?
            }
            None => Arc::default(),
        };
        let looked = Looked { index: index.clone(), folder, at };
        *self.shelf.0.write().unwrap_or_else(PoisonError::into_inner) = Some(looked);
        Ok(index)
    }
}
