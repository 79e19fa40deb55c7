//! Repositories of registries: their files at a commit, and new commits, without a checkout. No file of a repository
//! reaches the disk through git, so no link, filter or hook of it counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use soul_core::digest::RawDigest;

use super::Error;
use crate::files;
use crate::sync::git::{Reach, Said, run};
use crate::sync::{self, RemoteUrl};

/// The most files that are read from a commit, and the largest of them.
const MAX_LISTED: usize = 500_000;

/// A repository on this machine.
pub(crate) struct Repository {
    git_dir: PathBuf,
    remote: Option<RemoteUrl>,
}

/// A file at a commit.
pub(crate) struct Blob {
    pub(crate) path: String,
    pub(crate) oid: String,
    /// Whether it is a regular file, and not a link or a submodule.
    pub(crate) is_file: bool,
}

impl Repository {
    /// The repository that a folder is the root of, bare or not; `None` if it is none.
    pub(crate) fn open(folder: &Path) -> Result<Option<Self>, Error> {
        let git_dir = if folder.join(".git").exists() {
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
        Ok(Some(Self { git_dir, remote: None }))
    }

    /// Makes a repository, with a work tree around it.
    pub(crate) fn init(folder: &Path) -> Result<Self, Error> {
        let text = folder.to_string_lossy();
        let said =
            run(None, &["init", "--quiet", "--initial-branch=main", "--template=", "--", &text], b"", Reach::Here)?;
        checked("create", said)?;
        Self::open(folder)?.ok_or_else(|| Error::NotARegistry(text.into_owned(), "git made no repository".to_owned()))
    }

    /// The clone of a remote in a folder of the cache, brought up to date if asked for, or if there is none yet.
    pub(crate) fn cached(cache: &Path, remote: &RemoteUrl, refresh: bool) -> Result<Self, Error> {
        let name: String = RawDigest::of(remote.secret().as_bytes()).as_bytes()[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let folder = cache.join(name);
        let io = |error| Error::Io("the cache".to_owned(), error);
        let is_new = !folder.join("HEAD").is_file();
        if is_new {
            files::create_private(&folder).map_err(io)?;
            let text = folder.to_string_lossy();
            checked(
                "create",
                run(
                    None,
                    &["init", "--quiet", "--bare", "--initial-branch=main", "--template=", "--", &text],
                    b"",
                    Reach::Here,
                )?,
            )?;
        }
        let repository = Self { git_dir: folder.canonicalize().map_err(io)?, remote: Some(remote.clone()) };
        if refresh || is_new || repository.commit(FETCHED)?.is_none() {
            repository.fetch(remote)?;
        }
        Ok(repository)
    }

    /// Brings what the remote's default branch is.
    fn fetch(&self, remote: &RemoteUrl) -> Result<(), Error> {
        let reach = Reach::Remote(remote);
        let arguments = ["fetch", "--quiet", "--no-tags", "--force", "origin", &format!("+HEAD:{FETCHED}")];
        let said = run(Some(&self.git_dir), &arguments, b"", reach)?;
        if said.success {
            return Ok(());
        }
        let why = said.complaint();
        Err(sync::Error::Network { what: "fetch", remote: remote.to_string(), why }.into())
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
        let said = checked("read", self.here(&["ls-tree", "-r", "-z", "--full-tree", commit, "--", below], b"")?)?;
        let odd = || Error::NotARegistry("the repository".to_owned(), "git listed a tree in an unknown way".to_owned());
        let mut blobs = Vec::new();
        for line in said.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let line = String::from_utf8_lossy(line);
            let (head, path) = line.split_once('\t').ok_or_else(odd)?;
            let mut parts = head.split(' ');
            let (Some(mode), Some(_), Some(oid)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(odd());
            };
            let is_file = matches!(mode, "100644" | "100755" | "100664");
            blobs.push(Blob { path: path.to_owned(), oid: oid.to_owned(), is_file });
            if blobs.len() > MAX_LISTED {
                return Err(Error::TooManyFiles);
            }
        }
        Ok(blobs)
    }

    /// The bytes of files, in their order.
    pub(crate) fn read(&self, blobs: &[Blob]) -> Result<Vec<Vec<u8>>, Error> {
        if blobs.is_empty() {
            return Ok(Vec::new());
        }
        let names: String = blobs.iter().map(|blob| format!("{}\n", blob.oid)).collect();
        let said = checked("read", self.here(&["cat-file", "--batch"], names.as_bytes())?)?;
        let odd = || Error::NotARegistry("the repository".to_owned(), "git gave a file in an unknown way".to_owned());
        let (mut rest, mut files) = (said.stdout.as_slice(), Vec::with_capacity(blobs.len()));
        for _ in blobs {
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(odd)?;
            let head = std::str::from_utf8(&rest[..end]).map_err(|_| odd())?;
            let size: usize = head.rsplit_once(' ').and_then(|(_, size)| size.parse().ok()).ok_or_else(odd)?;
            let bytes = rest.get(end + 1..end + 1 + size).ok_or_else(odd)?;
            files.push(bytes.to_vec());
            rest = rest.get(end + size + 2..).ok_or_else(odd)?;
        }
        Ok(files)
    }

    /// The bytes of one file at a commit.
    pub(crate) fn file(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let blobs: Vec<Blob> =
            self.list(commit, path)?.into_iter().filter(|blob| blob.path == path && blob.is_file).collect();
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

    /// Commits files on a branch: those below `folder` are replaced by these. Nothing is checked out.
    pub(crate) fn commit_files(&self, change: &Commit<'_>) -> Result<String, Error> {
        let Commit { branch, from, message, author, time, folder, files } = change;
        let name = author.replace(['<', '>', '\n', '\0'], " ");
        let email: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).collect();
        let mut stream = format!(
            "feature done\ncommit refs/heads/{branch}\ncommitter {} <{email}@localhost> {time} +0000\n",
            name.trim()
        );
        stream.push_str(&format!("data {}\n{message}\n", message.len()));
        if let Some(from) = from {
            stream.push_str(&format!("from {from}\n"));
        }
        if !folder.is_empty() {
            stream.push_str(&format!("D {folder}\n"));
        }
        let mut stream = stream.into_bytes();
        for (path, bytes) in files {
            // Quoted, because a path may have blanks; what else would need an escape is in no path of a package.
            stream.extend(format!("M 100644 inline \"{path}\"\ndata {}\n", bytes.len()).as_bytes());
            stream.extend(*bytes);
            stream.push(b'\n');
        }
        stream.extend(b"done\n");
        checked("commit to", self.here(&["fast-import", "--quiet", "--done"], &stream)?)?;
        let made = self.commit(&format!("refs/heads/{branch}"))?;
        made.ok_or_else(|| Error::NotARegistry("the repository".to_owned(), "git made no commit".to_owned()))
    }

    /// Puts the files of a commit beside the repository, for a new one that nobody works in yet.
    pub(crate) fn check_out(&self, folder: &Path) -> Result<(), Error> {
        let folder = folder.canonicalize().map_err(|error| Error::Io("the repository".to_owned(), error))?;
        let text = folder.to_string_lossy();
        let arguments = ["-C", &text, "--work-tree", &text, "read-tree", "--reset", "-u", "HEAD"];
        checked("write", self.here(&arguments, b"")?).map(drop)
    }

    /// Makes a branch at a commit, if there is none.
    pub(crate) fn set_branch(&self, branch: &str, commit: &str) -> Result<(), Error> {
        checked("change", self.here(&["update-ref", &format!("refs/heads/{branch}"), commit, ""], b"")?).map(drop)
    }

    /// Deletes a branch.
    pub(crate) fn delete_branch(&self, branch: &str) -> Result<(), Error> {
        checked("change", self.here(&["update-ref", "-d", &format!("refs/heads/{branch}")], b"")?).map(drop)
    }

    /// What tells the content of a commit, whoever made it when.
    pub(crate) fn tree(&self, commit: &str) -> Result<Option<String>, Error> {
        let said = self.here(&["rev-parse", "--verify", "--quiet", &format!("{commit}^{{tree}}")], b"")?;
        Ok(said.success.then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned()))
    }

