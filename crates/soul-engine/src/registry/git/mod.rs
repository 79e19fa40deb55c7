//! Repositories of registries: their files at a commit, and new commits, without a checkout. No file of a repository
//! reaches the disk through git, so no link, filter or hook of it counts.

mod clone;
mod commit;
mod progress;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use clone::fetched_at;
pub(crate) use commit::Commit;

use super::Error;
use crate::sync::RemoteUrl;
use crate::sync::git::{Reach, Said, run};

/// The most files that are listed at a commit.
const MAX_LISTED: usize = 500_000;

/// The most states of a package that are looked through for a version.
const MAX_STATES: usize = 2_000;

/// Where the default branch of a remote is kept, in its clone.
const FETCHED: &str = "refs/fetched/head";

/// A repository on this machine.
#[derive(Clone)]
pub(crate) struct Repository {
    git_dir: PathBuf,
    remote: Option<RemoteUrl>,
    /// Held while no other process may use the clone.
    #[expect(dead_code, reason = "held, not used")]
    lock: Option<Arc<File>>,
}

/// A file at a commit.
pub(crate) struct Blob {
    pub(crate) path: String,
    pub(crate) oid: String,
    /// Whether it is a regular file, and not a link or a submodule.
    pub(crate) is_file: bool,
    pub(crate) bytes: u64,
}

impl Repository {
    /// The repository that a folder is the root of, bare or not; `None` if it is not one.
    pub(crate) fn open(folder: &Path) -> Result<Option<Self>, Error> {
        let git_dir = if folder.join(".git").exists() {
            let folder = absolute(folder)?;
            let text = folder.to_string_lossy();
            let said = run(None, &["-C", &text, "rev-parse", "--absolute-git-dir"], b"", Reach::Here)?;
            if !said.success {
                return Ok(None);
            }
            PathBuf::from(String::from_utf8_lossy(&said.stdout).trim())
        } else if folder.join("HEAD").is_file() && folder.join("objects").is_dir() {
            folder.to_path_buf()
        } else {
            return Ok(None);
        };
        let git_dir = git_dir.canonicalize().map_err(|error| Error::Io("the repository".to_owned(), error))?;
        Ok(Some(Self { git_dir, remote: None, lock: None }))
    }

    /// Makes a repository, with a work tree around it.
    pub(crate) fn init(folder: &Path) -> Result<Self, Error> {
        let at = absolute(folder)?;
        let text = at.to_string_lossy();
        let said =
            run(None, &["init", "--quiet", "--initial-branch=main", "--template=", "--", &text], b"", Reach::Here)?;
        checked("create", said)?;
        let none = || Error::NotARegistry(folder.to_string_lossy().into_owned(), "git made no repository".to_owned());
        Self::open(folder)?.ok_or_else(none)
    }

    fn here(&self, arguments: &[&str], input: &[u8]) -> Result<Said, Error> {
        Ok(run(Some(&self.git_dir), arguments, input, Reach::Here)?)
    }

    /// The commit that a name stands for.
    pub(crate) fn commit(&self, name: &str) -> Result<Option<String>, Error> {
        if name.is_empty() || name.starts_with('-') || name.contains(['\0', '\n', ':']) {
            return Ok(None);
        }
        let said =
            self.here(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")], b"")?;
        Ok(said.success.then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned()))
    }

    /// The commit that the registry is at: what was fetched, or the main branch, or whatever is checked out.
    pub(crate) fn head(&self) -> Result<Option<String>, Error> {
        let names: &[&str] = if self.remote.is_some() { &[FETCHED] } else { &["refs/heads/main", "HEAD"] };
        for name in names {
            if let Some(commit) = self.commit(name)? {
                return Ok(Some(commit));
            }
        }
        Ok(None)
    }

