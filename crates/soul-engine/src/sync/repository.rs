//! The bare clone in the home's `cache/`. Nothing of a remote is ever checked out: trees are listed, blobs are read, and
//! commits are written by plumbing, so that no link, filter, attribute, hook or submodule of it can do anything. It can be
//! deleted at any time; the next call fetches it again.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Error;
use super::complaints::{failure, is_name_clash, is_race};
use super::git::{REMOTE, Reach, Said, run};
use super::objects::{CommitInfo, Entry, Oid, TreeChange, batch_entry, commit_info, data, entry, quoted};
use super::remote::{Branch, RemoteUrl};
use crate::clock::Time;
use crate::files;

/// The branch of the remote, as it was fetched last.
const FETCHED: &str = "refs/soul/remote";

/// The commit that is to be published.
const PREPARED: &str = "refs/soul/prepared";

/// The largest text that is read.
pub(super) const MAX_BLOB: u64 = 1 << 20;

/// What a push into a repository on this machine runs: a hook of that repository would run as this user.
pub(crate) const QUIET_RECEIVE: &str =
    "--receive-pack=git -c core.hooksPath=/dev/null -c core.alternateRefsCommand= -c receive.autogc=false receive-pack";

/// How a repository names its objects.
#[derive(Clone, Copy)]
enum ObjectFormat {
    Sha1,
    Sha256,
}

/// How a push ended.
pub(super) enum Pushed {
    /// The remote has it.
    Done,
    /// Someone else was first.
    Rejected,
}

pub(super) struct Repository {
    path: PathBuf,
    /// Whether others may work in it now.
    is_shared: bool,
}

