//! Locks that all processes with one home share: files in the home's `cache/locks/`, each for many souls, so that
//! there is a bound to their number. A file is never removed by us; one that others remove is made again.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Instant;

use soul_core::digest::RawDigest;

use super::{Detail, Error, SoulLock};
use crate::files;
use crate::workspace::{Kind, SoulKey};

/// The folder beside the database.
const FOLDER: &str = "cache/locks";

/// How many hexadecimal digits of a digest name a file: 1024 souls rarely meet in 4096 files.
const DIGITS: usize = 3;

/// The file that stands for a soul. The library is changed as one: it is locked before the id of a new soul is known.
fn file_name(key: &SoulKey) -> String {
    let name = if key.kind == Kind::Library { "" } else { &key.name };
    let digest = RawDigest::of(format!("{}\n{}\n{name}", key.scope, key.kind.as_str()).as_bytes()).to_string();
    digest.rsplit(':').next().unwrap_or_default().chars().take(DIGITS).collect()
}

pub(super) fn acquire(home: &Path, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
    let path = home.join(FOLDER).join(file_name(key));
    let failed = |error: io::Error| Error::ReadOnly(Detail::io(error));
    loop {
        let file = open(&path).map_err(failed)?;
        if !files::lock(&file, until).map_err(failed)? {
            return Ok(None);
        }
        // The cache may be cleared at any time; a lock on a file that is gone keeps nobody out.
        if files::is_at(&file, &path) {
            return Ok(Some(SoulLock::new(file)));
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(files::folder_of(path))?;
            options.open(path)
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(scope: &str, kind: Kind, name: &str) -> SoulKey {
        SoulKey { scope: scope.to_owned(), kind, name: name.to_owned() }
    }

    #[test]
    fn a_lock_holds_wherever_it_is_asked_for_and_even_if_the_cache_is_cleared() {
        let home = tempfile::tempdir().unwrap();
        let (ada, bob) = (key("home", Kind::Agent, "ada"), key("home", Kind::Agent, "bob"));
        let held = acquire(home.path(), &ada, None).unwrap().unwrap();
        assert!(acquire(home.path(), &ada, None).unwrap().is_none());
        assert!(acquire(home.path(), &bob, None).unwrap().is_some());
        drop(held);
        let held = acquire(home.path(), &ada, None).unwrap();
        assert!(held.is_some());
        fs::remove_dir_all(home.path().join("cache")).unwrap();
        let again = acquire(home.path(), &ada, None).unwrap().unwrap();
        assert!(acquire(home.path(), &ada, None).unwrap().is_none());
        drop(again);
    }

    #[test]
    fn the_library_is_locked_as_one_and_files_have_a_bound() {
        let name = |kind, name: &str| file_name(&key("home", kind, name));
        assert_eq!(name(Kind::Library, "a"), name(Kind::Library, "b"));
        assert_ne!(name(Kind::Library, "a"), name(Kind::Agent, "a"));
        let all: std::collections::BTreeSet<_> = (0..20_000).map(|n| name(Kind::Agent, &n.to_string())).collect();
        assert!(all.len() <= 4096, "{}", all.len());
    }
}
