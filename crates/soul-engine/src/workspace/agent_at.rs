//! From a path to the agent that it belongs to, so that a soul is judged as its agent's wherever it is pointed at.

use std::path::{Path, PathBuf};

use super::discovery::{Folder, Root};
use super::{Agent, Roots};
use crate::files::{self, Directory};
use crate::settings::{Discovery, Layout};

impl Roots {
    /// The agent whose directory a path is, or lies in.
    pub(crate) fn agent_at(&self, discovery: &Discovery, path: &Path) -> Option<Agent> {
        // Of a path to something that is not there yet, the part that is there counts.
        let absolute = std::path::absolute(path).ok()?;
        let place = absolute.ancestors().find_map(|path| path.canonicalize().ok())?;
        for folder in self.folders(discovery) {
            let Ok(root) = folder.path().canonicalize() else { continue };
            let Ok(below) = place.strip_prefix(&root) else { continue };
            let Some(name) = below.components().next().and_then(|part| folder.agent_name(part.as_os_str().to_str()?))
            else {
                continue;
            };
            let agents = self.agents_named(discovery, &name).filter_map(Result::ok);
            let mut at = agents.filter(|agent| agent.path.canonicalize().is_ok_and(|path| place.starts_with(path)));
            if let Some(agent) = at.next() {
                return Some(agent);
            }
        }
        self.agent_by_layout(discovery, &place)
    }

    /// The agent that a path lies in by the names of its folders, wherever that is: of a workspace that is not ours, or
    /// of a system whose layout is not searched.
    fn agent_by_layout(&self, discovery: &Discovery, place: &Path) -> Option<Agent> {
        for directory in place.ancestors() {
            let Some(agents) = directory.parent() else { break };
            for layout in [Layout::Soul, Layout::Agh, Layout::Agentos, Layout::Openclaw] {
                let below = layout.below();
                let folders = below.iter().fold(PathBuf::new(), |path, part| path.join(part));
                if !agents.ends_with(&folders) {
                    continue;
                }
                let base = agents.ancestors().nth(below.len())?.to_path_buf();
                let is_users = self.user.as_ref().is_some_and(|user| files::is_same(user, &base));
                let root = if is_users { Root::Home(self.home_scope()) } else { Root::Workspace(base.clone()) };
                let folder = Folder { root, base, below, layout };
                let name = directory.file_name().and_then(|name| folder.agent_name(name.to_str()?))?;
                let agents = Directory::open(agents).ok()?;
                return Some(Agent {
                    name,
                    path: directory.to_path_buf(),
                    directory: agents.agent(directory.file_name()?).ok()?,
                    folder: agents,
                    layout,
                    read_only: discovery.read_only.contains(&layout),
                    root: folder.root,
                });
            }
        }
        None
    }
}