impl Repository {
    /// The clone as it is, to read from while others may work in it.
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf(), is_shared: true }
    }

    /// Opens the clone; one that is not there or broken is made anew. Nobody else may work in it meanwhile.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let repository = Self { path: path.to_path_buf(), is_shared: false };
        if path.join("HEAD").is_file() {
            repository.remove_leftovers();
            if repository.is_usable()? {
                return Ok(repository);
            }
        }
        repository.make(ObjectFormat::Sha1)?;
        Ok(repository)
    }

    /// Makes the clone anew, for a remote with such names of objects.
    fn make(&self, format: ObjectFormat) -> Result<(), Error> {
        self.remove();
        let failed = |error| Error::Io("cache".to_owned(), error);
        files::create_private(&self.path).map_err(failed)?;
        let format = match format {
            ObjectFormat::Sha1 => "--object-format=sha1",
            ObjectFormat::Sha256 => "--object-format=sha256",
        };
        let said = run(Some(&self.path), &["init", "--quiet", "--bare", "--template=", format], b"", Reach::Here)?;
        if said.success { Ok(()) } else { Err(Error::Damaged(said.complaint())) }
    }

    /// Makes the clone anew if the remote names objects in the other way. False if that is not what it complains about.
    fn adapt(&self, said: &Said) -> Result<bool, Error> {
        let signs = ["mismatched algorithms", "does not support this repository's hash algorithm"];
        if !signs.iter().any(|sign| said.stderr.contains(sign)) {
            return Ok(false);
        }
        let format = self.here(&["rev-parse", "--show-object-format"], b"")?;
        self.make(if format.starts_with(b"sha256") { ObjectFormat::Sha1 } else { ObjectFormat::Sha256 })?;
        Ok(true)
    }

    fn is_usable(&self) -> Result<bool, Error> {
        let refs = run(Some(&self.path), &["for-each-ref", "--format=%(objectname)", FETCHED], b"", Reach::Here)?;
        if !refs.success {
            return Ok(false);
        }
        let tip = String::from_utf8_lossy(&refs.stdout).trim().to_owned();
        if tip.is_empty() {
            return Ok(true);
        }
        let tree = format!("{tip}^{{tree}}");
        Ok(run(Some(&self.path), &["cat-file", "-e", &tree], b"", Reach::Here)?.success)
    }

    /// Removes what a git that was killed has left: nobody else works in the clone.
    fn remove_leftovers(&self) {
        let is_leftover =
            |name: &str| name.ends_with(".lock") || name.starts_with("tmp_") || name.starts_with("fast_import_crash");
        for folder in ["", "refs/soul", "objects/pack"] {
            for entry in fs::read_dir(self.path.join(folder)).into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(is_leftover) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Removes the clone; the next call makes it again.
    pub(super) fn remove(&self) {
        if !self.is_shared {
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    fn here(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Error> {
        let said = run(Some(&self.path), arguments, input, Reach::Here)?;
        match said.success {
            true => Ok(said.stdout),
            false => {
                let complaint = said.complaint();
                // It is only a copy: what is wrong with it is gone with it.
                self.remove();
                Err(Error::Damaged(complaint))
            }
        }
    }

    /// Fetches the branch. None if the remote has no such branch.
    pub(super) fn fetch(&self, remote: &RemoteUrl, branch: &Branch) -> Result<Option<Oid>, Error> {
        let refspec = format!("+refs/heads/{branch}:{FETCHED}");
        let arguments = [
            "fetch",
            "--quiet",
            "--update-shallow",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--no-recurse-submodules",
            REMOTE,
            &refspec,
        ];
        let mut said = run(Some(&self.path), &arguments, b"", Reach::Remote(remote))?;
        if !said.success && self.adapt(&said)? {
            said = run(Some(&self.path), &arguments, b"", Reach::Remote(remote))?;
        }
        if said.success {
            return self.fetched();
        }
        if said.stderr.contains("couldn't find remote ref") {
            self.here(&["update-ref", "-d", FETCHED], b"")?;
            return Ok(None);
        }
        Err(failure(&said, "fetch", remote))
    }

    /// The branch as it was fetched last.
    pub(super) fn fetched(&self) -> Result<Option<Oid>, Error> {
        let said = self.here(&["for-each-ref", "--format=%(objectname)", FETCHED], b"")?;
        match String::from_utf8_lossy(&said).trim() {
            "" => Ok(None),
            tip => Oid::parse(tip).map(Some),
        }
    }

    /// Everything in a commit, whatever it is called.
    pub(super) fn tree(&self, commit: &Oid) -> Result<Vec<Entry>, Error> {
        let listed = self.here(&["ls-tree", "-r", "-z", "-l", "--full-tree", commit.as_str()], b"")?;
        listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()).map(entry).collect()
    }

    /// The bytes of blobs.
    pub(super) fn blobs(&self, names: &[Oid]) -> Result<HashMap<Oid, Vec<u8>>, Error> {
        const AT_ONCE: usize = 256;
        let mut found = HashMap::with_capacity(names.len());
        for names in names.chunks(AT_ONCE) {
            let input: String = names.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
            let said = self.here(&["cat-file", "--batch"], input.as_bytes())?;
            let mut rest = said.as_slice();
            for name in names {
                let (blob, after) = batch_entry(rest).ok_or_else(|| {
                    self.remove();
                    Error::Damaged(format!("the object {name} is missing"))
                })?;
                found.insert(name.clone(), blob.to_vec());
                rest = after;
            }
        }
        Ok(found)
    }

    /// Whether the clone has an object.
    pub(super) fn has(&self, object: &Oid) -> Result<bool, Error> {
        Ok(run(Some(&self.path), &["cat-file", "-e", object.as_str()], b"", Reach::Here)?.success)
    }

    /// The last commit that changed a path, or the commit itself if none did.
    pub(super) fn about(&self, commit: &Oid, path: Option<&str>) -> Result<CommitInfo, Error> {
        let mut arguments =
            vec!["log", "-1", "--no-show-signature", "--format=%H%x00%an%x00%ct%x00%B", commit.as_str()];
        arguments.push("--");
        let literal = path.map(|path| format!(":(literal,top){path}"));
        arguments.extend(literal.as_deref());
        let said = self.here(&arguments, b"")?;
        if said.is_empty() && path.is_some() {
            return self.about(commit, None);
        }
        let text = String::from_utf8_lossy(&said);
        commit_info(&text, '\0').ok_or_else(|| Error::Damaged("git described a commit in an unknown way".to_owned()))
    }

    /// For each path, the last commit that changed it, among those since a commit. What is further back than a few
    /// thousand commits is not looked for.
    pub(super) fn authors(&self, since: Option<&Oid>, tip: &Oid) -> Result<HashMap<String, CommitInfo>, Error> {
        let range = since.map_or_else(|| tip.to_string(), |since| format!("{since}..{tip}"));
        let format = "--format=%x01%H%x02%an%x02%ct%x02%B%x03";
        let arguments =
            ["log", "-z", "-n", "4000", "-m", "--first-parent", "--name-only", "--no-renames", format, &range];
        let said = self.here(&[&arguments[..], &["--"]].concat(), b"")?;
        let text = String::from_utf8_lossy(&said);
        let mut found = HashMap::new();
        for commit in text.split('\u{1}').filter(|commit| !commit.is_empty()) {
            let Some((head, names)) = commit.split_once('\u{3}') else { continue };
            let Some(info) = commit_info(head, '\u{2}') else { continue };
            for name in names.split('\0').map(|name| name.trim_start_matches('\n')).filter(|name| !name.is_empty()) {
                found.entry(name.to_owned()).or_insert_with(|| info.clone());
            }
        }
        Ok(found)
    }

    /// Whether one commit comes before another.
    pub(super) fn is_before(&self, earlier: &Oid, later: &Oid) -> Result<bool, Error> {
        let arguments = ["merge-base", "--is-ancestor", earlier.as_str(), later.as_str()];
        Ok(run(Some(&self.path), &arguments, b"", Reach::Here)?.success)
    }

    /// How many commits there are up to one, since another.
    pub(super) fn count(&self, since: Option<&Oid>, to: &Oid) -> Result<usize, Error> {
        let not = since.map(|since| format!("^{since}"));
        let mut arguments = vec!["rev-list", "--count", to.as_str()];
        arguments.extend(not.as_deref());
        let said = self.here(&arguments, b"")?;
        Ok(String::from_utf8_lossy(&said).trim().parse().unwrap_or_default())
    }

    /// Files of one commit that are in another under another name, with the same or nearly the same content.
    pub(super) fn renames(&self, from: &Oid, to: &Oid) -> Result<Vec<(String, String)>, Error> {
        let arguments = ["diff-tree", "-r", "-z", "-M60%", "--diff-filter=R", "--no-ext-diff", "--no-textconv"];
        let said = self.here(&[&arguments[..], &[from.as_str(), to.as_str()]].concat(), b"")?;
        let text = String::from_utf8_lossy(&said);
        let mut parts = text.split('\0');
        let mut renames = Vec::new();
        while let (Some(status), Some(from), Some(to)) = (parts.next(), parts.next(), parts.next()) {
            if status.contains(" R") {
                renames.push((from.to_owned(), to.to_owned()));
            }
        }
        Ok(renames)
    }

    /// Writes a commit that changes the tree of its parent.
    pub(super) fn commit(
        &self,
        parent: Option<&Oid>,
        changes: &[TreeChange],
        message: &str,
        now: Time,
    ) -> Result<Oid, Error> {
        if parent.is_none() {
            self.here(&["update-ref", "-d", PREPARED], b"")?;
        }
        let mut stream = format!("commit {PREPARED}\ncommitter {} {} +0000\n", identity()?, now.seconds()).into_bytes();
        data(&mut stream, message.as_bytes());
        if let Some(parent) = parent {
            stream.extend(format!("from {parent}\n").bytes());
        }
        for change in changes {
            match change {
                TreeChange::Put(path, bytes) => {
                    stream.extend(format!("M 100644 inline {}\n", quoted(path)).bytes());
                    data(&mut stream, bytes);
                }
                TreeChange::Remove(path) => stream.extend(format!("D {}\n", quoted(path)).bytes()),
            }
        }
        stream.extend_from_slice(b"\ndone\n");
        self.here(&["fast-import", "--quiet", "--force", "--done"], &stream)?;
        let said = self.here(&["for-each-ref", "--format=%(objectname)", PREPARED], b"")?;
        Oid::parse(String::from_utf8_lossy(&said).trim())
    }

    /// Publishes a commit, if the branch of the remote still is what was fetched.
    pub(super) fn push(
        &self,
        remote: &RemoteUrl,
        branch: &Branch,
        commit: &Oid,
        expected: Option<&Oid>,
    ) -> Result<Pushed, Error> {
        let lease = format!("--force-with-lease=refs/heads/{branch}:{}", expected.map_or("", Oid::as_str));
        let refspec = format!("{commit}:refs/heads/{branch}");
        let mut arguments = vec!["push", "--porcelain", "--no-verify", "--no-signed", &lease];
        if remote.is_local() {
            arguments.push(QUIET_RECEIVE);
        }
        arguments.extend([REMOTE, &refspec]);
        let said = run(Some(&self.path), &arguments, b"", Reach::Remote(remote))?;
        let report = String::from_utf8_lossy(&said.stdout);
        let line = report.lines().find(|line| line.contains(&refspec));
        match line.map(|line| (line.chars().next(), line)) {
            Some((Some(' ' | '*' | '+' | '='), _)) if said.success => {
                self.here(&["update-ref", FETCHED, commit.as_str()], b"")?;
                Ok(Pushed::Done)
            }
            Some(_) if is_name_clash(&said.stderr) => Err(Error::BranchClash(branch.to_string())),
            Some((_, line)) if line.contains("currently checked out") => {
                Err(Error::CheckedOut(remote.to_string(), branch.to_string()))
            }
            Some((_, line)) if is_race(line) => Ok(Pushed::Rejected),
            Some((_, line)) => {
                let why = line.rsplit('\t').next().unwrap_or(line);
                Err(Error::Refused(remote.to_string(), soul_core::text::visible(why)))
            }
            // What was to be pushed is in the clone that was; the next try makes it again.
            None if is_race(&said.stderr) || self.adapt(&said)? => Ok(Pushed::Rejected),
            None => Err(failure(&said, "push", remote)),
        }
    }
}

/// Asks a remote whether it has a branch; nothing is fetched.
pub(super) fn reach(remote: &RemoteUrl, branch: &Branch) -> Result<bool, Error> {
    let name = format!("refs/heads/{branch}");
    let said = run(None, &["ls-remote", "--quiet", REMOTE, &name], b"", Reach::Remote(remote))?;
    match said.success {
        true => Ok(!said.stdout.is_empty()),
        false => Err(failure(&said, "reach", remote)),
    }
}

/// Who commits: as git knows the user, or we ourselves.
pub(super) fn identity() -> Result<String, Error> {
    let said = run(None, &["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"], b"", Reach::User)?;
    let known = String::from_utf8_lossy(&said.stdout);
    let known = known.rfind('>').map(|end| known[..=end].to_owned()).filter(|_| said.success);
    Ok(known.filter(|known| !known.starts_with('<')).unwrap_or_else(|| "Soulkeeper <soul@localhost>".to_owned()))
}
