//! The index of a memory: segment files and a manifest under the home's `cache/`, which follow the
//! Markdown files by their digests. It holds nothing that cannot be made anew: what is damaged, of
//! another version or gone is rebuilt, and without a place to write to it lives in memory.
//!
//! Safe for many processes: segments never change and are named by their content, the manifest is
//! replaced whole, and one process at a time, the holder of the lock, brings it up to date. A reader
//! whose segment is swept away reads the manifest again.

mod cache;
mod manifest;
mod opened;
mod store;
mod update;

use std::path::Path;

use soul_core::search::{Damaged, Explained, FileFacts, Hit, Options, Query, Record, Searcher};

use crate::files;
use crate::files::listing::Look;
use crate::workspace::Memory;
use cache::Cache;
use manifest::Entry;
pub(crate) use opened::Opened;
use store::Store;

/// An index that was up to date when it was opened.
#[derive(Debug)]
pub struct Index {
    searcher: Searcher<Store>,
    files: Vec<Entry>,
    /// What is in the memory and is not searched, with the reason.
    pub unread: Vec<String>,
    /// Why the index is not kept, if it is not.
    pub not_kept: Option<String>,
    /// How many segments it has.
    pub segments: usize,
}

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The memory cannot be listed.
    #[error(transparent)]
    Files(#[from] files::Error),
    /// What was made a moment ago cannot be read back.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

/// Told of every file that is read, and of how many there are.
pub type Progress<'a> = &'a (dyn Fn(usize) + Sync);

impl Index {
    /// Opens the index of a memory and brings it up to date. Live state counts only if `runtime`.
    ///
    /// # Errors
    /// When the memory cannot be listed.
    pub fn open(memory: &Memory, home: Option<&Path>, runtime: bool, progress: Progress<'_>) -> Result<Self, Error> {
        Self::of(memory, &memory.look()?, home, runtime, progress)
    }

    /// The same for the files of a look that was just taken.
    fn of(
        memory: &Memory,
        look: &Look,
        home: Option<&Path>,
        runtime: bool,
        progress: Progress<'_>,
    ) -> Result<Self, Error> {
        let cache = match home {
            Some(home) => Some(Cache::new(home, &memory.key()?)),
            None => None,
        };
        let mut not_kept = home.is_none().then(|| "there is no home".to_owned());
        let mut state = cache.as_ref().and_then(Cache::load).unwrap_or_default();
        let mut unread = look.refused.clone();
        if !state.difference(look).is_empty() {
            let kept = cache.as_ref().map(|cache| cache.lock().map(|lock| (cache, lock)));
            let locked = match kept {
                Some(Ok(locked)) => {
                    // Another process may have done the work while this one waited.
                    if !locked.0.is_current(&state) {
                        state = locked.0.load().unwrap_or_default();
                    }
                    Some(locked)
                }
                Some(Err(error)) => {
                    not_kept = Some(files::plain(&error));
                    None
                }
                None => None,
            };
            let cache = locked.as_ref().map(|(cache, _)| *cache);
            let done = state.update(memory, look, cache, progress)?;
            unread.extend(done.unread);
            not_kept = not_kept.or(done.not_kept);
        }
        unread.sort();
        let segments = state.segments.len();
        let living = |entry: &Entry| runtime || !memory.layout().is_runtime(&entry.path);
        let owners = state.owners(&living)?;
        let facts = |entry: &Entry| FileFacts { day: entry.day(), superseded: entry.superseded };
        let facts = state.manifest.files.iter().map(facts).collect();
        let searcher = Searcher::new(state.segments.into_iter().zip(owners).collect(), facts)?;
        Ok(Self { searcher, files: state.manifest.files, unread, not_kept, segments })
    }

    /// Forgets what is kept of a memory's index, which was found damaged.
    pub fn discard(memory: &Memory, home: Option<&Path>) {
        if let (Some(home), Ok(key)) = (home, memory.key()) {
            Cache::new(home, &key).discard();
        }
    }

    /// The best sections for a query, of the files whose path and day `wanted` lets through.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn search(
        &self,
        query: &Query,
        options: &Options,
        wanted: &dyn Fn(&str, soul_core::search::Day) -> bool,
    ) -> Result<Vec<Hit>, Damaged> {
        self.searcher.search(query, options, &|file| wanted(&self.files[file].path, self.files[file].day()))
    }

    /// The file of a hit.
    #[must_use]
    pub fn path(&self, hit: &Hit) -> &str {
        &self.files[hit.file].path
    }

    /// What is known of a hit's section.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn record(&self, hit: &Hit) -> Result<Record, Damaged> {
        self.searcher.record(hit)
    }

    /// How a hit's score came about.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn explain(&self, query: &Query, options: &Options, hit: &Hit) -> Result<Explained, Damaged> {
        self.searcher.explain(query, options, hit)
    }

    /// How many sections can be found.
    #[must_use]
    pub fn living(&self) -> u64 {
        self.searcher.living()
    }

    /// Each file with its size and number of sections, in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64, u32)> {
        self.files.iter().map(|entry| (entry.path.as_str(), entry.stamp.size, entry.sections))
    }
}
