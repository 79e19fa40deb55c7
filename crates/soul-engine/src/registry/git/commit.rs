//! New commits, without a checkout.

use std::path::Path;

use super::{Repository, checked};
use crate::registry::Error;
use crate::sync::git::{Reach, run};

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

impl Repository {
    /// Commits files on a branch: those below `folder` are replaced by these. Nothing is checked out.
    pub(crate) fn commit_files(&self, change: &Commit<'_>) -> Result<String, Error> {
        let Commit { branch, from, message, author, time, folder, files } = change;
        let committer = identity(author)?;
        let mut stream = format!("feature done\ncommit refs/heads/{branch}\ncommitter {committer} {time} +0000\n");
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
}

/// Who commits: as git knows the user, or else the caller.
fn identity(author: &str) -> Result<String, Error> {
    let said = run(None, &["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"], b"", Reach::User)?;
    let known = String::from_utf8_lossy(&said.stdout);
    let known = known.rfind('>').map(|end| known[..=end].to_owned()).filter(|_| said.success);
    Ok(known.filter(|known| !known.starts_with('<')).unwrap_or_else(|| {
        let name = author.replace(['<', '>', '\n', '\0'], " ");
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        format!("{} <{}@localhost>", name.trim(), name.chars().filter(is_plain).collect::<String>())
    }))
}
