//! Where an agent lives: the workspace, then each additional root, then the home; first wins.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{AgentName, Kind, Roots, SoulKey, WORKSPACE_FOLDER};
use crate::files::{self, Directory};
use crate::ids::WorkspaceId;
use crate::settings::{Discovery, Layout};

/// An agent's directory, open.
#[derive(Debug)]
pub struct Agent {
    /// Its name.
    pub name: AgentName,
    /// The path of its directory.
    pub path: PathBuf,
    /// The directory, from the folder it was found in: no link leads out of that.
    pub directory: Directory,
    /// Whether it is laid out our way. The agents of others are read in place and never written.
    pub ours: bool,
    root: Root,
}

/// What an agent was found below.
#[derive(Debug, Clone)]
enum Root {
    Home,
    Workspace(PathBuf),
}

/// A folder of agents.
struct Folder {
    path: PathBuf,
    root: Root,
    layout: Layout,
}

impl Folder {
    /// The directory of an agent, from the folder. In openclaw's state the agents are folders
    /// beside the main one's.
    fn directory(&self, name: &AgentName) -> PathBuf {
        match self.layout {
            Layout::Openclaw if name.as_str() == "main" => "workspace".into(),
            Layout::Openclaw => format!("workspace-{name}").into(),
            Layout::Soul | Layout::Agh | Layout::Agentos => name.as_str().into(),
        }
    }
}

impl Roots {
    fn folders(&self, discovery: &Discovery) -> Vec<Folder> {
        let mut folders = Vec::new();
        let mut add = |path: PathBuf, root: &Root, layout: Layout| {
            folders.push(Folder { path, root: root.clone(), layout });
        };
        let has = |layout| discovery.layouts.contains(&layout);
        for workspace in self.workspace.iter().chain(&discovery.roots) {
            let root = Root::Workspace(workspace.clone());
            for (layout, folder) in [(Layout::Soul, WORKSPACE_FOLDER), (Layout::Agh, ".agh")] {
                if has(layout) {
                    add(workspace.join(folder).join("agents"), &root, layout);
                }
            }
        }
        if let Some(home) = self.home.as_ref().filter(|_| has(Layout::Soul)) {
            add(home.join("agents"), &Root::Home, Layout::Soul);
        }
        if let Some(user) = &self.user {
            for (layout, folder) in
                [(Layout::Agh, ".agh/agents"), (Layout::Agentos, ".agentos/agents"), (Layout::Openclaw, ".openclaw")]
            {
                if has(layout) {
                    add(user.join(folder), &Root::Home, layout);
                }
            }
        }
        folders
    }

