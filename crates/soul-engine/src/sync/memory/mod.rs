//! Memory sync: an agent's `MEMORY.md` and the files below `memory/`, with a branch of its own. Local changes are replayed
//! on top of the remote's, as a rebase does; where both sides changed the same line the last writer wins, and the text that
//! lost is kept and named.

mod merge;
mod state;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::scan::{File as Scanned, Trust, scan_as};

use super::Error;
use super::decide::{Decision, decide};
use super::item::{has_markers, is_portable};
use super::publish::TRIES;
use super::remote::{Branch, RemoteUrl};
use super::repository::{CommitInfo, Entry, EntryKind, Oid, Pushed, Repository, TreeChange};
use super::result::count;
use super::run::SYNC;
use super::state::Home;
use super::status::Refusal;
use crate::Keeper;
use crate::authoring::{Subject, is_refused};
use crate::caller::Author;
use crate::clock::Time;
use crate::context::Context;
use crate::fields::NonBlank;
use crate::files;
use crate::memory::history::{History, name_of};
use crate::memory::{self, MemoryOf};
use crate::souls;
use crate::store::{EventKind, NewEvent, Party};
use crate::workspace::{Agent, Layout, Memory, SoulKey};
use merge::{Merged, Rule, merged};
use state::{Common, Intent, State};

/// What the sync of a memory did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySyncResult {
    /// The agent.
    pub agent: String,
    /// What was done, in one line.
    pub message: String,
    /// The remote, without credentials.
    pub remote: String,
    /// The branch.
    pub branch: String,
    /// Files that came from the remote, or were merged with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pulled: Vec<String>,
    /// Files that the remote has now and had not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushed: Vec<String>,
    /// Files that are gone on both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Passages that both sides changed: what lost, and where it is kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostText>,
    /// What the remote has and was not taken, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// The remote's commit now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Commits that the next push would add: all local changes are one.
    pub ahead: usize,
    /// Commits of the remote that are not here yet.
    pub behind: usize,
}

/// A passage that both sides changed, and that is not in the file any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LostText {
    /// The file.
    pub file: String,
    /// The section.
    pub place: String,
    /// The text that lost.
    pub text: String,
    /// Whose text it is: `ours` or `theirs`.
    pub side: String,
    /// Where it is kept: a file of the home, or a commit of the remote.
    pub kept: String,
}

/// How a memory stands with its remote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySyncState {
    /// The remote, without credentials.
    pub remote: String,
    /// The branch.
    pub branch: String,
    /// Commits that the next push would add: all local changes are one. Absent if the remote could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    /// Commits of the remote that are not here yet. Absent if the remote could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<usize>,
    /// Files that were changed, added or removed here since the last sync.
    pub changed: Vec<String>,
    /// When the memory was synced last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync_at: Option<Time>,
    /// Why the remote could not be fetched now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The file that keeps others from committing live state.
const IGNORE: &str = ".gitignore";

/// The deepest path.
const DEEPEST: usize = 8;

