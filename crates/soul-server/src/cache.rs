//! Answers that are still true. Each is kept with the state of every file that it was made from; a
//! few `stat` calls tell whether any of them has changed, whoever changed it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use axum::body::Bytes;
use soul_engine::files::listing::Stamp;

/// How many answers are kept.
const MAX: usize = 10_000;

/// Answers by what was asked.
#[derive(Default)]
pub(crate) struct Cache(RwLock<HashMap<String, Arc<Kept>>>);

struct Kept {
    answer: Bytes,
    witnesses: Vec<(PathBuf, Option<Stamp>)>,
}

/// The state of a file, or that there is none.
fn stamp(path: &Path) -> Option<Stamp> {
    path.symlink_metadata().ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()))
}

/// The state of files before they are read, so that a change in between makes the answer stale.
pub(crate) struct Witness(Vec<(PathBuf, Option<Stamp>)>);

impl Witness {
    /// A folder comes before what is in it: then it shows whatever appears in it, and what is not there need
    /// not be looked for again.
    pub(crate) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut seen: Vec<(PathBuf, Option<Stamp>)> = Vec::new();
        for path in paths {
            let stamp = stamp(&path);
            let is_shown = || seen.iter().any(|(folder, stamp)| stamp.is_some() && path.parent() == Some(folder));
            if stamp.is_some() || !is_shown() {
                seen.push((path, stamp));
            }
        }
        Self(seen)
    }
}

impl Cache {
    /// An answer that is still true.
    pub(crate) fn get(&self, question: &str) -> Option<Bytes> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned()?;
        let fresh = kept.witnesses.iter().all(|(path, stamp)| self::stamp(path) == *stamp);
        fresh.then(|| kept.answer.clone())
    }

    /// Keeps an answer, unless a file was written so lately that its stamp proves nothing.
    pub(crate) fn put(&self, question: String, answer: Bytes, witness: Witness) {
        if witness.0.iter().any(|(_, stamp)| stamp.is_some_and(|stamp| !stamp.settled)) {
            return;
        }
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX {
            kept.clear();
        }
        kept.insert(question, Arc::new(Kept { answer, witnesses: witness.0 }));
    }
}
