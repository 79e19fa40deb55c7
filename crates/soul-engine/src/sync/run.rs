//! One sync of souls: the lock, the state, the clone, and how a text gets in and out of its place.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;

use soul_core::diagnostics::{Code, Severity};
use soul_core::digest::RawDigest;

use super::Error;
use super::item::{ItemId, has_markers, item_of};
use super::local::{self, Local};
use super::objects::{CommitInfo, Oid};
use super::repository::Repository;
use super::state::{Base, Conflict, Home, State, Theirs, Tracked};
use super::status::ConflictReason;
use crate::Keeper;
use crate::authoring::{self, Applied, Change, Intent, Subject};
use crate::caller::Author;
use crate::context::{Context, Progress};
use crate::fields::{ExpectedDigest, NonBlank};
use crate::ids::ProposalId;
use crate::library::chain;
use crate::library::member::Member;
use crate::settings::Layout;
use crate::souls;
use crate::store::{EventKind, Message, NewEvent, Party, Revision};
use crate::workspace::{Agent, SoulKey};

/// The kind of an actor whose text came from a remote.
pub(super) const SYNC: &str = "sync";

/// The most that is read from a remote at once.
const MAX_READ: u64 = 256 << 20;

/// A sync under way. Nobody else syncs meanwhile.
pub(crate) struct Sync<'a> {
    /// Without a workspace: only the home is synced.
    pub(super) keeper: Keeper,
    pub(super) home: Home,
    pub(super) state: State,
    /// Who asked for it.
    pub(super) author: Author,
    pub(super) progress: &'a dyn Progress,
    _lock: File,
}

/// A text of the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemoteText {
    pub(super) blob: Oid,
    pub(super) size: u64,
}

/// What the remote has.
#[derive(Debug, Default)]
pub(super) struct Remote {
    pub(super) tip: Option<Oid>,
    pub(super) items: BTreeMap<ItemId, RemoteText>,
    /// What is not taken: by path, its blob and why.
    pub(super) refused: BTreeMap<String, (Oid, &'static str)>,
}

impl<'a> Sync<'a> {
    /// Begins a sync for a caller who may change souls.
    pub(crate) fn begin(context: &Context<'a>, operation: &str) -> Result<Self, Error> {
        if context.caller.agent().is_some() {
            return Err(Error::ForPeople);
        }
        let home = Home::souls(context.keeper)?;
        if home.load::<State>()?.is_none() {
            return Err(Error::NotConfigured);
        }
        let lock = home.lock()?;
        let state = home.load()?.ok_or(Error::NotConfigured)?;
        Ok(Self {
            keeper: context.keeper.without_workspace(),
            home,
            state,
            author: context.author(operation),
            progress: context.progress,
            _lock: lock,
        })
    }

    pub(super) fn save(&self) -> Result<(), Error> {
        self.home.save(&self.state)
    }

    pub(super) fn repository(&self) -> Result<Repository, Error> {
        Repository::open(&self.home.clone_path())
    }

    pub(super) fn look(&self) -> Result<Local, Error> {
        local::look(&self.keeper, &self.home, self.state.agents)
    }

    pub(super) fn tracked(&mut self, item: &ItemId) -> &mut Tracked {
        self.state.items.entry(item.clone()).or_default()
    }

    /// Fetches the remote.
    pub(super) fn fetch(&self, repository: &Repository) -> Result<Remote, Error> {
        let tip = repository.fetch(&self.state.repository, &self.state.branch)?;
        match tip {
            None if self.state.last_sync_commit.is_some() => Err(Error::BranchGone(self.state.branch.to_string())),
            tip => self.remote(repository, tip),
        }
    }

    /// What a commit of the remote has.
    pub(super) fn remote(&self, repository: &Repository, tip: Option<Oid>) -> Result<Remote, Error> {
        let Some(tip) = tip else { return Ok(Remote::default()) };
        let mut remote = Remote::default();
        let mut spelled: HashMap<String, ItemId> = HashMap::new();
        for entry in repository.tree(&tip)? {
            let path = entry.path.as_ref().unwrap_or_else(|lossy| lossy).clone();
            match item_of(&entry, self.state.agents) {
                Ok(None) => {}
                Ok(Some(item)) => {
                    let folded = item.to_string().to_lowercase();
                    match spelled.insert(folded, item.clone()) {
                        None => drop(remote.items.insert(item, RemoteText { blob: entry.blob, size: entry.size })),
                        Some(_) => {
                            let why = "its name differs from another one only in case";
                            remote.refused.insert(path, (entry.blob, why));
                        }
                    }
                }
                Err(why) => drop(remote.refused.insert(path, (entry.blob, why))),
            }
        }
        remote.tip = Some(tip);
        Ok(remote)
    }

