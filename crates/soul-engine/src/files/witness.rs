//! The state of files at one moment, by which an answer that was made from them is known to be still true.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::listing::Stamp;

/// The state of files before they are read, so that a change in between makes the answer stale.
#[derive(Debug)]
pub struct Witness(Vec<(PathBuf, Option<State>)>);

/// What shows that a file was changed, even if its time was set back: only the system sets the time of the last
/// change of its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    stamp: Stamp,
    changed: (i64, i64),
}

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
        self.0.iter().all(|(_, state)| state.is_none_or(|state| state.stamp.settled))
    }

    /// Whether the files are as they were.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.0.iter().all(|(path, state)| self::state(path) == *state)
    }
}

/// The state of a file, or that there is none.
fn state(path: &Path) -> Option<State> {
    let metadata = path.symlink_metadata().ok()?;
    Some(State { stamp: Stamp::of(&metadata, SystemTime::now()), changed: changed(&metadata) })
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
}