    /// The last commit that both have.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, Error> {
        let said = self.here(&["merge-base", one, other], b"")?;
        Ok(said.success.then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned()))
    }

    /// The files below a folder at a commit.
    pub(crate) fn list(&self, commit: &str, below: &str) -> Result<Vec<Blob>, Error> {
        let said =
            checked("read", self.here(&["ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", below], b"")?)?;
        let odd = || Error::NotARegistry("the repository".to_owned(), "git listed a tree in an unknown way".to_owned());
        let mut blobs = Vec::new();
        for line in said.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let line = String::from_utf8_lossy(line);
            let (head, path) = line.split_once('\t').ok_or_else(odd)?;
            let parts: Vec<&str> = head.split_whitespace().collect();
            let [mode, _, oid, size] = parts[..] else { return Err(odd()) };
            let is_file = matches!(mode, "100644" | "100755" | "100664");
            // A submodule has no size.
            let bytes = size.parse().unwrap_or_default();
            blobs.push(Blob { path: path.to_owned(), oid: oid.to_owned(), is_file, bytes });
            if blobs.len() > MAX_LISTED {
                return Err(Error::TooManyFiles);
            }
        }
        Ok(blobs)
    }

    /// The bytes of files, in their order.
    pub(crate) fn read(&self, blobs: &[Blob]) -> Result<Vec<Vec<u8>>, Error> {
        let names: Vec<String> = blobs.iter().map(|blob| blob.oid.clone()).collect();
        self.objects(&names)?.into_iter().map(|bytes| bytes.ok_or_else(unknown_answer)).collect()
    }

    /// The bytes of files by their names (`OID`, or `COMMIT:PATH`), in their order; `None` for one that is not there.
    fn objects(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let input: String = names.iter().map(|name| format!("{name}\n")).collect();
        let said = checked("read", self.here(&["cat-file", "--batch"], input.as_bytes())?)?;
        let (mut rest, mut files) = (said.stdout.as_slice(), Vec::with_capacity(names.len()));
        for _ in names {
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(unknown_answer)?;
            let head = String::from_utf8_lossy(&rest[..end]);
            if head.ends_with(" missing") {
                files.push(None);
                rest = &rest[end + 1..];
                continue;
            }
            let size = head.rsplit_once(' ').and_then(|(_, size)| size.parse::<usize>().ok());
            let size = size.ok_or_else(unknown_answer)?;
            let bytes = rest.get(end + 1..end + 1 + size).ok_or_else(unknown_answer)?;
            files.push(Some(bytes.to_vec()));
            rest = rest.get(end + size + 2..).ok_or_else(unknown_answer)?;
        }
        Ok(files)
    }

    /// The commits of the main line that changed a folder, the newest first, each with one file of that folder as it was
    /// then: the first of `names` that was there.
    pub(crate) fn states(&self, commit: &str, folder: &str, names: &[&str]) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let most = format!("--max-count={MAX_STATES}");
        let arguments = ["log", "--format=%H", "--first-parent", &most, commit, "--", folder];
        let said = checked("read", self.here(&arguments, b"")?)?;
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let commits: Vec<&str> = text.lines().collect();
        let paths = commits.iter().flat_map(|commit| names.iter().map(move |name| format!("{commit}:{folder}/{name}")));
        let files = self.objects(&paths.collect::<Vec<_>>())?;
        let mut states = Vec::new();
        for (commit, files) in commits.iter().zip(files.chunks(names.len().max(1))) {
            states.extend(files.iter().flatten().next().map(|bytes| ((*commit).to_owned(), bytes.clone())));
        }
        Ok(states)
    }

    /// The bytes of one file at a commit, if it is not larger than this.
    pub(crate) fn file(&self, commit: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, Error> {
        let blobs: Vec<Blob> =
            self.list(commit, path)?.into_iter().filter(|blob| blob.path == path && blob.is_file).collect();
        if blobs.iter().any(|blob| blob.bytes > most) {
            return Err(Error::Unreadable(
                path.to_owned(),
                crate::files::Error::Io(io::ErrorKind::FileTooLarge.into()),
            ));
        }
        Ok(self.read(&blobs)?.pop())
    }

    /// When the files of each folder `souls/OWNER/NAME` were last changed, in seconds since 1970.
    pub(crate) fn changed_at(&self, commit: &str) -> Result<BTreeMap<String, i64>, Error> {
        let arguments = [
            "log",
            "--format=%x01%ct",
            "--name-only",
            "-z",
            "--no-renames",
            "-m",
            "--first-parent",
            commit,
            "--",
            "souls/",
        ];
        let said = checked("read", self.here(&arguments, b"")?)?;
        let text = String::from_utf8_lossy(&said.stdout);
        let mut found = BTreeMap::new();
        for commit in text.split('\u{1}').skip(1) {
            let (time, paths) = commit.split_once(['\0', '\n']).unwrap_or((commit, ""));
            let time: i64 = time.trim().parse().unwrap_or_default();
            for path in paths.split(['\0', '\n']).filter(|path| !path.is_empty()) {
                let folder: Vec<&str> = path.splitn(4, '/').collect();
                if let [souls, owner, name, _] = folder[..] {
                    found.entry(format!("{souls}/{owner}/{name}")).or_insert(time);
                }
            }
        }
        Ok(found)
    }

    /// The id of the content of a commit, which does not depend on its author and time.
    pub(crate) fn tree(&self, commit: &str) -> Result<Option<String>, Error> {
        let said = self.here(&["rev-parse", "--verify", "--quiet", &format!("{commit}^{{tree}}")], b"")?;
        Ok(said.success.then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned()))
    }
}

/// A path that does not depend on where git is started.
fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(folder).map_err(|error| Error::Io("the repository".to_owned(), error))
}

fn unknown_answer() -> Error {
    Error::NotARegistry("the repository".to_owned(), "git gave a file in an unknown way".to_owned())
}

fn checked(what: &'static str, said: Said) -> Result<Said, Error> {
    if said.success {
        return Ok(said);
    }
    let why = said.complaint();
    Err(Error::NotARegistry("the repository".to_owned(), format!("could not {what} it: {why}")))
}
