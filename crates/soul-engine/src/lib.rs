//! What can be done with souls on a machine. Synchronous; no terminal, no tokio.
//!
//! Every operation is one file of [`ops`]: a request, a response, and `run`. Command line and
//! server only translate to and from them. A read goes [`workspace`] (where agents live) → [`files`]
//! → [`souls`] → the core; a change goes [`authoring`] → [`store`] → file → event. Layers point down:
//! [`ops`] is the roof, and nothing below names it.

pub mod authoring;
pub mod caller;
mod cassette;
pub mod chat;
pub mod checks;
pub mod clock;
pub mod context;
pub mod conversion;
mod delivery;
pub mod fault;
pub mod fields;
pub mod files;
pub mod freshness;
pub mod ids;
pub mod index;
pub mod library;
pub mod memory;
mod mirror;
pub mod moment;
pub mod ops;
pub mod outside;
pub mod persona;
pub mod places;
pub mod proposals;
pub mod references;
pub mod registry;
mod remembered;
pub mod seed;
pub mod sessions;
pub mod settings;
pub mod souls;
pub mod standing;
pub mod store;
pub mod sync;
pub mod tokens;
pub mod workspace;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use soul_core::digest::RawDigest;
use soul_core::model::Dialect;
use soul_core::sigil::Parts;

pub use authoring::Step;
pub use caller::{Caller, Grant};
use checks::Graded;
use clock::{Now, Time};
pub use context::{Context, Progress};
use freshness::Recorded;
use ids::{RevisionId, SnapshotId};
use mirror::Mirror;
use remembered::Remembered;
use settings::{Settings, SoulsKept};
use souls::{Chosen, ChosenBy, Error};
use store::{Mark, Sqlite, Store, StoreUrl, Texts};
use workspace::{Agent, AgentName, Kind, Roots, SoulKey};

/// Where things live, how they are configured, and the store.
pub struct Keeper {
    /// Where agents are.
    pub roots: Roots,
    /// `SOUL_HOME`: where settings are, and what is kept of the store.
    home: Option<PathBuf>,
    /// The souls of the home as files, if they are kept in the database.
    mirror: Option<Arc<Mirror>>,
    /// What the operator configured.
    pub settings: Settings,
    settings_problem: Option<String>,
    /// The store that the environment names, whatever the files say.
    chosen_store: Option<StoreUrl>,
    store: Arc<OnceLock<Box<dyn Store>>>,
    library: library::Cached,
    indexes: index::Opened,
    catalog: registry::CachedCatalog,
    recorded: Recorded,
    proven: tokens::Proven,
    /// Grades by the digest of all files of an agent.
    grades: Remembered<RawDigest, Graded>,
    /// What revisions changed, in a line.
    meanings: Remembered<RevisionId, Option<String>>,
    /// The parts of snapshots.
    captured_parts: Remembered<SnapshotId, Parts>,
    failpoint: Option<Failpoint>,
    clock: Option<Clock>,
    renames: files::Renames,
}

/// Called between every two steps of a change. An error stands for one of the system; a test can
/// also end the process here.
pub type Failpoint = Arc<dyn Fn(Step) -> io::Result<()> + Send + Sync>;

/// Tells what time it is for whatever passes with time.
pub type Clock = Arc<dyn Fn() -> Time + Send + Sync>;

/// The file of the store in the home.
const STORE_FILE: &str = "keeper.db";

impl Keeper {
    /// A keeper for these roots, with these settings.
    #[must_use]
    pub fn new(roots: Roots, settings: Settings) -> Self {
        let home = roots.home.clone();
        let is_mirrored = settings.store.souls == SoulsKept::Database;
        let mirror = home.as_deref().filter(|_| is_mirrored).map(|home| Arc::new(Mirror::in_home(home)));
        let copy = mirror.as_ref().map(|mirror| mirror.root().to_path_buf());
        Self {
            roots: Roots { home: copy.or_else(|| home.clone()), ..roots },
            home,
            mirror,
            settings,
            settings_problem: None,
            chosen_store: None,
            store: Arc::default(),
            library: library::Cached::new(),
            indexes: index::Opened::default(),
            catalog: registry::CachedCatalog::default(),
            recorded: Recorded::default(),
            proven: tokens::Proven::default(),
            grades: Remembered::default(),
            meanings: Remembered::default(),
            captured_parts: Remembered::default(),
            failpoint: None,
            clock: None,
            renames: files::Renames::Exchange,
        }
    }

