//! Clones of registries elsewhere, in the home's cache.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use soul_core::digest::RawDigest;

use super::progress::Fetching;
use super::{FETCHED, Repository, absolute, checked};
use crate::context::Progress;
use crate::files::{self, Directory};
use crate::registry::Error;
use crate::sync::git::{Reach, remote_name, run, run_heard};
use crate::sync::{self, QUIET_RECEIVE, RemoteUrl};

/// How long to wait for another process that fetches the same registry: a little longer than a fetch may take.
const PATIENCE: Duration = Duration::from_secs(150);

impl Repository {
    /// The clone of a remote in a folder of the cache, brought up to date if asked for, or if there is none yet.
    pub(crate) fn cached(
        cache: &Path,
        remote: &RemoteUrl,
        refresh: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let folder = cache.join(name_of(remote));
        if !refresh && is_whole(&folder) {
            let repository = Self::of_clone(&folder, remote, None)?;
            // A git that keeps references elsewhere than in files is asked.
            if fetched(&folder).is_some() || repository.commit(FETCHED)?.is_some() {
                return Ok(repository);
            }
        }
        Self::cached_alone(cache, remote, progress).map(|repository| Self { lock: None, ..repository })
    }

    /// The same, brought up to date, and for this process alone as long as the value lives.
    pub(crate) fn cached_alone(cache: &Path, remote: &RemoteUrl, progress: &dyn Progress) -> Result<Self, Error> {
        let folder = cache.join(name_of(remote));
        let io = |error| Error::Io("the cache".to_owned(), error);
        files::create_private(&folder).map_err(io)?;
        let lock = Directory::open(&folder).map_err(|error| Error::Unreadable("the cache".to_owned(), error))?;
        let lock = lock.handle().map_err(io)?;
        if !files::lock(&lock, Some(Instant::now() + PATIENCE)).map_err(io)? {
            return Err(Error::Fetching(remote.to_string()));
        }
        if !is_whole(&folder) {
            let at = absolute(&folder)?;
            let text = at.to_string_lossy();
            let arguments = ["init", "--quiet", "--bare", "--initial-branch=main", "--template=", "--", &text];
            checked("create", run(None, &arguments, b"", Reach::Here)?)?;
        }
        remove_locks(&folder);
        let repository = Self::of_clone(&folder, remote, Some(Arc::new(lock)))?;
        repository.fetch(remote, progress)?;
        Ok(repository)
    }

    fn of_clone(folder: &Path, remote: &RemoteUrl, lock: Option<Arc<File>>) -> Result<Self, Error> {
        let git_dir = folder.canonicalize().map_err(|error| Error::Io("the cache".to_owned(), error))?;
        Ok(Self { git_dir, remote: Some(remote.clone()), lock })
    }

    /// Brings what the remote's default branch is.
    fn fetch(&self, remote: &RemoteUrl, progress: &dyn Progress) -> Result<(), Error> {
        let reach = Reach::Remote(remote);
        let arguments = ["fetch", "--progress", "--no-tags", "--force", remote_name(), &format!("+HEAD:{FETCHED}")];
        let mut fetching = Fetching::new(progress);
        let mut said = run_heard(Some(&self.git_dir), &arguments, b"", reach, &mut |bytes| fetching.hear(bytes))?;
        if said.success {
            return Ok(());
        }
        // Progress overwrites its own line.
        said.stderr = said.stderr.replace('\r', "\n");
        Err(sync::Error::Network { what: "fetch", remote: remote.to_string(), why: said.complaint() }.into())
    }

    /// Pushes a branch to the remote. It never replaces one that is there.
    pub(crate) fn push(&self, branch: &str) -> Result<(), Error> {
        let Some(remote) = &self.remote else { return Ok(()) };
        let name = format!("refs/heads/{branch}:refs/heads/{branch}");
        let mut arguments = vec!["push", "--quiet", "--no-verify", "--no-signed"];
        if remote.is_local() {
            arguments.push(QUIET_RECEIVE);
        }
        arguments.extend([remote_name(), &name]);
        let said = run(Some(&self.git_dir), &arguments, b"", Reach::Remote(remote))?;
        if said.success {
            return Ok(());
        }
        // The line of the branch says why; that something failed is known.
        let line = said.stderr.lines().find(|line| line.contains("rejected]"));
        let why = line.map_or_else(|| said.complaint(), |line| soul_core::text::visible(line.trim()));
        Err(sync::Error::Refused(remote.to_string(), why).into())
    }

    /// The branch as the remote has it.
    pub(crate) fn remote_branch(&self, branch: &str) -> Result<Option<String>, Error> {
        let Some(remote) = &self.remote else { return self.commit(&format!("refs/heads/{branch}")) };
        let name = format!("refs/heads/{branch}");
        let local = format!("+{name}:refs/fetched/{branch}");
        let arguments = ["fetch", "--quiet", "--no-tags", remote_name(), &local];
        let said = run(Some(&self.git_dir), &arguments, b"", Reach::Remote(remote))?;
        if said.success {
            return self.commit(&format!("refs/fetched/{branch}"));
        }
        if said.stderr.contains("couldn't find remote ref") {
            return Ok(None);
        }
        Err(sync::Error::Network { what: "fetch", remote: remote.to_string(), why: said.complaint() }.into())
    }
}

/// The commit that the clone of a remote was last fetched at, without asking git.
pub(crate) fn fetched_at(cache: &Path, remote: &RemoteUrl) -> Option<String> {
    fetched(&cache.join(name_of(remote)))
}

fn fetched(folder: &Path) -> Option<String> {
    std::fs::read_to_string(folder.join(FETCHED)).ok().map(|commit| commit.trim().to_owned())
}

/// Whether making a clone was not cut off.
fn is_whole(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && ["objects", "refs"].iter().all(|part| folder.join(part).is_dir())
}

/// The folder of a remote in the cache: its URL may hold credentials.
fn name_of(remote: &RemoteUrl) -> String {
    RawDigest::of(remote.secret().as_bytes()).as_bytes()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Removes the lock files of a git that was killed, which would stop every later one. Only the holder of our own lock
/// does that.
fn remove_locks(folder: &Path) {
    let below = files_below(folder, 6);
    let locks = below.iter().filter(|path| path.extension().is_some_and(|extension| extension == "lock"));
    locks.for_each(|path| drop(std::fs::remove_file(path)));
}

/// The files in a folder and the folders of references in it.
fn files_below(folder: &Path, depth: usize) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        if is_folder && depth > 0 && !path.ends_with("objects") {
            found.extend(files_below(&path, depth - 1));
        } else if !is_folder {
            found.push(path);
        }
    }
    found
}
