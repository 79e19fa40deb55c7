//! Memory sync: an agent's `MEMORY.md` and the files below `memory/`, with a branch of its own. Local changes are replayed
//! on top of the remote's, as a rebase does; where both sides changed the same line the last writer wins, and the text that
//! lost is kept and named.

mod integrate;
mod merge;
mod push;
mod remote;
mod result;
mod state;
mod status;

use std::collections::BTreeMap;
use std::fs::File;

use soul_core::digest::RawDigest;

use super::Error;
use super::objects::Oid;
use super::remote::{Branch, RemoteUrl};
use super::repository::Repository;
use super::state::Home;
use crate::Keeper;
use crate::authoring::Subject;
use crate::caller::Author;
use crate::context::Context;
use crate::files;
use crate::memory::history::name_of;
use crate::memory::{self, MemoryOf};
use crate::souls;
use crate::store::{EventKind, NewEvent};
use crate::workspace::{Agent, Memory, SoulKey};
use remote::{Remote, remote};
use state::State;
use status::{behind, changed, local};

pub use result::{LostText, MemorySyncResult, MemorySyncState};
pub(crate) use status::status;
pub(super) use status::{auto_home, connected, pending};

/// What `memory.sync` of a manifest says.
fn manifest_defaults(agent: &Agent) -> Defaults {
    let manifest = agent.directory.read("soul.json").unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    let said = &manifest["memory"]["sync"];
    let text = |key: &str| said[key].as_str().map(str::to_owned);
    Defaults { enabled: said["enabled"].as_bool(), remote: text("remote"), branch: text("branch") }
}

/// `memory.sync` of a manifest.
struct Defaults {
    /// Whether the service syncs the memory by itself, once it is connected.
    enabled: Option<bool>,
    remote: Option<String>,
    branch: Option<String>,
}

/// A sync of one memory under way.
pub(crate) struct MemorySync {
    keeper: Keeper,
    agent: Agent,
    key: SoulKey,
    memory: Memory,
    home: Home,
    author: Author,
    _lock: File,
}

/// The agent whose memory is synced.
fn agent_of(keeper: &Keeper, memory: &MemoryOf) -> Result<Agent, Error> {
    match memory {
        MemoryOf::Agent(name) => Ok(keeper.agent(name)?),
        MemoryOf::Directory(path) => {
            let opened = memory.open(keeper)?;
            memory::owner(keeper, &opened).ok_or_else(|| memory::Error::NotAnAgent(keeper.roots.shown(path)).into())
        }
    }
}

fn home_of(keeper: &Keeper, key: &SoulKey) -> Result<Home, Error> {
    Home::memory(keeper, &name_of(key))
}

impl MemorySync {
    pub(crate) fn begin(context: &Context<'_>, memory: &MemoryOf, operation: &str) -> Result<Self, Error> {
        let keeper = context.keeper;
        let agent = agent_of(keeper, memory)?;
        agent.check_writable()?;
        let memory = memory.open(keeper)?;
        let key = agent.key().map_err(souls::Error::WorkspaceId)?;
        let home = home_of(keeper, &key)?;
        let lock = home.lock()?;
        Ok(Self {
            keeper: keeper.with_settings_of_files(),
            agent,
            key,
            memory,
            home,
            author: context.author(operation),
            _lock: lock,
        })
    }

    /// Connects the memory with a remote. No file changes.
    pub(crate) fn init(&self, remote: Option<RemoteUrl>, branch: Option<Branch>) -> Result<MemorySyncResult, Error> {
        let Defaults { remote: named, branch: its_branch, .. } = manifest_defaults(&self.agent);
        let remote = match (remote, named) {
            (Some(remote), _) => remote,
            (None, Some(named)) => named.parse()?,
            (None, None) => return Err(Error::NoRemote(self.agent.name.to_string())),
        };
        let branch = match (branch, its_branch) {
            (Some(branch), _) => branch,
            (None, Some(named)) => named.parse()?,
            (None, None) => Branch::default(),
        };
        let before: Option<State> = self.home.load().unwrap_or(None);
        let is_same = before.as_ref().is_some_and(|before| before.repository == remote && before.branch == branch);
        if !is_same {
            Repository::open(&self.home.clone_path())?.remove();
        }
        let repository = Repository::open(&self.home.clone_path())?;
        let tip = repository.fetch(&remote, &branch)?;
        let state = match before.filter(|_| is_same && tip.is_some()) {
            Some(before) => before,
            None => State::new(&self.key, remote, branch),
        };
        self.home.save(&state)?;
        self.event(EventKind::MemoryInit);
        let mut result = self.result(&state);
        result.message = match tip {
            Some(_) => format!("connected the memory of {}", self.agent.name),
            None => format!("connected the memory of {}; there is no branch `{}` yet", self.agent.name, state.branch),
        };
        let files = self.remote(&repository, tip)?;
        self.count(&repository, &state, &files, &mut result)?;
        Ok(result)
    }

    fn state(&self) -> Result<State, Error> {
        match self.home.load()? {
            Some(state) => Ok(state),
            None => Err(Error::NoRemote(self.agent.name.to_string())),
        }
    }

    fn result(&self, state: &State) -> MemorySyncResult {
        MemorySyncResult {
            agent: self.agent.name.to_string(),
            message: String::new(),
            remote: state.repository.to_string(),
            branch: state.branch.to_string(),
            pulled: Vec::new(),
            pushed: Vec::new(),
            removed: Vec::new(),
            lost: Vec::new(),
            refused: Vec::new(),
            commit: None,
            ahead: 0,
            behind: 0,
        }
    }

    fn end(
        &self,
        mut state: State,
        kind: EventKind,
        done: Result<MemorySyncResult, Error>,
    ) -> Result<MemorySyncResult, Error> {
        match &done {
            Ok(result) => {
                state.last_sync_at = Some(self.keeper.now());
                self.home.save(&state)?;
                if !(result.pulled.is_empty() && result.pushed.is_empty() && result.removed.is_empty()) {
                    self.event(kind);
                }
            }
            Err(_) => {
                let _ = self.home.save(&state);
                self.event(EventKind::MemoryFail);
            }
        }
        done
    }

    fn event(&self, kind: EventKind) {
        if let Ok(store) = self.keeper.store() {
            let event = NewEvent::for_soul(kind, &self.key, &self.author.actor, &self.author.origin);
            let _ = store.append_event(&event, self.keeper.now());
        }
    }

    fn unreadable(&self, file: &str, error: files::Error) -> Error {
        memory::Error::Refused(file.to_owned(), error.into()).into()
    }

    /// The digests of the files that are synced: everything but live state.
    fn local(&self) -> Result<BTreeMap<String, RawDigest>, Error> {
        local(&self.keeper, &self.memory)
    }

    fn fetch(&self, repository: &Repository, state: &State) -> Result<Remote, Error> {
        let tip = repository.fetch(&state.repository, &state.branch)?;
        if tip.is_none() && state.commit.is_some() {
            return Err(Error::BranchGone(state.branch.to_string()));
        }
        self.remote(repository, tip)
    }

    fn remote(&self, repository: &Repository, tip: Option<Oid>) -> Result<Remote, Error> {
        remote(repository, tip, self.memory.layout())
    }

    /// Counts what each side does not have yet.
    fn count(
        &self,
        repository: &Repository,
        state: &State,
        remote: &Remote,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let changed = changed(state, &self.local()?);
        result.ahead = usize::from(!changed.is_empty());
        result.behind = behind(repository, state, remote)?;
        if result.commit.is_none() {
            result.commit = remote.tip.as_ref().map(ToString::to_string);
        }
        Ok(())
    }
}
