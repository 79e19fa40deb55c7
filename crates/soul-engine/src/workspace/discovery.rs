//! Where an agent lives: the workspace, then each additional root, then the home; first wins.

use std::io;
use std::path::{Path, PathBuf};

use soul_core::formats::agentos::looks_like_json;
use soul_core::model::Dialect;

use super::id::{ID_FILE, home_scope, name_workspace, workspace_id};
use super::{AgentName, Kind, Roots, SoulKey, WORKSPACE_FOLDER};
use crate::files::{self, Creation, Directory, PERSONA_FILE};
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
    /// The folder that it was found in.
    pub(crate) folder: Directory,
    /// Whose layout it is found in.
    pub layout: Layout,
    /// Whether `[discovery] read_only` forbids to change it.
    pub read_only: bool,
    pub(super) root: Root,
}

/// What an agent was found below.
#[derive(Debug, Clone)]
pub(super) enum Root {
    /// With its scope.
    Home(String),
    Workspace(PathBuf),
}

impl Root {
    /// Whether the records of this scope belong here.
    fn is_scope(&self, scope: &str) -> bool {
        match self {
            Self::Home(own) => scope == own,
            Self::Workspace(root) => workspace_id(root).is_ok_and(|id| id.as_deref() == Some(scope)),
        }
    }
}

/// A folder of agents: below what, through which folders, whose layout.
pub(super) struct Folder {
    pub(super) root: Root,
    pub(super) base: PathBuf,
    pub(super) below: &'static [&'static str],
    pub(super) layout: Layout,
}

impl Folder {
    /// The directory of an agent, from the folder. In openclaw's state the agents are folders
    /// beside the main one's.
    fn directory(&self, name: &AgentName) -> PathBuf {
        match self.layout {
            Layout::Openclaw if name.as_str() == "main" => "workspace".into(),
            Layout::Openclaw => format!("workspace-{}", name.as_str()).into(),
            Layout::Soul | Layout::Agh | Layout::Agentos => name.as_str().into(),
        }
    }

    /// The agent that a directory of the folder belongs to.
    pub(super) fn agent_name(&self, directory: &str) -> Option<AgentName> {
        match self.layout {
            Layout::Openclaw if directory == "workspace" => "main".parse().ok(),
            Layout::Openclaw => directory.strip_prefix("workspace-")?.parse().ok(),
            Layout::Soul | Layout::Agh | Layout::Agentos => directory.parse().ok(),
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.below.iter().fold(self.base.clone(), |path, part| path.join(part))
    }

    /// Opens it. A workspace may come from anybody, so no folder in it may be a link to elsewhere; the
    /// user's own directories are laid out as the user likes.
    fn open(&self) -> Result<Directory, files::Error> {
        match self.root {
            Root::Workspace(_) => {
                let base = Directory::open(&self.base)?;
                self.below.iter().try_fold(base, |directory, part| directory.agent(part))
            }
            Root::Home(_) => Directory::open(&self.path()),
        }
    }
}

impl Roots {
    pub(super) fn folders(&self, discovery: &Discovery) -> Vec<Folder> {
        let has = |layout| discovery.layouts.contains(&layout);
        let mut folders = Vec::new();
        for workspace in self.workspace.iter().chain(&discovery.roots) {
            for layout in [Layout::Soul, Layout::Agh].into_iter().filter(|layout| has(*layout)) {
                let (root, base) = (Root::Workspace(workspace.clone()), workspace.clone());
                folders.push(Folder { root, base, below: layout.below(), layout });
            }
        }
        if let Some(home) = self.home.as_ref().filter(|_| has(Layout::Soul)) {
            folders.push(Folder {
                root: Root::Home(self.home_scope()),
                base: home.clone(),
                below: &["agents"],
                layout: Layout::Soul,
            });
        }
        let homes = [Layout::Agh, Layout::Agentos, Layout::Openclaw];
        if let Some(user) = &self.user {
            for layout in homes.into_iter().filter(|layout| has(*layout)) {
                folders.push(Folder {
                    root: Root::Home(self.home_scope()),
                    base: user.clone(),
                    below: layout.below(),
                    layout,
                });
            }
        }
        folders
    }