/// What `memory.sync` of a manifest says.
pub(crate) fn manifest_defaults(agent: &Agent) -> (Option<String>, Option<String>) {
    let manifest = agent.directory.read("soul.json").unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    let said = |key: &str| manifest["memory"]["sync"][key].as_str().map(str::to_owned);
    (said("remote"), said("branch"))
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

struct Remote {
    tip: Option<Oid>,
    files: BTreeMap<String, (Oid, u64)>,
    refused: Vec<Refusal>,
    ignore: Option<Oid>,
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
    Home::named(keeper, format!("memory-{}", name_of(key)))
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
        let (named, its_branch) = manifest_defaults(&self.agent);
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
            Some(_) => format!("connected {} with `{}`", self.agent.name, state.repository),
            None => format!(
                "connected {} with `{}`, which has no branch `{}` yet",
                self.agent.name, state.repository, state.branch
            ),
        };
        let files = self.remote(&repository, tip, &self.memory)?;
        self.count(&repository, &state, &files, &mut result)?;
        Ok(result)
    }

    /// Brings changes of the remote here.
    pub(crate) fn pull(&self, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let mut state = self.state()?;
        let done = self.try_pull(&mut state, force);
        self.end(state, EventKind::MemoryPull, done)
    }

    fn try_pull(&self, state: &mut State, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let repository = Repository::open(&self.home.clone_path())?;
        let mut result = self.result(state);
        let remote = self.fetch(&repository, state)?;
        self.integrate(&repository, state, &remote, force, &mut result)?;
        self.count(&repository, state, &remote, &mut result)?;
        result.message = match result.pulled.len() + result.removed.len() {
            0 => "already up to date".to_owned(),
            files => format!("pulled {}", count(files, "file")),
        };
        Ok(result)
    }

    /// Brings changes of the remote here, and local changes there.
    pub(crate) fn push(&self, message: Option<&str>, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let mut state = self.state()?;
        let done = self.try_push(&mut state, message, force);
        self.end(state, EventKind::MemoryPush, done)
    }

    fn try_push(
        &self,
        state: &mut State,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<MemorySyncResult, Error> {
        let repository = Repository::open(&self.home.clone_path())?;
        let mut result = self.result(state);
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(Duration::from_millis(20 << attempt.min(6)));
            }
            let remote = self.fetch(&repository, state)?;
            self.integrate(&repository, state, &remote, force, &mut result)?;
            let mut published: BTreeMap<String, RawDigest> = BTreeMap::new();
            let mut removed: Vec<String> = Vec::new();
            let mut changes = Vec::new();
            for (file, hash) in self.local()? {
                let is_there = state.files.get(&file).is_some_and(|common| common.hash == hash);
                if is_there && remote.files.contains_key(&file) {
                    continue;
                }
                let bytes = self.memory.read(&file).map_err(|error| self.unreadable(&file, error))?;
                if has_markers(&bytes) {
                    return Err(Error::MemoryMarkers(file));
                }
                published.insert(file.clone(), RawDigest::of(&bytes));
                changes.push(TreeChange::Put(file, bytes));
            }
            for (file, common) in &state.files {
                let is_unchanged = remote.files.get(file).is_some_and(|(blob, _)| *blob == common.blob);
                if is_unchanged && matches!(self.memory.read(file), Err(files::Error::NotFound)) {
                    removed.push(file.clone());
                    changes.push(TreeChange::Remove(file.clone()));
                }
            }
            changes.extend(self.ignore(&repository, &remote)?);
            if changes.is_empty() {
                self.count(&repository, state, &remote, &mut result)?;
                result.message = "nothing to push: the remote has everything".to_owned();
                return Ok(result);
            }
            let usual = format!("Update the memory of {}", self.agent.name);
            let now = self.keeper.now();
            let commit = repository.commit(remote.tip.as_ref(), &changes, message.unwrap_or(&usual), now)?;
            match repository.push(&state.repository, &state.branch, &commit, remote.tip.as_ref())? {
                Pushed::Rejected => continue,
                Pushed::Done => {}
            }
            let there = self.remote(&repository, Some(commit.clone()), &self.memory)?;
            for (file, hash) in &published {
                if let Some((blob, _)) = there.files.get(file) {
                    state.files.insert(file.clone(), Common { blob: blob.clone(), hash: *hash });
                }
            }
            removed.iter().for_each(|file| drop(state.files.remove(file)));
            state.commit = Some(commit.clone());
            result.pushed = published.into_keys().collect();
            result.removed.extend(removed);
            result.commit = Some(commit.to_string());
            self.count(&repository, state, &there, &mut result)?;
            result.message = match result.pushed.len() + result.removed.len() {
                0 => "pushed".to_owned(),
                files => format!("pushed {}", count(files, "file")),
            };
            return Ok(result);
        }
        Err(Error::KeepsMoving(TRIES))
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
        self.remote(repository, tip, &self.memory)
    }

    fn remote(&self, repository: &Repository, tip: Option<Oid>, memory: &Memory) -> Result<Remote, Error> {
        remote(repository, tip, memory.layout())
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

    /// Makes the changes here that follow from the remote's.
    fn integrate(
        &self,
        repository: &Repository,
        state: &mut State,
        remote: &Remote,
        force: Option<&NonBlank>,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let _writing = memory::lock(&self.keeper, &self.memory)?;
        let history = History::open(&self.keeper, &self.memory)?;
        let local = self.local()?;
        for (file, intent) in std::mem::take(&mut state.intents) {
            if local.get(&file) == Some(&intent.result) {
                state.files.insert(file, intent.common);
            }
        }
        let Some(tip) = &remote.tip else { return Ok(()) };
        result.refused = remote.refused.clone();
        let mut names: Vec<&String> = state.files.keys().chain(local.keys()).chain(remote.files.keys()).collect();
        names.sort();
        names.dedup();
        let is_new = |file: &&String| {
            remote
                .files
                .get(*file)
                .is_some_and(|(blob, _)| state.files.get(*file).is_none_or(|common| common.blob != *blob))
        };
        let wanted: Vec<Oid> = names.iter().copied().filter(is_new).map(|file| remote.files[file].0.clone()).collect();
        let texts = repository.blobs(&wanted)?;
        let infos = match state.commit.as_ref() {
            Some(last) if last == tip => HashMap::new(),
            Some(last) if repository.has(last)? && repository.is_before(last, tip)? => {
                repository.authors(Some(last), tip)?
            }
            _ => repository.authors(None, tip)?,
        };
        let latest = repository.about(tip, None)?;
        let mut writes: Vec<(String, Option<Vec<u8>>, Option<Common>)> = Vec::new();
        let names: Vec<String> = names.into_iter().cloned().collect();
        for file in names {
            let common = state.files.get(&file);
            let theirs = remote.files.get(&file).map(|(blob, _)| {
                let hash = match (common.filter(|common| common.blob == *blob), texts.get(blob)) {
                    (Some(common), _) => common.hash,
                    (None, Some(bytes)) => RawDigest::of(bytes),
                    (None, None) => RawDigest::of(b""),
                };
                Common { blob: blob.clone(), hash }
            });
            let ours = local.get(&file).copied();
            let their_text = theirs.as_ref().and_then(|theirs| texts.get(&theirs.blob)).cloned();
            let hashes = (common.map(|common| common.hash), ours, theirs.as_ref().map(|theirs| theirs.hash));
            match (decide(hashes.0, hashes.1, hashes.2), theirs) {
                (Decision::Same, Some(theirs)) => drop(state.files.insert(file, theirs)),
                (Decision::Gone, _) => drop(state.files.remove(&file)),
                (Decision::Take | Decision::DeletedHereChangedThere, Some(theirs)) => {
                    let bytes = their_text.unwrap_or_default();
                    match self.refusal(&file, &bytes, force) {
                        Some(reason) => result.refused.push(Refusal { path: file, reason }),
                        None => writes.push((file, Some(bytes), Some(theirs))),
                    }
                }
                (Decision::Merge | Decision::BothAdded, Some(theirs)) => {
                    let bytes = their_text.unwrap_or_default();
                    if let Some(reason) = self.refusal(&file, &bytes, force) {
                        result.refused.push(Refusal { path: file, reason });
                        continue;
                    }
                    let info = infos.get(&file).unwrap_or(&latest);
                    let merged = self.merge(repository, &history, &file, common, &bytes, info, result)?;
                    writes.push((file, Some(merged), Some(theirs)));
                }
                (Decision::DeletedThere, _) => writes.push((file, None, None)),
                (Decision::DeletedThereChangedHere, _) => drop(state.files.remove(&file)),
                _ => {}
            }
        }
        for (file, bytes, theirs) in &writes {
            if let (Some(bytes), Some(theirs)) = (bytes, theirs) {
                let intent = Intent { result: RawDigest::of(bytes), common: theirs.clone() };
                state.intents.insert(file.clone(), intent);
            }
        }
        if !state.intents.is_empty() {
            self.home.save(state)?;
        }
        for (file, bytes, theirs) in writes {
            self.write(&history, state, &local, file, bytes, theirs, result)?;
        }
        state.commit = Some(tip.clone());
        self.home.save(state)
    }

    #[allow(clippy::too_many_arguments)]
    fn write(
        &self,
        history: &History,
        state: &mut State,
        local: &BTreeMap<String, RawDigest>,
        file: String,
        bytes: Option<Vec<u8>>,
        theirs: Option<Common>,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let read = match self.memory.read(&file) {
            Ok(bytes) => Some(bytes),
            Err(files::Error::NotFound) => None,
            Err(error) => return Err(self.unreadable(&file, error)),
        };
        state.intents.remove(&file);
        // What was saved meanwhile is merged by the next call.
        if read.as_deref().map(RawDigest::of) != local.get(&file).copied() {
            return Ok(());
        }
        if let (None, Some(read)) = (&bytes, &read) {
            history.keep_copy(read)?;
        }
        if !memory::replace(&self.keeper, &self.memory, history, &file, bytes.as_deref(), read.as_deref())? {
            return Ok(());
        }
        match theirs {
            Some(theirs) => {
                state.files.insert(file.clone(), theirs);
                result.pulled.push(file);
            }
            None => {
                state.files.remove(&file);
                result.removed.push(file);
            }
        }
        Ok(())
    }

    /// Why a text must not come into the memory, if there is a reason.
    fn refusal(&self, file: &str, bytes: &[u8], force: Option<&NonBlank>) -> Option<String> {
        if std::str::from_utf8(bytes).is_err() {
            return Some("it is not UTF-8 text".to_owned());
        }
        if has_markers(bytes) {
            return Some("it has conflict markers".to_owned());
        }
        // What an agent remembers reaches its prompt, so it is scanned as a stranger's.
        let report = scan_as(&[Scanned { path: file, bytes }], Trust::Stranger);
        let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).take(3).collect();
        is_refused(&self.keeper, &report, &Party::new(SYNC, ""), force)
            .then(|| format!("the scanner refuses it ({})", rules.join(", ")))
    }

    #[allow(clippy::too_many_arguments)]
    fn merge(
        &self,
        repository: &Repository,
        history: &History,
        file: &str,
        common: Option<&Common>,
        theirs: &[u8],
        info: &CommitInfo,
        result: &mut MemorySyncResult,
    ) -> Result<Vec<u8>, Error> {
        let ours = self.memory.read(file).map_err(|error| self.unreadable(file, error))?;
        let base = match common {
            Some(common) if repository.has(&common.blob)? => {
                repository.blobs(std::slice::from_ref(&common.blob))?.remove(&common.blob).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let written = std::fs::metadata(self.memory.root().join(file)).and_then(|metadata| metadata.modified());
        let written = written.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let is_ours_later = written.is_none_or(|time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX) >= info.time);
        let rule = match self.memory.layout().is_daily(file) {
            true => Rule::Union,
            false if is_ours_later => Rule::Ours,
            false => Rule::Theirs,
        };
        let [base, mine, other] = [&base, &ours, theirs].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let Merged { text, lost } = merged(&base, &mine, &other, rule);
        if !lost.is_empty() {
            let (side, kept) = match rule {
                Rule::Theirs => ("ours", history.keep_copy(&ours)?),
                _ => ("theirs", format!("commit {}", info.commit.short())),
            };
            result.lost.extend(lost.into_iter().map(|(place, text)| LostText {
                file: file.to_owned(),
                place,
                text,
                side: side.to_owned(),
                kept: kept.clone(),
            }));
        }
        Ok(text.into_bytes())
    }

    /// The change that makes git ignore live state, if it does not yet.
    fn ignore(&self, repository: &Repository, remote: &Remote) -> Result<Option<TreeChange>, Error> {
        let line = format!("{}/", self.memory.layout().runtime);
        let before = match &remote.ignore {
            Some(blob) => repository.blobs(std::slice::from_ref(blob))?.remove(blob).unwrap_or_default(),
            None => Vec::new(),
        };
        let mut text = String::from_utf8_lossy(&before).into_owned();
        if text.lines().any(|known| known.trim() == line) {
            return Ok(None);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&line);
        text.push('\n');
        Ok(Some(TreeChange::Put(IGNORE.to_owned(), text.into_bytes())))
    }
}