    /// The texts of blobs that are not known by their digest yet.
    pub(super) fn texts<'t>(
        &self,
        repository: &Repository,
        wanted: impl Iterator<Item = &'t RemoteText>,
    ) -> Result<HashMap<Oid, Vec<u8>>, Error> {
        let wanted: Vec<&RemoteText> = wanted.collect();
        if wanted.iter().map(|text| text.size).sum::<u64>() > MAX_READ {
            return Err(Error::TooMuch);
        }
        let mut blobs: Vec<Oid> = wanted.into_iter().map(|text| text.blob.clone()).collect();
        blobs.sort();
        blobs.dedup();
        repository.blobs(&blobs)
    }

    /// Where the soul of an item is; none if there is no place for it yet.
    pub(super) fn subject(&self, item: &ItemId) -> Result<Option<Box<dyn Subject>>, Error> {
        match item {
            ItemId::Soul(id) => Ok(Member::open(&self.keeper, id.clone())?.map(|member| Box::new(member) as _)),
            ItemId::Agent(_) => Ok(self.home_agent(item)?.map(|agent| Box::new(agent) as _)),
        }
    }

    fn home_agent(&self, item: &ItemId) -> Result<Option<Agent>, Error> {
        let ItemId::Agent(name) = item else { return Ok(None) };
        let scope = self.keeper.roots.home_scope();
        for agent in self.keeper.roots.agents_named(&self.keeper.settings.discovery, name) {
            let agent = agent.map_err(|error| souls::Error::AgentUnreadable(name.clone(), error))?;
            let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
            if agent.layout == Layout::Soul && key.is_some_and(|key| key.scope == scope) {
                return Ok(Some(agent));
            }
        }
        Ok(None)
    }

    /// The key of an item's record.
    pub(super) fn key(&self, item: &ItemId) -> SoulKey {
        key_of(&self.keeper, item)
    }

    /// The local text of an item.
    pub(super) fn read(&self, item: &ItemId) -> Result<Option<Vec<u8>>, Error> {
        let Some(subject) = self.subject(item)? else { return Ok(None) };
        match subject.directory().read(subject.file()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(crate::files::Error::NotFound) => Ok(None),
            Err(error) => Err(souls::Error::Layer(item.path(), error.into()).into()),
        }
    }