    /// A keeper for these roots, with the settings that they hold.
    ///
    /// # Errors
    /// When there is a `config.toml` that cannot be read or makes no sense.
    pub fn open(roots: Roots) -> Result<Self, settings::Error> {
        Self::open_on(roots, None)
    }

    /// The same on the store that the environment names, if it names one.
    ///
    /// # Errors
    /// When there is a `config.toml` that cannot be read or makes no sense.
    pub fn open_on(roots: Roots, store: Option<StoreUrl>) -> Result<Self, settings::Error> {
        let settings = Settings::load_with_store(&roots, store.as_ref())?;
        Ok(Self { chosen_store: store, ..Self::new(roots, settings) })
    }

    /// A keeper for these roots, with whatever settings can be read; [`Keeper::settings_problem`] says why the others
    /// cannot.
    #[must_use]
    pub fn open_with_usable_settings(roots: Roots, store: Option<StoreUrl>) -> Self {
        let (settings, problem) = Settings::load_usable(&roots, store.as_ref());
        let settings_problem = problem.map(|error| error.to_string());
        Self { settings_problem, chosen_store: store, ..Self::new(roots, settings) }
    }

    /// The same keeper on the same store, with the settings that its files hold now. If they cannot be used, it keeps
    /// its settings, and [`Keeper::settings_problem`] and `doctor` tell why.
    #[must_use]
    pub fn with_settings_of_files(&self) -> Self {
        let with = |settings| Self {
            chosen_store: self.chosen_store.clone(),
            store: Arc::clone(&self.store),
            failpoint: self.failpoint.clone(),
            clock: self.clock.clone(),
            renames: self.renames,
            mirror: self.mirror.clone(),
            ..Self::new(self.given_roots(), settings)
        };
        match Settings::load_with_store(&self.given_roots(), self.chosen_store.as_ref()) {
            Ok(settings) if settings.store != self.settings.store => {
                let problem = "the store was changed in config.toml: restart the service to use it";
                let settings = Settings { store: self.settings.store.clone(), ..settings };
                Self { settings_problem: Some(problem.to_owned()), ..with(settings) }
            }
            Ok(settings) => with(settings),
            Err(error) => Self { settings_problem: Some(error.to_string()), ..with(self.settings.clone()) },
        }
    }

    /// Why the settings in use are not those of the files, if they are not.
    #[must_use]
    pub fn settings_problem(&self) -> Option<&str> {
        self.settings_problem.as_deref()
    }

    /// The files that settings come from, for a watcher.
    #[must_use]
    pub fn settings_paths(&self) -> Vec<PathBuf> {
        let workspace = self.roots.workspace.as_ref().map(|workspace| workspace.join(workspace::WORKSPACE_FOLDER));
        self.home.iter().cloned().chain(workspace).map(|folder| folder.join(settings::FILE)).collect()
    }

    /// The same keeper, with someone to call between the steps of a change.
    #[must_use]
    pub fn with_failpoint(self, failpoint: Failpoint) -> Self {
        Self { failpoint: Some(failpoint), ..self }
    }

    /// The same keeper, as if no file system could exchange two files in one step.
    #[must_use]
    pub fn without_exchange(self) -> Self {
        Self { renames: files::Renames::Plain, ..self }
    }

    /// The same keeper by another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// What time it is.
    pub(crate) fn now(&self) -> Time {
        self.clock.as_ref().map_or_else(Time::now, |clock| clock())
    }

    /// The same, for what must not last longer because someone set the clock.
    pub(crate) fn lease_now(&self) -> Now {
        self.clock.as_ref().map_or_else(Now::of_system, |clock| clock().into())
    }

    pub(crate) fn pass(&self, step: Step) -> io::Result<()> {
        self.failpoint.as_ref().map_or(Ok(()), |failpoint| failpoint(step))
    }

    /// The directory of an agent.
    pub(crate) fn agent(&self, name: &AgentName) -> Result<Agent, Error> {
        let found = self.roots.find_agent(&self.settings.discovery, name);
        let found = found.map_err(|error| Error::AgentUnreadable(name.clone(), error))?;
        match found {
            Some(agent) => Ok(agent),
            None => self.check_home().map_err(Error::from).and(Err(Error::AgentNotFound(name.clone()))),
        }
    }

    /// Refuses a name that no agent has.
    ///
    /// # Errors
    /// When there is no such agent, or it cannot be found out.
    pub fn check_agent(&self, name: &AgentName) -> Result<(), Error> {
        self.prepare()?;
        self.agent(name).map(drop)
    }