    /// The directory of an agent.
    ///
    /// # Errors
    /// When it is there and may not be opened.
    pub fn find_agent(&self, discovery: &Discovery, name: &AgentName) -> Result<Option<Agent>, files::Error> {
        for folder in self.folders(discovery) {
            let below = folder.directory(name);
            match Directory::open(&folder.path).and_then(|agents| agents.agent(&below)) {
                Ok(directory) => {
                    let path = folder.path.join(below);
                    let ours = folder.layout == Layout::Soul;
                    return Ok(Some(Agent { name: name.clone(), path, directory, ours, root: folder.root }));
                }
                Err(files::Error::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The names of all agents, in order, each once.
    #[must_use]
    pub fn agent_names(&self, discovery: &Discovery) -> Vec<AgentName> {
        let mut names = Vec::new();
        for folder in self.folders(discovery) {
            let entries = fs::read_dir(&folder.path).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            names.extend(folders.filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                match folder.layout {
                    Layout::Openclaw if name == "workspace" => "main".parse().ok(),
                    Layout::Openclaw => name.strip_prefix("workspace-")?.parse().ok(),
                    Layout::Soul | Layout::Agh | Layout::Agentos => name.parse().ok(),
                }
            }));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Makes the directory of a new agent: in the workspace if there is one, else in the home.
    ///
    /// # Errors
    /// When it cannot be made, or there is neither.
    pub fn create_agent(&self, name: &AgentName) -> io::Result<Agent> {
        let (path, root) = match (&self.workspace, &self.home) {
            (Some(workspace), _) => {
                (workspace.join(WORKSPACE_FOLDER).join("agents"), Root::Workspace(workspace.clone()))
            }
            (None, Some(home)) => (home.join("agents"), Root::Home),
            (None, None) => return Err(io::Error::new(io::ErrorKind::NotFound, "there is no home")),
        };
        fs::create_dir_all(path.join(name.as_str()))?;
        fs::File::open(&path)?.sync_all()?;
        let refused = |error: files::Error| io::Error::other(error.to_string());
        let directory = Directory::open(&path).and_then(|agents| agents.agent(name.as_str())).map_err(refused)?;
        Ok(Agent { name: name.clone(), path: path.join(name.as_str()), directory, ours: true, root })
    }

    /// The scopes in which an agent can have a past, the nearest first.
    pub(crate) fn scopes(&self, discovery: &Discovery) -> Vec<String> {
        let workspaces = self.workspace.iter().chain(&discovery.roots);
        workspaces.filter_map(|root| workspace_id(root).ok().flatten()).chain([SoulKey::HOME.to_owned()]).collect()
    }
}

impl Agent {
    /// What names its soul, if its workspace has been named.
    ///
    /// # Errors
    /// When the workspace's id cannot be read.
    pub fn known_key(&self) -> io::Result<Option<SoulKey>> {
        let scope = match &self.root {
            Root::Home => Some(SoulKey::HOME.to_owned()),
            Root::Workspace(root) => workspace_id(root)?,
        };
        Ok(scope.map(|scope| SoulKey { scope, kind: Kind::Agent, name: self.name.to_string() }))
    }

    /// What names its soul; a workspace that has no id yet is given one.
    ///
    /// # Errors
    /// When the workspace's id can be neither read nor written.
    pub fn key(&self) -> io::Result<SoulKey> {
        match (self.known_key()?, &self.root) {
            (Some(key), _) => Ok(key),
            (None, Root::Workspace(root)) => {
                Ok(SoulKey { scope: name_workspace(root)?, kind: Kind::Agent, name: self.name.to_string() })
            }
            (None, Root::Home) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

fn id_file(root: &Path) -> PathBuf {
    root.join(WORKSPACE_FOLDER).join("id")
}

fn workspace_id(root: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(id_file(root)) {
        Ok(text) => {
            let id = text.trim();
            let is_ours = id.len() == 29
                && id.strip_prefix("ws_").is_some_and(|ulid| ulid.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            let wrong = || io::Error::new(io::ErrorKind::InvalidData, "`.soul/id` does not hold the id of a workspace");
            if is_ours { Ok(Some(id.to_owned())) } else { Err(wrong()) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Gives a workspace its id. Of many who try at once, the first one's stays.
fn name_workspace(root: &Path) -> io::Result<String> {
    let id = WorkspaceId::fresh();
    let folder = root.join(WORKSPACE_FOLDER);
    fs::create_dir_all(&folder)?;
    let staged = folder.join(format!(".{id}"));
    let mut file = fs::File::create_new(&staged)?;
    let written = writeln!(file, "{id}").and_then(|()| file.sync_all());
    // A second name can be given only where there is none.
    let named = written.and_then(|()| match fs::hard_link(&staged, id_file(root)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        named => named,
    });
    fs::remove_file(&staged)?;
    named?;
    fs::File::open(&folder)?.sync_all()?;
    workspace_id(root)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(root: &Path, folders: &[&str]) {
        folders.iter().for_each(|folder| fs::create_dir_all(root.join(folder)).unwrap());
    }

    #[test]
    fn first_wins() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        folders(root, &["team/.soul/agents/a", "team/.agh/agents/b", "more/.soul/agents/a", "more/.soul/agents/c"]);
        folders(
            root,
            &["home/agents/a", "home/agents/d", "me/.agh/agents/b", "me/.agh/agents/e", "me/.agentos/agents/f"],
        );
        folders(root, &["me/.openclaw/workspace", "me/.openclaw/workspace-g"]);
        let roots =
            Roots { workspace: Some(root.join("team")), home: Some(root.join("home")), user: Some(root.join("me")) };
        let mut discovery = Discovery { roots: vec![root.join("more")], ..Discovery::default() };
        let find = |discovery: &Discovery, name: &str| {
            let agent = roots.find_agent(discovery, &name.parse().unwrap()).unwrap();
            agent.map(|agent| (agent.path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), agent.ours))
        };
        assert_eq!(find(&discovery, "a"), Some(("team/.soul/agents/a".into(), true)));
        assert_eq!(find(&discovery, "c"), Some(("more/.soul/agents/c".into(), true)));
        assert_eq!(find(&discovery, "d"), Some(("home/agents/d".into(), true)));
        assert_eq!(find(&discovery, "b"), None);
        discovery.layouts = vec![Layout::Soul, Layout::Agh, Layout::Agentos, Layout::Openclaw];
        assert_eq!(find(&discovery, "b"), Some(("team/.agh/agents/b".into(), false)));
        assert_eq!(find(&discovery, "e"), Some(("me/.agh/agents/e".into(), false)));
        assert_eq!(find(&discovery, "f"), Some(("me/.agentos/agents/f".into(), false)));
        assert_eq!(find(&discovery, "main"), Some(("me/.openclaw/workspace".into(), false)));
        assert_eq!(find(&discovery, "g"), Some(("me/.openclaw/workspace-g".into(), false)));
        let names: Vec<_> = roots.agent_names(&discovery).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "main"]);
    }

    #[test]
    fn a_workspace_keeps_the_id_it_was_given_first() {
        let root = tempfile::tempdir().unwrap();
        folders(root.path(), &[".soul/agents/a"]);
        let roots = Roots { workspace: Some(root.path().into()), home: None, user: None };
        let agent = || roots.find_agent(&Discovery::default(), &"a".parse().unwrap()).unwrap().unwrap();
        assert_eq!(agent().known_key().unwrap(), None);
        let ids: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| agent().key().unwrap().scope)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(ids[0].starts_with("ws_") && ids.iter().all(|id| *id == ids[0]));
        assert_eq!(fs::read_dir(root.path().join(".soul")).unwrap().count(), 2);
        fs::write(root.path().join(".soul/id"), "nonsense").unwrap();
        assert!(agent().key().is_err());
    }
}