    /// Every folder of agents, whether it exists or not.
    pub(super) fn agent_folders(&self, discovery: &Discovery) -> Vec<(PathBuf, Layout)> {
        self.folders(discovery).iter().map(|folder| (folder.path(), folder.layout)).collect()
    }

    /// The directory of an agent.
    ///
    /// # Errors
    /// When it is there and may not be opened.
    pub fn find_agent(&self, discovery: &Discovery, name: &AgentName) -> Result<Option<Agent>, files::Error> {
        self.agents_named(discovery, name).next().transpose()
    }

    /// Every directory of that name, the one that wins first.
    pub(crate) fn agents_named(
        &self,
        discovery: &Discovery,
        name: &AgentName,
    ) -> impl Iterator<Item = Result<Agent, files::Error>> {
        self.folders(discovery).into_iter().filter_map(move |folder| {
            let below = folder.directory(name);
            let opened = folder.open().and_then(|agents| agents.agent(&below).map(|directory| (agents, directory)));
            match opened {
                Ok((agents, directory)) => Some(Ok(Agent {
                    name: name.clone(),
                    path: folder.path().join(below),
                    directory,
                    folder: agents,
                    layout: folder.layout,
                    read_only: discovery.read_only.contains(&folder.layout),
                    root: folder.root,
                })),
                Err(files::Error::NotFound) => None,
                Err(error) => Some(Err(error)),
            }
        })
    }

    /// Where a directory of that name may be, the one that wins first.
    pub(crate) fn agent_paths(&self, discovery: &Discovery, name: &AgentName) -> Vec<PathBuf> {
        self.folders(discovery).iter().map(|folder| folder.path().join(folder.directory(name))).collect()
    }

    /// The directory of an agent whose record is in this scope; if it is gone, where it would be.
    pub(crate) fn agent_path_in(&self, discovery: &Discovery, scope: &str, name: &AgentName) -> Option<PathBuf> {
        let folders = self.folders(discovery).into_iter().filter(|folder| folder.root.is_scope(scope));
        let paths: Vec<_> = folders.map(|folder| folder.path().join(folder.directory(name))).collect();
        paths.iter().find(|path| path.is_dir()).or(paths.first()).cloned()
    }