fn local(keeper: &Keeper, memory: &Memory) -> Result<BTreeMap<String, RawDigest>, Error> {
    let unlistable = |error: files::Error| memory::Error::Unlistable(keeper.roots.shown(memory.root()), error.into());
    let look = memory.look().map_err(unlistable)?;
    let mut found = BTreeMap::new();
    for file in look.files.into_keys().filter(|file| is_synced(memory.layout(), file).is_ok()) {
        match memory.read(&file) {
            Ok(bytes) => drop(found.insert(file, RawDigest::of(&bytes))),
            Err(files::Error::NotFound) => {}
            Err(error) => return Err(memory::Error::Refused(file, error.into()).into()),
        }
    }
    Ok(found)
}

/// Whether a path is one of the memory that is synced, or why not.
fn is_synced(layout: &Layout, path: &str) -> Result<(), Option<&'static str>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_markdown = name.to_ascii_lowercase().ends_with(".md");
    let folder = |pattern: &str| pattern.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let is_below = |pattern: &str| match folder(pattern) {
        folder if folder.is_empty() => {
            !path.contains('/') && (layout.is_daily(path) || layout.topic_of(path).is_some())
        }
        folder => path.starts_with(&folder),
    };
    let plain = path.replace('\\', "/").to_lowercase();
    let is_ours = path == layout.long_term || is_below(&layout.daily) || is_below(&layout.topics);
    if !is_ours {
        let is_near = plain.starts_with(&folder(&layout.daily).to_lowercase()) && !folder(&layout.daily).is_empty()
            || plain == layout.long_term.to_lowercase();
        return Err(is_near.then_some("its name differs from one of the memory only in case or by a backslash"));
    }
    if layout.is_runtime(path) || !is_markdown {
        return Err(None);
    }
    if path.split('/').count() > DEEPEST {
        return Err(Some("it is too deep in folders"));
    }
    if !path.split('/').all(is_portable) {
        return Err(Some("its name is not a safe one"));
    }
    Ok(())
}

