//! The copy of a soul that is edited. It stays until its text is in place, so that no edit is ever lost.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use soul_core::digest::RawDigest;
use soul_engine::fault::Kind;
use soul_engine::files;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::Failure;

/// The folder of the home that copies are in.
const FOLDER: &str = "edits";

/// The copy, and beside it the text that it was made from, without which an unfinished edit could not be merged.
pub(super) struct Copy {
    path: PathBuf,
    base: PathBuf,
    /// The path as the user sees it.
    pub(super) shown: String,
    /// One copy, one editor.
    lock: (PathBuf, File),
}

impl Copy {
    /// The copy of this agent's soul; an unfinished one may be there. Agents of the same name in another workspace, or of
    /// another service, have copies of their own.
    pub(super) fn of(global: &Global, agent: &AgentName) -> Result<Self, Failure> {
        let roots = global.roots();
        let home = roots.home.clone().ok_or_else(|| Failure::usage("there is no home").hint("set `SOUL_HOME`"))?;
        let folder = home.join(FOLDER);
        create_private(&home).and_then(|()| create_private(&folder)).map_err(|error| unusable(&folder, &error))?;
        let whose = match (global.service(false)?, &roots.workspace) {
            (Some(server), _) => Some(server),
            (None, Some(workspace)) => Some(workspace.to_string_lossy().into_owned()),
            (None, None) => None,
        };
        let mark = whose.map(|whose| RawDigest::of(whose.as_bytes()).to_string());
        let mark =
            mark.and_then(|digest| Some(format!("-{}", digest.rsplit(':').next()?.get(..8)?))).unwrap_or_default();
        // The ending tells the editor what it is.
        let path = folder.join(format!("{agent}{mark}.md"));
        let base = folder.join(format!(".{agent}{mark}.base"));
        let lock = folder.join(format!(".{agent}{mark}.lock"));
        let shown = path.to_string_lossy().into_owned();
        let file = File::create(&lock).map_err(|error| unusable(&lock, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, base, shown, lock: (lock, file) }),
            Err(TryLockError::WouldBlock) => {
                let message = format!("`{agent}` is being edited already");
                let failure = Failure::new(Kind::Conflict, "edit_open", message);
                Err(failure.hint(format!("close the other editor; its text is in `{shown}`")))
            }
            Err(TryLockError::Error(error)) => Err(unusable(&lock, &error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds a text that is not the one it was made from.
    pub(super) fn is_changed(&self) -> bool {
        fs::read(&self.path).is_ok_and(|copy| fs::read(&self.base).map_or(true, |base| base != copy))
    }

    /// The text that an unfinished edit was made from; `None` if there was no soul.
    pub(super) fn base(&self) -> Option<String> {
        fs::read_to_string(&self.base).ok()
    }

    /// Makes room for another edit, and keeps the text of this one. Returns where.
    pub(super) fn set_aside(&self) -> Result<String, Failure> {
        let free = |number: &usize| !self.path.with_extension(format!("{number}.md")).exists();
        let number = (1..).find(free).unwrap_or_default();
        let aside = self.path.with_extension(format!("{number}.md"));
        fs::rename(&self.path, &aside).map_err(|error| unusable(&self.path, &error))?;
        Ok(aside.to_string_lossy().into_owned())
    }

    /// Begins with this text, made from that of the soul.
    pub(super) fn begin(&self, text: &str, base: Option<&str>) -> Result<(), Failure> {
        match base {
            Some(base) => files::replace(&self.base, base.as_bytes()),
            None => fs::remove_file(&self.base).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            }),
        }
        .and_then(|()| files::replace(&self.path, text.as_bytes()))
        .map_err(|error| unusable(&self.path, &error))
    }

    pub(super) fn read(&self) -> Result<String, Failure> {
        let bytes = fs::read(&self.path).map_err(|error| unusable(&self.path, &error))?;
        String::from_utf8(bytes).map_err(|_| Failure::new(Kind::Invalid, "invalid_utf8", "the saved text is not UTF-8"))
    }

    /// The text is in place, or is what is there anyway.
    pub(super) fn remove(&self) {
        for path in [&self.path, &self.base, &self.lock.0] {
            let _ = fs::remove_file(path);
        }
    }
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::io(&format!("`{}`", path.display()), error)
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}
