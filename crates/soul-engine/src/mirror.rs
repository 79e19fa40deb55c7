//! Souls that are kept in the database, as files of this machine: what every reader reads. The files are a copy; what
//! changes them comes from the database, and what other programs write into them is overwritten.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::clock::Now;
use crate::files;
use crate::store::{self, Detail, Store, StoredText, Texts};
use crate::workspace::Kind;

/// Where the copy is, in the home.
const FOLDER: &str = "cache/database";

/// What the copy is of, and of which moment.
const STATE_FILE: &str = "state.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    store: String,
    /// Since when the machine runs: nothing is synced, so a copy from before is none.
    boot: Option<String>,
    moment: String,
}

/// The copy of one home, which its processes share.
#[derive(Debug)]
pub(crate) struct Mirror {
    root: PathBuf,
    /// What this process knows the copy to be, to look for more only if something was committed.
    seen: Mutex<Option<i64>>,
}

impl Mirror {
    pub(crate) fn in_home(home: &Path) -> Self {
        Self { root: home.join(FOLDER), seen: Mutex::default() }
    }

    /// The folder in which souls are looked up instead of the home.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Brings the copy up to date.
    pub(crate) fn update(&self, store: &dyn Store, texts: &dyn Texts) -> Result<(), store::Error> {
        // Before anything is read: whatever comes in between changes it again.
        let version = store.version(0)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == Some(version) {
            return Ok(());
        }
        let failed = |error: io::Error| store::Error::Disk(Detail::io(error));
        let id = texts.database_id()?;
        files::create_private(&self.root).map_err(failed)?;
        let lock = File::create(self.root.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let boot = Now::of_system().steady().map(|(boot, _)| boot.to_owned());
        let is_first = seen.is_none();
        let known = self.state().filter(|state| state.store == id && state.boot == boot);
        let known = known.filter(|_| !is_first || !self.is_touched());
        if known.is_none() {
            self.clear().map_err(failed)?;
        }
        let (mut moment, mut changed) = texts.changed_since(known.as_ref().map(|state| state.moment.as_str()))?;
        let is_restored = known.as_ref().is_some_and(|known| number(&known.moment) > number(&moment));
        if is_restored {
            // The database is of an earlier time than the copy: what was changed since is nobody's.
            self.clear().map_err(failed)?;
            (moment, changed) = texts.changed_since(None)?;
        }
        let mut is_changed = is_restored || known.is_none();
        for text in &changed {
            is_changed |= self.put(text).map_err(failed)?;
        }
        // An earlier moment costs another look, and not a write to the disk.
        if is_changed {
            let state = State { store: id, boot, moment };
            let json = serde_json::to_vec(&state).unwrap_or_default();
            replace(&self.root.join(STATE_FILE), &json).map_err(failed)?;
        }
        *seen = Some(version);
        Ok(())
    }

    fn state(&self) -> Option<State> {
        serde_json::from_slice(&fs::read(self.root.join(STATE_FILE)).ok()?).ok()
    }

    /// Whether others have written into the copy: what we write is older than the state. Within a tick of the file
    /// system's clock nobody can tell.
    fn is_touched(&self) -> bool {
        let Ok(state) = self.root.join(STATE_FILE).metadata() else { return true };
        let since = changed(&state);
        [Kind::Agent, Kind::Library].into_iter().any(|kind| is_newer(&self.root.join(folder(kind)), since))
    }

    /// A copy of another store is none.
    fn clear(&self) -> io::Result<()> {
        for kind in [Kind::Agent, Kind::Library] {
            match fs::remove_dir_all(self.root.join(folder(kind))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes a file, or removes it, unless that is done. The directory of an agent stays: an agent may be without a
    /// soul.
    fn put(&self, text: &StoredText) -> io::Result<bool> {
        let Some(path) = self.path(text) else { return Ok(false) };
        fs::create_dir_all(files::folder_of(&path))?;
        match &text.body {
            Some(body) if fs::read(&path).is_ok_and(|there| there == *body) => Ok(false),
            Some(body) => replace(&path, body).map(|()| true),
            None => match fs::remove_file(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
                removed => removed.map(|()| true),
            },
        }
    }

    /// Where a file is. What would leave its directory is nowhere.
    fn path(&self, text: &StoredText) -> Option<PathBuf> {
        let is_plain = |path: &str| {
            !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
        };
        let (name, file) = (text.name.as_str(), text.file.as_str());
        let is_below = is_plain(name) && is_plain(file) && Path::new(name).components().count() == 1;
        let folder = self.root.join(folder(text.kind));
        is_below.then(|| match text.kind {
            Kind::Agent => folder.join(name).join(file),
            Kind::Library => folder.join(file),
        })
    }
}

/// Moments are numbers that grow.
fn number(moment: &str) -> u64 {
    moment.parse().unwrap_or(u64::MAX)
}

/// Replaces a file atomically. Only the holder of the lock writes.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let staged = files::folder_of(path).join(".staged");
    fs::write(&staged, bytes)?;
    fs::rename(&staged, path)
}

/// Whether a folder or anything in it was changed after a time.
fn is_newer(path: &Path, since: i128) -> bool {
    let Ok(metadata) = path.symlink_metadata() else { return false };
    let entries = || fs::read_dir(path).into_iter().flatten().flatten();
    changed(&metadata) > since || (metadata.is_dir() && entries().any(|entry| is_newer(&entry.path(), since)))
}

/// When a file was changed, which nobody can set back.
#[cfg(unix)]
fn changed(metadata: &fs::Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt;
    i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &fs::Metadata) -> i128 {
    0
}

const fn folder(kind: Kind) -> &'static str {
    match kind {
        Kind::Agent => "agents",
        Kind::Library => "souls",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, file: &str, body: Option<&str>) -> StoredText {
        let body = body.map(|body| body.as_bytes().to_vec());
        StoredText { kind: Kind::Agent, name: name.to_owned(), file: file.to_owned(), body }
    }

    #[test]
    fn what_would_leave_its_directory_is_written_nowhere() {
        let home = tempfile::tempdir().unwrap();
        let mirror = Mirror::in_home(home.path());
        for (name, file) in [("..", "x"), ("a", "../../x"), ("a", "/etc/x"), ("a/b", "x"), ("", "x"), ("a", "")] {
            assert_eq!(mirror.path(&text(name, file, Some("text"))), None, "{name} {file}");
        }
        mirror.put(&text("ada", "examples/good.md", Some("one"))).unwrap();
        let path = home.path().join("cache/database/agents/ada/examples/good.md");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        mirror.put(&text("ada", "examples/good.md", None)).unwrap();
        mirror.put(&text("ada", "examples/good.md", None)).unwrap();
        assert!(!path.exists() && home.path().join("cache/database/agents/ada").is_dir());
    }
}
