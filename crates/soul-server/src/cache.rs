//! Answers that are still true. Each is kept with the state of every file that it was made from; a
//! few `stat` calls tell whether any of them has changed, whoever changed it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use axum::body::Bytes;

/// How many answers are kept.
const MAX: usize = 10_000;

/// Answers by what was asked.
#[derive(Default)]
pub(crate) struct Cache(RwLock<HashMap<String, Arc<Kept>>>);

struct Kept {
    answer: Bytes,
    witnesses: Vec<(PathBuf, Stamp)>,
}

/// The state of a file, or that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp(Option<(u64, u64, SystemTime)>);

impl Stamp {
    fn of(path: &Path) -> Self {
        let Ok(metadata) = path.symlink_metadata() else { return Self(None) };
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self(metadata.modified().ok().map(|modified| (inode, metadata.len(), modified)))
    }
}

/// The state of files before they are read, so that a change in between makes the answer stale.
pub(crate) struct Witness(Vec<(PathBuf, Stamp)>);

impl Witness {
    pub(crate) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(paths.into_iter().map(|path| (Stamp::of(&path), path)).map(|(stamp, path)| (path, stamp)).collect())
    }
}

impl Cache {
    /// An answer that is still true.
    pub(crate) fn get(&self, question: &str) -> Option<Bytes> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned()?;
        let fresh = kept.witnesses.iter().all(|(path, stamp)| Stamp::of(path) == *stamp);
        fresh.then(|| kept.answer.clone())
    }

    pub(crate) fn put(&self, question: String, answer: Bytes, witness: Witness) {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX {
            kept.clear();
        }
        kept.insert(question, Arc::new(Kept { answer, witnesses: witness.0 }));
    }
}
