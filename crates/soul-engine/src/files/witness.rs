//! The state of files at one moment, by which an answer that was made from them is known to be still true.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::listing::Stamp;

/// The state of files before they are read, so that a change in between makes the answer stale.
#[derive(Debug)]
pub struct Witness(Vec<(PathBuf, Option<Stamp>)>);

impl Witness {
    /// Looks at files. A folder comes before what is in it: then it shows whatever appears in it, and what is
    /// not there need not be looked for again.
    #[must_use]
    pub fn of(paths: Vec<PathBuf>) -> Self {
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

    /// Whether the files have had this state for long enough that any later change will show.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.0.iter().all(|(_, stamp)| stamp.is_none_or(|stamp| stamp.settled))
    }

    /// Whether the files are as they were.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.0.iter().all(|(path, stamp)| self::stamp(path) == *stamp)
    }
}

/// The state of a file, or that there is none.
fn stamp(path: &Path) -> Option<Stamp> {
    path.symlink_metadata().ok().map(|metadata| Stamp::of(&metadata, SystemTime::now()))
}
