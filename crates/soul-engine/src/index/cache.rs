use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use soul_core::search::Segment;
use soul_core::search::wire::checksum;

use super::manifest::Manifest;
use super::store::Store;
use super::update::State;
use crate::files::create_private;

/// The folder of one memory's index.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

const MANIFEST: &str = "manifest";
const LOCK: &str = "lock";

/// How long to wait for another process that brings the index up to date.
const PATIENCE: Duration = Duration::from_secs(30);

impl Cache {
    pub(super) fn new(home: &Path, key: &str) -> Self {
        Self { folder: home.join("cache").join("memory").join(key) }
    }

    fn segment(&self, name: u64) -> PathBuf {
        self.folder.join(format!("{name:016x}.seg"))
    }

    /// What is kept, if it is whole and of this version.
    pub(super) fn load(&self) -> Option<State> {
        // Between manifest and segment another process may sweep; its manifest is there then.
        (0..3).find_map(|_| self.try_load())
    }

    fn try_load(&self) -> Option<State> {
        let bytes = fs::read(self.folder.join(MANIFEST)).ok()?;
        let manifest = Manifest::read(&bytes).ok()?;
        let segments = manifest.segments.iter().map(|name| self.open(*name)).collect::<Option<Vec<_>>>()?;
        State::whole(bytes.last_chunk().copied(), manifest, segments)
    }

    /// Whether what was loaded is still what is kept.
    pub(super) fn is_current(&self, state: &State) -> bool {
        let kept = fs::read(self.folder.join(MANIFEST)).ok();
        state.origin.is_some() && kept.and_then(|bytes| bytes.last_chunk().copied()) == state.origin
    }

    fn open(&self, name: u64) -> Option<Segment<Store>> {
        Segment::open(Store::open(&self.segment(name)).ok()?).ok()
    }

    /// Waits until no other process writes. The lock is free again when the file is closed.
    pub(super) fn lock(&self) -> io::Result<File> {
        create_private(&self.folder)?;
        let file = File::options().create(true).truncate(false).write(true).open(self.folder.join(LOCK))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Keeps a segment, and opens it where it is kept.
    pub(super) fn keep(&self, bytes: &[u8]) -> io::Result<(u64, Segment<Store>)> {
        let name = checksum(bytes);
        self.replace(&self.segment(name), bytes)?;
        let segment = self.open(name).ok_or_else(|| io::Error::other("the written file cannot be read back"))?;
        Ok((name, segment))
    }

    /// Makes the manifest the one that counts, and removes what it does not name.
    pub(super) fn publish(&self, manifest: &Manifest) -> io::Result<()> {
        self.replace(&self.folder.join(MANIFEST), &manifest.write())?;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let name = entry.file_name();
            let used = name == MANIFEST
                || name == LOCK
                || manifest.segments.iter().any(|one| self.segment(*one).ends_with(&name));
            if !used {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// Nothing here needs to outlive a crash of the machine: checksums tell, and it is built anew.
    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = self.folder.join("new");
        fs::write(&temporary, bytes)?;
        fs::rename(&temporary, path)
    }

    /// Removes the manifest, so that the next one to look builds the index anew.
    pub(super) fn discard(&self) {
        if let Ok(_lock) = self.lock() {
            let _ = fs::remove_file(self.folder.join(MANIFEST));
        }
    }
}