    /// Takes local texts that are on no record into it, before anything of them can be lost.
    pub(super) fn adopt(&mut self, local: &Local, items: impl Iterator<Item = ItemId>) -> Result<(), Error> {
        for item in items {
            let (ours, known) = (local.hash(&item), self.state.items.get(&item).and_then(|item| item.recorded));
            let is_known = match ours {
                Some(ours) => known == Some(ours),
                None => known.is_none(),
            };
            if is_known {
                continue;
            }
            let Some(subject) = self.subject(&item)? else { continue };
            match authoring::adopt_outside(&self.keeper, &*subject, &self.author.origin) {
                Ok(last) => self.tracked(&item).recorded = last.and_then(|last| last.sealed.raw_digest),
                // What cannot be recorded is not replaced either.
                Err(authoring::Error::TooLargeToAdopt(_) | authoring::Error::Soul(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Whether a missing soul was deleted by someone who asked for it, and not by whatever removed its file.
    pub(super) fn is_deleted(&self, item: &ItemId) -> Result<bool, Error> {
        let last: Option<Revision> = self.keeper.store()?.tail(&self.key(item))?.last;
        Ok(last
            .is_some_and(|last| last.sealed.action == crate::store::Action::Delete && last.sealed.actor.kind != SYNC))
    }

    /// Whether a soul is the one that sessions get when they have no other.
    pub(super) fn is_in_use(&self, item: &ItemId) -> Result<bool, Error> {
        let ItemId::Soul(id) = item else { return Ok(false) };
        Ok(id.is_default() || chain::selected(&self.keeper)?.as_ref() == Some(id))
    }

    /// Who goes on record for a text of a commit.
    pub(super) fn sync_author(&self, info: &CommitInfo) -> Author {
        let who = if info.author.trim().is_empty() { "unknown" } else { info.author.trim() };
        Author { actor: Party::new(SYNC, who), origin: Party::new("git", info.commit.as_str()) }
    }

    /// Writes the text of an item through managed authoring.
    pub(super) fn put(
        &mut self,
        item: &ItemId,
        bytes: Vec<u8>,
        ours: Option<RawDigest>,
        author: Author,
        message: &str,
        force: Option<NonBlank>,
    ) -> Result<Applied, authoring::Error> {
        let hash = RawDigest::of(&bytes);
        let change = Change {
            expected: ours.map(|ours| ExpectedDigest::new(&ours.to_string())),
            message: shortened(message),
            force,
            ..Change::new(Intent::Put(bytes), author)
        };
        let applied = match (self.subject(item).map_err(as_authoring)?, item) {
            (Some(subject), _) => authoring::apply(&self.keeper, &*subject, change),
            (None, ItemId::Soul(id)) => {
                let member = Member::make(&self.keeper, id.clone()).map_err(|error| as_authoring(error.into()))?;
                authoring::apply(&self.keeper, &member, change)
            }
            (None, ItemId::Agent(name)) => authoring::put(&self.keeper, name, true, change),
        }?;
        self.tracked(item).recorded = Some(hash);
        Ok(applied)
    }

    /// Deletes the text of an item, if it still is this one. It stays on record.
    pub(super) fn remove(
        &mut self,
        item: &ItemId,
        ours: RawDigest,
        author: Author,
        message: &str,
        force: Option<NonBlank>,
    ) -> Result<(), Error> {
        let Some(subject) = self.subject(item)? else { return Ok(()) };
        let expected = Some(ExpectedDigest::new(&ours.to_string()));
        let change = Change { expected, message: shortened(message), force, ..Change::new(Intent::Delete, author) };
        match authoring::apply(&self.keeper, &*subject, change) {
            Ok(_) | Err(authoring::Error::SoulMissing(_)) => {
                self.tracked(item).recorded = None;
                Ok(())
            }
            Err(authoring::Error::Conflict { .. }) => Err(Error::Moved(item.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Marks an item as in conflict. Both sides are kept: ours in its file and on record, theirs in the home.
    pub(super) fn conflict(
        &mut self,
        item: &ItemId,
        reason: ConflictReason,
        detail: Option<String>,
        theirs: Option<(&Oid, &[u8])>,
        info: &CommitInfo,
        proposal: Option<ProposalId>,
    ) -> Result<(), Error> {
        let theirs = match theirs {
            Some((blob, bytes)) => {
                let hash = RawDigest::of(bytes);
                self.home.keep_theirs(&hash, bytes)?;
                Some(Theirs { blob: blob.clone(), hash })
            }
            None => None,
        };
        let now = self.keeper.now();
        let before = self.state.items.get(item).and_then(|item| item.conflict.as_ref());
        let at = before.map_or(now, |before| before.at);
        let is_new = before.is_none();
        let CommitInfo { commit, author, message, .. } = info.clone();
        let conflict = Conflict { reason, detail, theirs, commit, author, message, at, proposal };
        self.tracked(item).conflict = Some(conflict);
        if is_new {
            let author = self.sync_author(info);
            self.event(EventKind::SyncConflict, Some(item), &author);
        }
        Ok(())
    }

    /// Notes what both sides have now.
    pub(super) fn agree(&mut self, item: &ItemId, blob: Oid, hash: RawDigest, commit: Oid) {
        let at = self.keeper.now();
        let tracked = self.tracked(item);
        if tracked.base.as_ref().is_none_or(|base| base.blob != blob) {
            tracked.base = Some(Base { blob, hash, commit, at });
        }
        (tracked.conflict, tracked.intent, tracked.missing) = (None, None, None);
    }

    /// Tells others what happened. One that is lost changes nothing.
    pub(super) fn event(&self, kind: EventKind, item: Option<&ItemId>, author: &Author) {
        let Ok(store) = self.keeper.store() else { return };
        let event = match item {
            Some(item) => NewEvent::for_soul(kind, &self.key(item), &author.actor, &author.origin),
            None => NewEvent {
                scope: Some(self.keeper.roots.home_scope()),
                ..NewEvent::new(kind, &author.actor, &author.origin)
            },
        };
        let _ = store.append_event(&event, self.keeper.now());
    }

    /// Ends a sync: what happened is in the state and in the events, whether it went well or not.
    pub(super) fn end<T>(&mut self, kind: EventKind, is_change: bool, result: Result<T, Error>) -> Result<T, Error> {
        let author = self.author.clone();
        match &result {
            Ok(_) => {
                self.state.last_error = None;
                self.save()?;
                self.home.tidy(&self.state);
                if is_change {
                    self.event(kind, None, &author);
                }
            }
            Err(error) => {
                if is_failure(error) {
                    self.state.last_error = Some(error.to_string());
                    self.event(EventKind::SyncFail, None, &author);
                }
                let _ = self.save();
            }
        }
        result
    }
}

/// The key of an item's record.
fn key_of(keeper: &Keeper, item: &ItemId) -> SoulKey {
    match item {
        ItemId::Soul(id) => crate::library::member::key(keeper, id),
        ItemId::Agent(name) => {
            let (scope, name) = (keeper.roots.home_scope(), name.as_str().to_owned());
            SoulKey { scope, kind: crate::workspace::Kind::Agent, name }
        }
    }
}

/// The text that both sides had last: in the clone, or on record.
pub(super) fn base_text(
    keeper: &Keeper,
    repository: &Repository,
    item: &ItemId,
    base: &Base,
) -> Result<Option<Vec<u8>>, Error> {
    if repository.has(&base.blob).unwrap_or(false) {
        let mut found = repository.blobs(std::slice::from_ref(&base.blob))?;
        return Ok(found.remove(&base.blob).filter(|bytes| RawDigest::of(bytes) == base.hash));
    }
    let (store, key) = (keeper.store()?, key_of(keeper, item));
    let mut before = None;
    loop {
        let page = store.history(&key, before, 100, true)?;
        if let Some(found) = page.iter().find(|revision| revision.sealed.raw_digest == Some(base.hash)) {
            return Ok(found.body.clone());
        }
        match page.last() {
            Some(oldest) => before = Some(oldest.sealed.seq),
            None => return Ok(None),
        }
    }
}

/// Whether an error means that the sync itself failed, and not that the request was wrong.
fn is_failure(error: &Error) -> bool {
    use crate::fault::Kind;
    matches!(error.fault().kind, Kind::Unable | Kind::Full | Kind::Unreadable)
}

/// A message that fits into a revision.
fn shortened(message: &str) -> Option<Message> {
    let text = soul_core::text::visible(message.trim());
    Message::try_from(text[..text.floor_char_boundary(Message::MAX)].to_owned()).ok()
}

/// An error of the sync where one of authoring is expected.
fn as_authoring(error: Error) -> authoring::Error {
    match error {
        Error::Authoring(error) => error,
        Error::Soul(error) => error.into(),
        Error::Store(error) => error.into(),
        error => authoring::Error::Unwritable("the library".to_owned(), std::io::Error::other(error.to_string())),
    }
}

/// What keeps a text that arrives from being taken.
pub(super) enum Refused {
    /// The text itself, and why.
    Text(String),
    /// What is in its place here, and why.
    Place(String),
}

/// Why a text that arrives is not taken, if that is not a failure.
pub(super) fn refusal(error: &authoring::Error) -> Option<Refused> {
    match error {
        authoring::Error::Soul(souls::Error::Invalid(soul)) if soul.is_unavailable => None,
        authoring::Error::Soul(souls::Error::Invalid(soul)) => {
            let problem = soul.diagnostics.iter().find(|problem| problem.severity == Severity::Error);
            let why = problem.map_or_else(String::new, |problem| format!(": {}", problem.message));
            match problem.map(|problem| problem.code) {
                Some(Code::PathEscape | Code::ParserIo) => {
                    Some(Refused::Place(why.trim_start_matches(": ").to_owned()))
                }
                _ => Some(Refused::Text(format!("it is not a valid soul{why}"))),
            }
        }
        authoring::Error::Poisoned(_, report) => {
            let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).take(3).collect();
            Some(Refused::Text(format!("the scanner refuses it ({})", rules.join(", "))))
        }
        authoring::Error::TooLargeToKeep => Some(Refused::Text("it is larger than 1 MiB".to_owned())),
        authoring::Error::TooLargeToAdopt(_) => Some(Refused::Place("the file here is larger than 1 MiB".to_owned())),
        _ => None,
    }
}

/// Why a text must not come into a live soul, whatever it means.
pub(super) fn is_unfit(bytes: &[u8]) -> Option<&'static str> {
    has_markers(bytes).then_some("it has conflict markers")
}