    /// The names of all agents, in order, each once.
    ///
    /// # Errors
    /// When a folder of agents is there and cannot be listed: which one, and why.
    pub fn agent_names(&self, discovery: &Discovery) -> Result<Vec<AgentName>, (PathBuf, files::Error)> {
        let mut names = Vec::new();
        for folder in self.folders(discovery) {
            let listed = match folder.open().and_then(|directory| directory.folders()) {
                Ok(listed) => listed,
                Err(files::Error::NotFound) => continue,
                Err(error) => return Err((folder.path(), error)),
            };
            names.extend(listed.into_iter().filter_map(|name| folder.agent_name(&name)));
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Makes the directory of a new agent: where its record is if it has one, else in the workspace if there is one, else
    /// in the home.
    ///
    /// The creation is held until the agent has a soul.
    pub(crate) fn create_agent(
        &self,
        discovery: &Discovery,
        name: &AgentName,
        scope: Option<&str>,
    ) -> io::Result<(Agent, Creation)> {
        let none = || io::Error::new(io::ErrorKind::NotFound, "there is no place for agents");
        let refused = |error: files::Error| io::Error::other(error.to_string());
        let folders = self.folders(discovery).into_iter();
        let folder =
            folders.filter(|folder| folder.layout == Layout::Soul).find(|folder| match (&folder.root, scope) {
                (Root::Workspace(root), None) => Some(root) == self.workspace.as_ref(),
                (Root::Home(_), None) => true,
                (root, Some(scope)) => root.is_scope(scope),
            });
        let folder = folder.ok_or_else(none)?;
        let mut directory = Directory::open(&folder.base).map_err(refused)?;
        for part in folder.below {
            directory.create(part)?;
            directory = directory.agent(part).map_err(refused)?;
        }
        let creation = Creation::begin(directory.dir(), name.as_str().as_ref())?;
        directory.create(name.as_str())?;
        let directory = directory.agent(name.as_str()).map_err(refused)?;
        let agents = folder.open().map_err(refused)?;
        let path = folder.path().join(name.as_str());
        let (layout, read_only) = (folder.layout, discovery.read_only.contains(&folder.layout));
        let agent = Agent { name: name.clone(), path, directory, folder: agents, layout, read_only, root: folder.root };
        Ok((agent, creation))
    }

    /// The scopes in which an agent can have a past, the nearest first.
    pub(crate) fn scopes(&self, discovery: &Discovery) -> Vec<String> {
        let workspaces = self.workspace.iter().chain(&discovery.roots);
        workspaces.filter_map(|root| workspace_id(root).ok().flatten()).chain([self.home_scope()]).collect()
    }

    /// The scope of what is recorded of the home.
    pub(crate) fn home_scope(&self) -> String {
        home_scope(self.home.as_deref())
    }

    /// The id of the workspace, if it has a readable one.
    pub(crate) fn workspace_scope(&self) -> Option<String> {
        self.workspace.as_deref().and_then(|root| workspace_id(root).ok().flatten())
    }

    /// Whether the workspace's id, if it has one, is one.
    ///
    /// # Errors
    /// When it is there and cannot be read, or is none.
    pub fn check_workspace(&self) -> io::Result<()> {
        self.workspace.as_deref().map_or(Ok(()), |root| workspace_id(root).map(drop))
    }
}

impl Agent {
    /// The file that holds its soul: SOUL.md, or else a persona.
    pub(crate) fn soul_file(&self) -> String {
        let own = self.directory.soul_file();
        if !self.has(&own) && self.has(PERSONA_FILE) { PERSONA_FILE.to_owned() } else { own }
    }

    fn has(&self, name: &str) -> bool {
        self.directory.dir().symlink_metadata(name).is_ok()
    }

    /// The file that a new text of its soul is written to. Where there is no SOUL.md, a persona as JSON stays in its
    /// own file; Markdown becomes SOUL.md, which counts from then on.
    pub(crate) fn file_for(&self, bytes: &[u8], dialect: Option<Dialect>) -> String {
        let own = self.directory.soul_file();
        let is_json = || std::str::from_utf8(bytes).is_ok_and(looks_like_json);
        let is_persona = dialect == Some(Dialect::Agentos) || (dialect.is_none() && self.has(PERSONA_FILE));
        if !self.has(&own) && is_persona && is_json() { PERSONA_FILE.to_owned() } else { own }
    }

    /// What names its record. A workspace that nothing was recorded of has no id yet.
    ///
    /// # Errors
    /// When the workspace's id cannot be read.
    pub fn known_key(&self) -> io::Result<Option<SoulKey>> {
        let scope = match &self.root {
            Root::Home(scope) => Some(scope.clone()),
            Root::Workspace(root) => workspace_id(root)?,
        };
        Ok(scope.map(|scope| self.keyed(scope)))
    }

    /// The colour of its soul's sigil. A workspace that has no id yet gets one with its first record.
    pub(crate) fn hue(&self) -> u8 {
        self.known_key().ok().flatten().unwrap_or_else(|| self.keyed("workspace".to_owned())).hue()
    }

    /// The file that holds the scope of its key, for a watcher; the home has none.
    pub(crate) fn id_file(&self) -> Option<PathBuf> {
        match &self.root {
            Root::Home(_) => None,
            Root::Workspace(root) => Some(root.join(WORKSPACE_FOLDER).join(ID_FILE)),
        }
    }

    /// What names its soul; a workspace that has no id yet is given one, unless nothing may be written for the agent.
    ///
    /// # Errors
    /// When the workspace's id can be neither read nor written.
    pub fn key(&self) -> io::Result<SoulKey> {
        match (self.known_key()?, &self.root) {
            (Some(key), _) => Ok(key),
            (None, Root::Workspace(root)) if !self.read_only => Ok(self.keyed(name_workspace(root)?)),
            (None, _) => Ok(self.keyed(SoulKey::HOME.to_owned())),
        }
    }

    /// The workspace that it belongs to, if its record is that of a workspace.
    pub(crate) fn workspace(&self) -> Option<&Path> {
        match &self.root {
            Root::Workspace(root) => Some(root),
            Root::Home(_) => None,
        }
    }

    fn keyed(&self, scope: String) -> SoulKey {
        SoulKey { scope, kind: Kind::Agent, name: self.name.as_str().to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
            agent.map(|agent| (agent.path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), !agent.read_only))
        };
        assert_eq!(find(&discovery, "a"), Some(("team/.soul/agents/a".into(), true)));
        assert_eq!(find(&discovery, "c"), Some(("more/.soul/agents/c".into(), true)));
        assert_eq!(find(&discovery, "d"), Some(("home/agents/d".into(), true)));
        assert_eq!(find(&discovery, "b"), None);
        discovery.layouts = vec![Layout::Soul, Layout::Agh, Layout::Agentos, Layout::Openclaw];
        discovery.read_only = vec![Layout::Agentos];
        assert_eq!(find(&discovery, "b"), Some(("team/.agh/agents/b".into(), true)));
        assert_eq!(find(&discovery, "e"), Some(("me/.agh/agents/e".into(), true)));
        assert_eq!(find(&discovery, "f"), Some(("me/.agentos/agents/f".into(), false)));
        assert_eq!(find(&discovery, "main"), Some(("me/.openclaw/workspace".into(), true)));
        assert_eq!(find(&discovery, "g"), Some(("me/.openclaw/workspace-g".into(), true)));
        let at = |path: &str| roots.agent_at(&discovery, &root.join(path)).map(|agent| agent.name.to_string());
        assert_eq!(at("me/.openclaw/workspace/SOUL.md").as_deref(), Some("main"));
        assert_eq!(at("me/.agentos/agents/f").as_deref(), Some("f"));
        assert_eq!(at("home/agents/d/memory/2026-01-01.md").as_deref(), Some("d"));
        assert_eq!(at("more/.soul/agents/a/SOUL.md").as_deref(), Some("a"));
        assert_eq!(at("home/agents"), None);
        folders(root, &["else/.agh/agents/h", "else/.soul/agents/i/memory"]);
        assert_eq!(at("else/.agh/agents/h/SOUL.md").as_deref(), Some("h"));
        assert_eq!(at("else/.soul/agents/i/memory").as_deref(), Some("i"));
        assert_eq!(at("else/.soul/agents"), None);
        assert_eq!(at("team/README.md"), None);
        let names: Vec<_> = roots.agent_names(&discovery).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "main"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_workspace_does_not_reach_out() {
        let root = tempfile::tempdir().unwrap();
        folders(root.path(), &["victim/.soul/agents/a", "evil/.soul"]);
        std::os::unix::fs::symlink("../../victim/.soul/agents", root.path().join("evil/.soul/agents")).unwrap();
        let roots = Roots { workspace: Some(root.path().join("evil")), home: None, user: None };
        let name = "a".parse().unwrap();
        assert!(matches!(roots.find_agent(&Discovery::default(), &name), Err(files::Error::Link)));
        assert!(roots.create_agent(&Discovery::default(), &"b".parse().unwrap(), None).is_err());
        assert!(!root.path().join("victim/.soul/agents/b").exists());
    }
}
