//! Where agents and souls live, and what they are called.

mod agent_at;
mod discovery;
pub(crate) mod id;
mod key;
mod location;
mod managed;
mod memory;
mod name;
mod soul_id;

use std::path::{Component, Path, PathBuf};

pub use discovery::Agent;
pub use key::{Kind, SoulKey};
pub use location::Location;
pub(crate) use location::Presence;
pub use managed::Managed;
pub use memory::{Layout, Memory};
pub use name::{AgentName, BadName};
pub use soul_id::{BadSoulId, SoulId};

use soul_core::text::visible;

use crate::files;

/// The folder of a workspace that is ours.
pub(crate) const WORKSPACE_FOLDER: &str = ".soul";

/// Where things live: the workspace first, then the home.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    /// The workspace, if there is one.
    pub workspace: Option<PathBuf>,
    /// `SOUL_HOME`.
    pub home: Option<PathBuf>,
    /// The user's own directory, in which other systems have their homes.
    pub user: Option<PathBuf>,
}

impl Roots {
    /// The nearest folder at or above `start` that has a `.soul` folder which is not the home.
    #[must_use]
    pub fn workspace_above(start: &Path, home: Option<&Path>) -> Option<PathBuf> {
        let is_workspace = |folder: &&Path| {
            let ours = folder.join(WORKSPACE_FOLDER);
            ours.is_dir() && !home.is_some_and(|home| files::is_same(home, &ours))
        };
        start.ancestors().find(is_workspace).map(Path::to_path_buf)
    }

    /// A path as users see it: relative to the workspace or the home, else as typed if that was
    /// relative, else its last two parts. An absolute path never leaves, nor anything that a
    /// terminal would obey.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let mut roots = [&self.workspace, &self.home].into_iter().flatten().peekable();
        let absolute = roots.peek().is_some().then(|| std::path::absolute(path).ok()).flatten();
        let clean = clean(absolute.as_deref().unwrap_or(path));
        let below = roots.find_map(|root| clean.strip_prefix(root).ok());
        let parts: Vec<_> = match below {
            Some(below) => below.components().collect(),
            None if path.is_relative() => path.components().filter(|part| *part != Component::CurDir).collect(),
            None => {
                let parts: Vec<_> = clean.components().filter(|part| matches!(part, Component::Normal(_))).collect();
                parts[parts.len().saturating_sub(2)..].to_vec()
            }
        };
        let parts: Vec<_> = parts.iter().map(|part| visible(&part.as_os_str().to_string_lossy())).collect();
        if parts.is_empty() { ".".into() } else { parts.join("/") }
    }
}

/// A path that the user typed, or one below it, as it can be opened from the working directory.
#[must_use]
pub fn openable(path: &Path) -> String {
    let here = || std::env::current_dir().ok();
    let below = path.is_absolute().then(here).flatten().and_then(|here| path.strip_prefix(here).ok());
    let shown: PathBuf = below.unwrap_or(path).components().filter(|part| !matches!(part, Component::CurDir)).collect();
    if shown.as_os_str().is_empty() { ".".to_owned() } else { visible(&shown.to_string_lossy()) }
}

/// A path without `.` and with each `..` taken back, as far as the text of it goes.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_never_shown() {
        let roots = Roots { workspace: Some("/teams/ours".into()), home: Some("/home/me/.soul".into()), user: None };
        let shown = |path: &str| roots.shown(Path::new(path));
        assert_eq!(shown("/teams/ours/.soul/agents/a/SOUL.md"), ".soul/agents/a/SOUL.md");
        assert_eq!(shown("/home/me/.soul/agents/a/SOUL.md"), "agents/a/SOUL.md");
        assert_eq!(shown("/srv/secret/agents/a/SOUL.md"), "a/SOUL.md");
        assert_eq!(shown("./x/SOUL.md"), "x/SOUL.md");
        assert_eq!(shown("../SOUL.md"), "../SOUL.md");
        assert_eq!(shown("/teams/ours/a/../b/SOUL.md"), "b/SOUL.md");
        assert_eq!(shown("/srv/x\n\u{1b}[2J/SOUL.md"), "x\\n\\u{1b}[2J/SOUL.md");
        assert_eq!(shown("/SOUL.md"), "SOUL.md");
        assert_eq!(shown("/"), ".");
    }

    #[test]
    fn a_typed_path_can_be_opened_from_here() {
        let here = std::env::current_dir().unwrap();
        let shown = |path: &str| openable(Path::new(path));
        assert_eq!(openable(&here.join("a/SOUL.md")), "a/SOUL.md");
        assert_eq!(shown("/srv/agents/a/SOUL.md"), "/srv/agents/a/SOUL.md");
        assert_eq!([shown("./a/./SOUL.md"), shown("../a"), shown(".")], ["a/SOUL.md", "../a", "."]);
        assert_eq!(shown("x\n\u{1b}[2J/SOUL.md"), "x\\n\\u{1b}[2J/SOUL.md");
    }
}
