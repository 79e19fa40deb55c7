use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Error, Index, Progress};
use crate::files::listing::Look;
use crate::files::watch::Watch;
use crate::workspace::{Layout, Memory};

/// The most memories whose indexes stay open.
const MOST: usize = 8;

/// How long the silence of the system is believed. See [`Watch`] for what it does not report.
const BELIEVED: Duration = Duration::from_secs(1);

/// The indexes that a process has open. One that searches a memory again and again neither loads its index each time
/// nor looks at each of its files: the system reports what happens in their folders.
#[derive(Debug, Default)]
pub(crate) struct Opened(Mutex<HashMap<Key, Kept>>);

/// Which index: of the memory at this place, laid out like this, with live state or without.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key(PathBuf, Layout, bool);

#[derive(Debug)]
struct Kept {
    index: Arc<Index>,
    /// The files from which it was made.
    look: Look,
    /// When the look began.
    looked: Instant,
    /// Since before the look. A memory is watched from its second search on: most processes search once.
    watch: Option<Watch>,
}

impl Kept {
    /// Whether the files are as they were, as far as can be known without looking at them.
    fn is_current(&self) -> bool {
        self.looked.elapsed() < BELIEVED && self.watch.as_ref().is_some_and(Watch::is_quiet)
    }

    /// Whether another look shows the same files, all of which were old enough at the first.
    fn is_of(&self, look: &Look) -> bool {
        self.look == *look && look.files.values().all(|stamp| stamp.settled)
    }

    /// Watches the folders in which a change would show. What appears in a folder that was empty shows at the next look.
    fn watch(&self, root: &Path) -> Option<Watch> {
        let mut folders: BTreeSet<&str> = BTreeSet::from([""]);
        for path in self.look.files.keys() {
            let mut rest: &str = path;
            while let Some((folder, _)) = rest.rsplit_once('/') {
                if !folders.insert(folder) {
                    break;
                }
                rest = folder;
            }
        }
        Watch::of(folders.into_iter().map(|folder| root.join(folder)))
    }
}

impl Opened {
    /// The index of a memory as it is now: the one that is open, if nothing has changed since, or another.
    pub(crate) fn get(
        &self,
        memory: &Memory,
        home: Option<&Path>,
        runtime: bool,
        progress: Progress<'_>,
    ) -> Result<Arc<Index>, Error> {
        let key = Key(memory.root().to_path_buf(), memory.layout().clone(), runtime);
        // The caller that finds it changed removes it, because the change is reported once.
        let before = {
            let mut opened = self.locked();
            match opened.get(&key) {
                Some(kept) if kept.is_current() => return Ok(Arc::clone(&kept.index)),
                _ => opened.remove(&key),
            }
        };
        let watch = before.as_ref().and_then(|before| before.watch(memory.root()));
        let looked = Instant::now();
        let look = memory.look()?;
        let kept = match before {
            Some(before) if before.is_of(&look) => Kept { looked, watch, ..before },
            _ => {
                let index = Arc::new(Index::of(memory, &look, home, runtime, progress)?);
                Kept { index, look, looked, watch: None }
            }
        };
        let index = Arc::clone(&kept.index);
        // A file that could not be read is tried again.
        if index.unread.len() == kept.look.refused.len() {
            self.keep(key, kept);
        }
        Ok(index)
    }

    /// Closes the index of a memory, which was found damaged.
    pub(crate) fn forget(&self, memory: &Memory) {
        self.locked().retain(|Key(root, ..), _| root != memory.root());
    }

    fn keep(&self, key: Key, kept: Kept) {
        let mut opened = self.locked();
        opened.insert(key, kept);
        if opened.len() > MOST {
            let oldest = opened.values().map(|kept| kept.looked).min();
            opened.retain(|_, kept| Some(kept.looked) != oldest);
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Key, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