    /// Pushes a branch to the remote. It never replaces one that is there.
    pub(crate) fn push(&self, branch: &str) -> Result<(), Error> {
        let Some(remote) = &self.remote else { return Ok(()) };
        let name = format!("refs/heads/{branch}:refs/heads/{branch}");
        let said = run(Some(&self.git_dir), &["push", "--quiet", "origin", &name], b"", Reach::Remote(remote))?;
        if said.success {
            return Ok(());
        }
        Err(sync::Error::Refused(remote.to_string(), said.complaint()).into())
    }

    /// The branch as the remote has it.
    pub(crate) fn remote_branch(&self, branch: &str) -> Result<Option<String>, Error> {
        let Some(remote) = &self.remote else { return self.commit(&format!("refs/heads/{branch}")) };
        let name = format!("refs/heads/{branch}");
        let local = format!("+{name}:refs/fetched/{branch}");
        let arguments = ["fetch", "--quiet", "--no-tags", "origin", &local];
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

/// What is committed.
pub(crate) struct Commit<'a> {
    pub(crate) branch: &'a str,
    pub(crate) from: Option<&'a str>,
    pub(crate) message: &'a str,
    pub(crate) author: &'a str,
    /// Seconds since 1970.
    pub(crate) time: i64,
    /// What is replaced; nothing if it is empty.
    pub(crate) folder: &'a str,
    pub(crate) files: Vec<(String, &'a [u8])>,
}

/// Where the default branch of a remote is kept.
const FETCHED: &str = "refs/fetched/head";

fn checked(what: &'static str, said: Said) -> Result<Said, Error> {
    if said.success {
        return Ok(said);
    }
    let why = said.complaint();
    Err(Error::NotARegistry("the repository".to_owned(), format!("could not {what} it: {why}")))
}