fn remote(repository: &Repository, tip: Option<Oid>, layout: &Layout) -> Result<Remote, Error> {
    let mut remote = Remote { tip: None, files: BTreeMap::new(), refused: Vec::new(), ignore: None };
    let Some(tip) = tip else { return Ok(remote) };
    let mut spelled = HashMap::new();
    for entry in repository.tree(&tip)? {
        let path = entry.path.as_ref().unwrap_or_else(|lossy| lossy).clone();
        if path == IGNORE && entry.kind == EntryKind::File && entry.size <= files::MAX_BYTES {
            remote.ignore = Some(entry.blob);
            continue;
        }
        let reason = match is_synced(layout, &path) {
            Err(None) => continue,
            Err(Some(reason)) => Some(reason),
            Ok(()) => why_not(&entry).or_else(|| {
                let is_new = spelled.insert(path.to_lowercase(), ()).is_none();
                (!is_new).then_some("its name differs from another one only in case")
            }),
        };
        match reason {
            None => drop(remote.files.insert(path, (entry.blob, entry.size))),
            Some(reason) => {
                remote.refused.push(Refusal { path: soul_core::text::visible(&path), reason: reason.to_owned() });
            }
        }
    }
    remote.tip = Some(tip);
    Ok(remote)
}

fn why_not(entry: &Entry) -> Option<&'static str> {
    match entry.kind {
        EntryKind::Link => Some("it is a link"),
        EntryKind::Submodule => Some("it is a submodule"),
        EntryKind::Other => Some("it is not a regular file"),
        EntryKind::File if entry.path.is_err() => Some("its name is not UTF-8"),
        EntryKind::File if entry.size > files::MAX_BYTES => Some("it is larger than 8 MiB"),
        EntryKind::File => None,
    }
}

