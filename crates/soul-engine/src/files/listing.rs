//! What has changed in a folder: the stamp and digest of every file when it was last read, compared with
//! the stamps that files have now. Whatever caches files asks here which ones to read again.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use soul_core::digest::RawDigest;

use super::is_staging;

/// How many levels of folders are listed.
const DEEPEST: usize = 32;

/// A file that was written just before its stamp was taken may be written again within the same tick of
/// the file system's clock, so the stamp proves nothing.
const SETTLED: Duration = Duration::from_millis(100);

/// Size, times and inode of a file: if they differ, it may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Its size in bytes.
    pub size: u64,
    /// When it was modified, in nanoseconds since the epoch.
    pub modified: i64,
    /// When its status changed, in nanoseconds since the epoch: nobody can set this back. 0 where the system has none.
    pub changed: i64,
    /// The inode; 0 where the system has none.
    pub inode: u64,
    /// Whether the file was old enough for the stamp to be reliable.
    pub settled: bool,
}

impl Stamp {
    /// The stamp of a file at this time.
    #[must_use]
    pub fn of(metadata: &Metadata, now: SystemTime) -> Self {
        let nanoseconds = |since: Duration| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        let since_epoch = |time: SystemTime| {
            let since = time.duration_since(SystemTime::UNIX_EPOCH);
            since.map_or_else(|before| -nanoseconds(before.duration()), nanoseconds)
        };
        let modified = since_epoch(metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        let changed = changed(metadata);
        let age = since_epoch(now).saturating_sub(modified.max(changed));
        Self { size: metadata.len(), modified, changed, inode: inode(metadata), settled: age >= nanoseconds(SETTLED) }
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> i64 {
    0
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> u64 {
    0
}

/// What is there now: regular files by their path, with `/` between its parts, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// The files.
    pub files: BTreeMap<String, Stamp>,
    /// What was skipped: links, pipes, names that are not UTF-8, folders that could not be listed.
    pub refused: Vec<String>,
}

impl Look {
    /// Adds the files below a folder, each as `prefix` and its path. `wanted` is called with that path for
    /// every file and every folder, whose path ends with `/`. Links are never followed.
    ///
    /// # Errors
    /// When the folder itself cannot be listed.
    pub fn below(&mut self, folder: &Path, prefix: &str, wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
        self.descend(folder, prefix, wanted, SystemTime::now(), DEEPEST)
    }

    /// Adds one file.
    pub fn one(&mut self, path: &Path, name: &str) {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                self.files.insert(name.to_owned(), Stamp::of(&metadata, SystemTime::now()));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            _ => self.refused.push(name.to_owned()),
        }
    }

    fn descend(
        &mut self,
        folder: &Path,
        prefix: &str,
        wanted: &dyn Fn(&str) -> bool,
        now: SystemTime,
        depth: usize,
    ) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                self.refused.push(format!("{prefix}{}", name.to_string_lossy()));
                continue;
            };
            if is_staging(name.as_ref()) {
                continue;
            }
            let kind = entry.file_type()?;
            let path = format!("{prefix}{name}{}", if kind.is_dir() { "/" } else { "" });
            if !wanted(&path) {
                continue;
            }
            if kind.is_dir() {
                let listed = depth > 0 && self.descend(&entry.path(), &path, wanted, now, depth - 1).is_ok();
                if !listed {
                    self.refused.push(path);
                }
            } else if kind.is_file() {
                files.push((path, entry));
            } else {
                self.refused.push(path);
            }
        }
        self.files.append(&mut stamps(files, now).into_iter().collect());
        Ok(())
    }
}