    /// Refuses to answer from a home that was there, and has been moved away or unmounted: it is not empty.
    pub(crate) fn check_home(&self) -> Result<(), store::Error> {
        let is_gone = || self.home.as_ref().is_some_and(|home| !home.is_dir());
        if self.store.get().is_some() && is_gone() { Err(store::Error::Replaced) } else { Ok(()) }
    }

    /// The directory of the agent with this key: not another one of the same name.
    pub(crate) fn agent_of(&self, key: &SoulKey) -> Result<Agent, Error> {
        let name: AgentName = key.name.parse()?;
        for agent in self.roots.agents_named(&self.settings.discovery, &name) {
            let agent = agent.map_err(|error| Error::AgentUnreadable(name.clone(), error))?;
            // An agent of ours in a workspace that has no id yet is nobody's so far.
            let known = agent.known_key().map_err(Error::WorkspaceId)?;
            // Sessions of such agents were once recorded under the home, whatever workspace they are in.
            let is_foreign = agent.layout != settings::Layout::Soul && SoulKey::is_home(&key.scope);
            if known.as_ref() == Some(key) || is_foreign {
                return Ok(agent);
            }
        }
        Err(Error::AgentNotFound(name))
    }

    /// The agent that was meant by the bare name of a directory without a soul: a folder that happens to have the same
    /// name must not hide it.
    pub(crate) fn agent_hidden_by(&self, path: &Path) -> Option<AgentName> {
        let name: AgentName = path.to_str()?.parse().ok()?;
        self.agent(&name).is_ok().then_some(name)
    }

    /// Where the directory of an agent may be, the one that wins first, for a watcher.
    #[must_use]
    pub fn agent_paths(&self, name: &AgentName) -> Vec<PathBuf> {
        self.roots.agent_paths(&self.settings.discovery, name)
    }

    /// Where the store is.
    pub(crate) fn store_url(&self) -> Result<StoreUrl, store::Error> {
        match &self.settings.store.url {
            Some(url) => Ok(url.clone()),
            None => Ok(StoreUrl::Sqlite(self.some_home()?.join(STORE_FILE))),
        }
    }

    /// What the home remembers of its store. A store that moves into a database keeps its id, and so its mark.
    pub(crate) fn mark(&self) -> Result<Mark, store::Error> {
        Ok(match self.store_url()? {
            StoreUrl::Sqlite(path) => Mark::beside(&path),
            StoreUrl::Postgres(url) => Mark::of_database(self.some_home()?, &url),
        })
    }

    /// The store; it is made if it is not there.
    pub(crate) fn store(&self) -> Result<&dyn Store, store::Error> {
        if let Some(store) = self.store.get() {
            return Ok(&**store);
        }
        self.make_home()?;
        let opened = store::open(&self.store_url()?, self.some_home()?)?;
        // Two threads may have opened it at once; one of the two stays.
        Ok(&**self.store.get_or_init(|| opened))
    }

