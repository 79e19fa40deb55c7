//! The copy of a soul that is edited. It stays until its text is in place, so that no edit is ever lost.

use std::path::{Path, PathBuf};

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
}

impl Copy {
    /// The copy of this agent's soul; an unfinished one may be there.
    pub(super) fn of(global: &Global, agent: &AgentName) -> Result<Self, Failure> {
        let roots = global.roots();
        let home = roots.home.clone().ok_or_else(|| Failure::usage("there is no home").hint("set `SOUL_HOME`"))?;
        let folder = home.join(FOLDER);
        create_private(&home).and_then(|()| create_private(&folder)).map_err(|error| unusable(&folder, &error))?;
        // The ending tells the editor what it is.
        let path = folder.join(format!("{agent}.md"));
        let base = folder.join(format!(".{agent}.base"));
        let shown = path.to_string_lossy().into_owned();
        Ok(Self { path, base, shown })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What an edit began with that was not finished: `None` if there is no such edit, an inner `None` if it began
    /// with no soul.
    pub(super) fn unfinished(&self) -> Option<Option<String>> {
        let base = std::fs::read_to_string(&self.base).ok();
        let copy = std::fs::read_to_string(&self.path).ok()?;
        (Some(&copy) != base.as_ref()).then_some(base)
    }

    /// Begins with this text, made from that of the soul.
    pub(super) fn begin(&self, text: &str, base: Option<&str>) -> Result<(), Failure> {
        match base {
            Some(base) => files::replace(&self.base, base.as_bytes()),
            None => std::fs::remove_file(&self.base).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            }),
        }
        .and_then(|()| files::replace(&self.path, text.as_bytes()))
        .map_err(|error| unusable(&self.path, &error))
    }

    pub(super) fn read(&self) -> Result<String, Failure> {
        let bytes = std::fs::read(&self.path).map_err(|error| unusable(&self.path, &error))?;
        String::from_utf8(bytes).map_err(|_| {
            Failure::usage(format!("the saved text is not UTF-8; it is in `{}`", self.shown)).hint("save it as UTF-8")
        })
    }

    /// The text is in place, or is what is there anyway.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
        let _ = std::fs::remove_file(&self.base);
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::io(&format!("`{}`", path.display()), error)
}

#[cfg(unix)]
fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}
