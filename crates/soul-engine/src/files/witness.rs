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
            let state = state(&path);
            let is_shown = || seen.iter().any(|(folder, state)| state.is_some() && path.parent() == Some(folder));
            if state.is_some() || !is_shown() {
                seen.push((path, state));
            }
        }
        Self(seen)
    }

    /// Whether the files have had this state for long enough that any later change will show.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.0.iter().all(|(_, state)| state.is_none_or(|state| state.settled))
    }

    /// Whether the files are as they were.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.0.iter().all(|(path, state)| self::state(path) == *state)
    }
}

/// The state of a file, or that there is none.
fn state(path: &Path) -> Option<Stamp> {
    let metadata = path.symlink_metadata().ok()?;
    Some(Stamp::of(&metadata, SystemTime::now()))
}