    /// `SOUL_HOME`: where settings are, and what is kept of the store.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    fn some_home(&self) -> Result<&Path, store::Error> {
        self.home().ok_or(store::Error::NoHome)
    }

    /// The roots that this keeper was made for.
    fn given_roots(&self) -> Roots {
        Roots { home: self.home.clone(), ..self.roots.clone() }
    }

    /// The same keeper without a workspace, on the same store.
    pub(crate) fn without_workspace(&self) -> Self {
        let roots = Roots { workspace: None, ..self.given_roots() };
        Self {
            chosen_store: self.chosen_store.clone(),
            store: Arc::clone(&self.store),
            failpoint: self.failpoint.clone(),
            clock: self.clock.clone(),
            renames: self.renames,
            mirror: self.mirror.clone(),
            ..Self::new(roots, self.settings.clone())
        }
    }

    /// Waits until something may have happened since `seen`, a number that an earlier call returned, but not for long.
    #[must_use]
    pub fn wait_for_news(&self, seen: u64, patience: Duration) -> u64 {
        match self.existing_store() {
            Ok(Some(store)) => store.wait_for_news(seen, patience),
            _ => {
                std::thread::sleep(patience);
                seen.wrapping_add(1)
            }
        }
    }

    /// Whether the souls of the home are kept in the database.
    #[must_use]
    pub const fn keeps_souls_in_database(&self) -> bool {
        self.mirror.is_some()
    }

    /// Makes what this machine has of a shared store ready to be read: its name there, and a copy of the souls that are
    /// kept there.
    ///
    /// # Errors
    /// When the store cannot be reached, or the home cannot be written.
    pub(crate) fn prepare(&self) -> Result<(), store::Error> {
        if !self.has_remote_store() {
            return Ok(());
        }
        let store = self.store()?;
        match (&self.mirror, store.texts()) {
            (Some(mirror), Some(texts)) => mirror.update(store, texts),
            (Some(_), None) => Err(store::Error::Failed("it keeps no souls".into())),
            (None, _) => Ok(()),
        }
    }

    /// Whether to look at the store may mean to wait for another machine.
    #[must_use]
    pub const fn has_remote_store(&self) -> bool {
        matches!(self.settings.store.url, Some(StoreUrl::Postgres(_)))
    }

    /// The texts of souls, if those of the home are kept in the database.
    pub(crate) fn texts(&self) -> Result<Option<&dyn Texts>, store::Error> {
        if self.mirror.is_some() { Ok(self.store()?.texts()) } else { Ok(None) }
    }

    /// Makes the home, if it is not there.
    pub(crate) fn make_home(&self) -> Result<(), store::Error> {
        files::create_private(self.some_home()?).map_err(|error| store::Error::ReadOnly(store::Detail::io(error)))
    }

    /// The store, if anything was ever remembered. Where it cannot be written it can still be read.
    pub(crate) fn existing_store(&self) -> Result<Option<&dyn Store>, store::Error> {
        let path = match self.store_url() {
            Ok(StoreUrl::Sqlite(path)) => path,
            Ok(StoreUrl::Postgres(_)) => return self.store().map(Some),
            Err(_) => return Ok(None),
        };
        if self.store.get().is_none() && !path.exists() && Mark::beside(&path).store_id().is_none() {
            return Ok(None);
        }
        match self.store() {
            Err(store::Error::ReadOnly(_) | store::Error::Disk(_)) => {
                let opened: Box<dyn Store> = Box::new(Sqlite::open_to_read(&path)?);
                Ok(Some(&**self.store.get_or_init(|| opened)))
            }
            store => store.map(Some),
        }
    }

    /// Compares the record with what the home has noted of it, for a service before it starts.
    ///
    /// # Errors
    /// When the store cannot be used, or is not all that was recorded.
    pub fn check_record(&self) -> Result<(), store::Error> {
        let Some(store) = self.existing_store()? else { return Ok(()) };
        self.mark()?.check_heads(store)
    }

    /// The dialect that an agent's soul is read in, if its record, the settings or its layout decide.
    pub(crate) fn chosen_dialect(&self, agent: &Agent) -> Result<Option<Chosen>, Error> {
        let key = agent.known_key().map_err(Error::WorkspaceId)?;
        let pinned = match key.zip(self.existing_store()?) {
            Some((key, store)) => store.pinned_dialect(&key)?,
            None => None,
        };
        Ok(self.chosen_without_caller(agent, pinned))
    }

    /// The same for a caller that knows what is pinned.
    pub(crate) fn chosen_without_caller(&self, agent: &Agent, pinned: Option<Dialect>) -> Option<Chosen> {
        let chosen = |dialect: Option<Dialect>, by| dialect.map(|dialect| Chosen::new(dialect, by));
        chosen(pinned, ChosenBy::Pin)
            .or_else(|| chosen(self.settings.soul.dialect, ChosenBy::Setting))
            .or_else(|| chosen(agent.layout.dialect(), ChosenBy::Layout(agent.layout.folder())))
    }

    /// The key of an agent's soul, if anything of it is recorded: of an agent that exists, or that existed.
    pub(crate) fn known_key(&self, name: &AgentName) -> Result<Option<SoulKey>, Error> {
        match self.agent(name) {
            Ok(agent) => agent.known_key().map_err(Error::WorkspaceId),
            Err(Error::AgentNotFound(_)) => {
                let store = self.existing_store()?;
                for scope in self.roots.scopes(&self.settings.discovery) {
                    let key = SoulKey { scope, kind: Kind::Agent, name: name.as_str().to_owned() };
                    if let Some(store) = store
                        && store.tail(&key)?.last.is_some()
                    {
                        return Ok(Some(key));
                    }
                }
                Err(Error::AgentNotFound(name.clone()))
            }
            Err(error) => Err(error),
        }
    }
}
