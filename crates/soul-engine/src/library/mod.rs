//! The library: a flat folder of souls, one file each, from which people select.
//!
//! Reading goes through an index that follows the folder, no matter who changes it. Writing goes through the
//! one authoring service, under a lock on the folder. What the peer does is recorded in
//! `conformance/dagu-parse.json`; a file that it would list and never open is reported as skipped here.

pub(crate) mod chain;
mod error;
mod index;
pub(crate) mod member;
mod search;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

pub use error::Error;
pub use index::{Entry, Index, Skipped};

use crate::Keeper;
use crate::files::listing::Stamp;
use crate::files::watch::Watch;
pub use crate::workspace::SoulId;

/// How long a listing is believed when the folder itself shows no change: a file that is written in place
/// leaves no trace in its folder, and is to be seen within a second.
const BELIEVED: Duration = Duration::from_millis(500);

/// The same while the system, which reports such a write, reports nothing. See [`Watch`] for what it does not report.
const BELIEVED_IN_SILENCE: Duration = Duration::from_millis(900);

/// The last listing of the library, shared by all callers.
#[derive(Debug)]
pub(crate) struct Cached(RwLock<Option<Listing>>);

#[derive(Debug, Clone)]
struct Listing {
    index: Arc<Index>,
    folder: Option<Stamp>,
    at: Instant,
    watch: Option<Arc<Watch>>,
}

impl Listing {
    /// Whether nothing shows that it is out of date.
    fn holds(&self, folder: Option<Stamp>) -> bool {
        let age = self.at.elapsed();
        self.folder == folder
            && folder.is_none_or(|folder| folder.settled)
            && (age < BELIEVED
                || age < BELIEVED_IN_SILENCE && self.watch.as_ref().is_some_and(|watch| watch.is_quiet()))
    }
}

impl Cached {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }
}

/// How recent a listing must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Of this moment.
    Now,
    /// Of this second.
    Recent,
}

impl Keeper {
    /// The souls of the library, from the last listing if nothing shows that it is out of date.
    ///
    /// # Errors
    /// When the folder exists and cannot be listed, or there is no home.
    pub fn library(&self) -> Result<Arc<Index>, Error> {
        self.library_as_of(Freshness::Recent)
    }

    pub(crate) fn library_as_of(&self, freshness: Freshness) -> Result<Arc<Index>, Error> {
        self.check_home()?;
        let path = self.library_path()?;
        let folder = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()));
        let last = self.library.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(last) = last.as_ref().filter(|last| freshness == Freshness::Recent && last.holds(folder)) {
            return Ok(last.index.clone());
        }
        // A report is read once: until there is another listing, nobody else relies on silence.
        if let Some(last) = &mut *self.library.0.write().unwrap_or_else(PoisonError::into_inner) {
            last.watch = None;
        }
        let at = Instant::now();
        // Before the files are looked at, so that nothing falls in between.
        let watch = Watch::of([&path]).map(Arc::new);
        let index = match self.library_folder()? {
            Some((directory, path)) => {
                let before = last.map(|last| last.index).unwrap_or_default();
                let looked = Index::look(&directory, &path, &before);
                looked.map_err(|error| self.library_unusable(error))?
            }
            None => Arc::default(),
        };
        // A file that was still being written must be looked at again, whatever the system reports.
        let watch = watch.filter(|_| index.stamps().all(|(_, stamp)| stamp.settled));
        let listing = Listing { index: index.clone(), folder, at, watch };
        *self.library.0.write().unwrap_or_else(PoisonError::into_inner) = Some(listing);
        Ok(index)
    }
}