/// Files that are not as they were synced.
fn changed(state: &State, local: &BTreeMap<String, RawDigest>) -> Vec<String> {
    let new = local.iter().filter(|(file, hash)| state.files.get(*file).is_none_or(|common| common.hash != **hash));
    let gone = state.files.keys().filter(|file| !local.contains_key(*file));
    let mut changed: Vec<String> = new.map(|(file, _)| file.clone()).chain(gone.cloned()).collect();
    changed.sort();
    changed
}

fn behind(repository: &Repository, state: &State, remote: &Remote) -> Result<usize, Error> {
    let Some(tip) = &remote.tip else { return Ok(0) };
    match &state.commit {
        Some(commit) if commit == tip => Ok(0),
        Some(commit) if repository.has(commit)? => repository.count(Some(commit), tip),
        _ => repository.count(None, tip),
    }
}

/// How a memory stands with its remote, after a fetch; none if it has none.
pub(crate) fn status(keeper: &Keeper, memory: &MemoryOf) -> Result<Option<MemorySyncState>, Error> {
    let Ok(agent) = agent_of(keeper, memory) else { return Ok(None) };
    let Some(key) = agent.known_key().map_err(souls::Error::WorkspaceId)? else { return Ok(None) };
    let Some(_) = keeper.home() else { return Ok(None) };
    let home = home_of(keeper, &key)?;
    let Some(state) = home.load::<State>()? else { return Ok(None) };
    let memory = memory.open(keeper)?;
    let changed = changed(&state, &local(keeper, &memory)?);
    let fetched = home.lock().and_then(|_lock| {
        let repository = Repository::open(&home.clone_path())?;
        let tip = repository.fetch(&state.repository, &state.branch)?;
        let remote = remote(&repository, tip, memory.layout())?;
        behind(&repository, &state, &remote)
    });
    let (behind, error) = match fetched {
        Ok(behind) => (Some(behind), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Ok(Some(MemorySyncState {
        remote: state.repository.to_string(),
        branch: state.branch.to_string(),
        ahead: behind.map(|_| usize::from(!changed.is_empty())),
        behind,
        changed,
        last_sync_at: state.last_sync_at,
        error,
    }))
}
