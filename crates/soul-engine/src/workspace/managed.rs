//! Folders whose souls change only through managed authoring.

use std::path::{Component, Path, PathBuf};

use super::{Roots, WORKSPACE_FOLDER};
use crate::Keeper;
use crate::settings::Layout;

/// Who keeps the souls at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Managed {
    /// The agent of this name.
    Agent(String),
    /// The library.
    Library,
}

impl Keeper {
    /// Whose soul a file at this path would be, whatever links lead there. The folder of an agent that does not exist
    /// yet counts too.
    #[must_use]
    pub fn managed(&self, path: &Path) -> Option<Managed> {
        let path = resolved(path);
        if self.library_path().is_ok_and(|library| path.starts_with(resolved(&library))) {
            return Some(Managed::Library);
        }
        let mut folders = self.roots.agent_folders(&self.settings.discovery);
        let nearest = Roots::workspace_above(&path, self.roots.home.as_deref());
        let ours = nearest.into_iter().map(|root| root.join(WORKSPACE_FOLDER).join("agents"));
        let home = self.roots.home.iter().map(|home| home.join("agents"));
        folders.extend(ours.chain(home).map(|folder| (folder, Layout::Soul)));
        folders
            .into_iter()
            .find_map(|(folder, layout)| {
                let below = path.strip_prefix(resolved(&folder)).ok()?;
                let name = below.components().next()?.as_os_str().to_string_lossy().into_owned();
                match layout {
                    Layout::Openclaw if name == "workspace" => Some("main".to_owned()),
                    Layout::Openclaw => name.strip_prefix("workspace-").map(str::to_owned),
                    Layout::Soul | Layout::Agh | Layout::Agentos => Some(name),
                }
            })
            .map(Managed::Agent)
    }
}

/// A path without links and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut resolved = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(resolved.pop()),
            part => {
                resolved.push(part);
                resolved = resolved.canonicalize().unwrap_or(resolved);
            }
        }
    }
    resolved
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_way_leads_around_authoring() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["home/agents/a/memory", "home/souls", "team/.soul/agents/b", "me/.openclaw/workspace", "out"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        symlink(at("home/agents/a"), at("link")).unwrap();
        let roots = Roots { workspace: None, home: Some(at("home")), user: Some(at("me")) };
        let mut settings = Settings::load(&roots).unwrap();
        settings.discovery.layouts.push(Layout::Openclaw);
        let keeper = Keeper::new(roots, settings);
        let managed = |path: &str| keeper.managed(&at(path));
        let agent = |name: &str| Some(Managed::Agent(name.to_owned()));
        assert_eq!(managed("home/agents/a/SOUL.md"), agent("a"));
        assert_eq!(managed("home/agents/a/memory/x/SOUL.md"), agent("a"));
        assert_eq!(managed("home/agents/new/SOUL.md"), agent("new"));
        assert_eq!(managed("link/SOUL.md"), agent("a"));
        assert_eq!(managed("out/../home/agents/a/SOUL.md"), agent("a"));
        assert_eq!(managed("team/.soul/agents/b/SOUL.md"), agent("b"));
        assert_eq!(managed("me/.openclaw/workspace/SOUL.md"), agent("main"));
        assert_eq!(managed("me/.openclaw/cache/SOUL.md"), None);
        assert_eq!(managed("home/souls/x.md"), Some(Managed::Library));
        assert_eq!(managed("out/SOUL.md"), None);
        assert_eq!(managed("team/SOUL.md"), None);
    }
}
