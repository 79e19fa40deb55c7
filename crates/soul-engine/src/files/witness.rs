//! The state of files at one moment, by which an answer that was made from them is known to be still true.

use std::collections::HashSet;
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
        let (mut seen, mut folders) = (Vec::new(), HashSet::new());
        for path in paths {
            match state(&path) {
                Some(state) => {
                    folders.insert(path.clone());
                    seen.push((path, Some(state)));
                }
                None if path.parent().is_some_and(|parent| folders.contains(parent)) => {}
                None => seen.push((path, None)),
            }
        }
        Self(seen)
    }

    /// How many files it looks at.
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the files have had this state for long enough that any later change will show.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.0.iter().all(|(_, state)| state.is_none_or(|state| state.settled))
    }

    /// Whether the files are as they were.
    #[must_use]
    pub fn holds(&self) -> bool {
        // A file that was new is not another one because it has grown older.
        let aged = |state: Option<Stamp>| state.map(|state| Stamp { settled: true, ..state });
        self.0.iter().all(|(path, state)| aged(self::state(path)) == aged(*state))
    }
}

/// The state of a file, or that there is none.
fn state(path: &Path) -> Option<Stamp> {
    let metadata = path.symlink_metadata().ok()?;
    Some(Stamp::of(&metadata, SystemTime::now()))
}