/// The stamps of files; one that is gone by now is left out. Each takes a system call and nothing else, so
/// many files are shared among the cores.
fn stamps(files: Vec<(String, DirEntry)>, now: SystemTime) -> Vec<(String, Stamp)> {
    const WORTH_A_THREAD: usize = 256;
    let stamp = |(path, entry): (String, DirEntry)| Some((path, Stamp::of(&entry.metadata().ok()?, now)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(cores).max(WORTH_A_THREAD);
    if files.len() <= share {
        return files.into_iter().filter_map(stamp).collect();
    }
    let mut shares = Vec::new();
    let mut files = files.into_iter();
    while files.len() > 0 {
        shares.push(files.by_ref().take(share).collect::<Vec<_>>());
    }
    std::thread::scope(|scope| {
        let run = |share: Vec<_>| scope.spawn(move || share.into_iter().filter_map(stamp).collect::<Vec<_>>());
        let running: Vec<_> = shares.into_iter().map(run).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

/// A folder when it was last read: stamp and digest of every file.
pub type Listing = BTreeMap<String, (Stamp, RawDigest)>;

/// What may have changed since a folder was last read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Files that are new or have another stamp. They must be read to know whether they changed.
    pub suspects: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
}

impl Difference {
    /// Compares files with the stamps that they had, given in the order of their paths.
    pub fn between<'a>(look: &Look, known: impl IntoIterator<Item = (&'a str, Stamp)>) -> Self {
        let mut difference = Self::default();
        let mut known = known.into_iter().peekable();
        for (path, stamp) in &look.files {
            while let Some((gone, _)) = known.next_if(|(known, _)| *known < path.as_str()) {
                difference.removed.push(gone.to_owned());
            }
            let before = known.next_if(|(known, _)| *known == path.as_str());
            if before.is_none_or(|(_, before)| !before.settled || before != *stamp) {
                difference.suspects.push(path.clone());
            }
        }
        difference.removed.extend(known.map(|(gone, _)| gone.to_owned()));
        difference
    }

    /// Compares files with a listing.
    #[must_use]
    pub fn of(listing: &Listing, look: &Look) -> Self {
        Self::between(look, listing.iter().map(|(path, (stamp, _))| (path.as_str(), *stamp)))
    }

    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.suspects.is_empty() && self.removed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(folder: &Path) -> Look {
        let mut look = Look::default();
        look.below(folder, "", &|path| path.ends_with('/') || path.ends_with(".md")).unwrap();
        look
    }

    fn settled(folder: &Path, name: &str, text: &str) {
        fs::write(folder.join(name), text).unwrap();
        let file = fs::File::options().write(true).open(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60 + text.len() as u64)).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_listed() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("archive/2025")).unwrap();
        fs::create_dir(root.path().join("folder.md")).unwrap();
        fs::write(root.path().join("archive/2025/a.md"), "a").unwrap();
        fs::write(root.path().join("b.txt"), "b").unwrap();
        symlink("/etc/hostname", root.path().join("link.md")).unwrap();
        symlink("/etc", root.path().join("etc")).unwrap();
        symlink(".", root.path().join("loop.md")).unwrap();
        let mut look = look(root.path());
        look.refused.sort();
        assert_eq!(look.files.keys().collect::<Vec<_>>(), ["archive/2025/a.md"]);
        assert_eq!(look.refused, ["link.md", "loop.md"]);
    }

    #[test]
    fn what_changed_is_suspected() {
        let root = tempfile::tempdir().unwrap();
        ["same.md", "other.md", "gone.md"].iter().for_each(|name| settled(root.path(), name, name));
        std::thread::sleep(SETTLED);
        let before = look(root.path());
        let listing: Listing =
            before.files.iter().map(|(path, stamp)| (path.clone(), (*stamp, RawDigest::of(path.as_bytes())))).collect();
        assert!(Difference::of(&listing, &look(root.path())).is_empty());
        settled(root.path(), "other.md", "changed");
        settled(root.path(), "new.md", "new");
        fs::remove_file(root.path().join("gone.md")).unwrap();
        let difference = Difference::of(&listing, &look(root.path()));
        assert_eq!(difference.suspects, ["new.md", "other.md"]);
        assert_eq!(difference.removed, ["gone.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_time_that_was_set_back_hides_nothing() {
        let root = tempfile::tempdir().unwrap();
        settled(root.path(), "a.md", "one");
        std::thread::sleep(SETTLED);
        let before = look(root.path());
        let stamp = before.files["a.md"];
        let modified = fs::metadata(root.path().join("a.md")).unwrap().modified().unwrap();
        let mut file = fs::File::options().write(true).open(root.path().join("a.md")).unwrap();
        std::io::Write::write_all(&mut file, b"two").unwrap();
        file.set_modified(modified).unwrap();
        let listing: Listing = [("a.md".to_owned(), (stamp, RawDigest::of(b"one")))].into();
        assert_eq!(Difference::of(&listing, &look(root.path())).suspects, ["a.md"]);
    }

    #[test]
    fn a_stamp_of_this_moment_is_not_believed() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.md"), "a").unwrap();
        let look = look(root.path());
        let listing: Listing =
            look.files.iter().map(|(path, stamp)| (path.clone(), (*stamp, RawDigest::of(b"a")))).collect();
        assert_eq!(Difference::of(&listing, &look).suspects, ["a.md"]);
    }
}
