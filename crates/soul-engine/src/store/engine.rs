//! The store on any engine: each method is one transaction of its own.

use std::path::Path;
use std::time::{Duration, Instant};

use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::persona::State;

use super::revision::Broken;
use super::sql::{Alone, Durable, Engine, Sql};
use super::{
    Action, Adaptation, Among, Binding, Decided, Draft, Error, Event, EventFilter, Link, Mutation, NewEvent, NewFork,
    NewMutation, NewPlace, NewProposal, NewRepair, NewSession, NewSnapshot, Outcome, Party, Place, PlaceId, Problem,
    Proposal, ProposalState, Proposed, ProposedText, Repair, Revert, Reviewed, Revision, Run, RunFilter, ScopeRecord,
    Session, SessionState, Settled, Snapshot, SoulLock, Store, StoreCounts, StoredReceipt, Surroundings, TableCount,
    Tail, Task, TaskState, Texts, Token, Verdict, checks, counts, events, lineage, personas, places, proposals,
    receipts, repairs, revisions, sessions, settings, snapshots, tasks, tokens,
};
use crate::clock::{Now, Time};
use crate::ids::{MutationId, ProposalId, RevisionId, RunId, SessionId, SnapshotId, TaskId, TokenId};
use crate::workspace::SoulKey;

impl<E: Engine> Store for E {
    fn lock_soul(&self, key: &SoulKey, until: Option<Instant>) -> Result<Option<SoulLock>, Error> {
        Engine::lock_soul(self, key, until)
    }

    fn append_revision(&self, draft: &Draft, snapshot: Option<&NewSnapshot>) -> Result<Option<Revision>, Error> {
        self.check_head(&draft.key)?;
        let revision =
            self.write(Alone::Soul(&draft.key), Durable::Now, |db| revisions::append(db, draft, snapshot))?;
        if let Some(adopted) = revision.as_ref().filter(|_| draft.action == Action::Adopt) {
            self.note_head(&draft.key, Some(adopted.link()));
        }
        Ok(revision)
    }

    fn settle_revision(&self, revision: &Revision, settled: Settled, now: Time) -> Result<bool, Error> {
        let key = revision.sealed.key();
        let settle = |db: &dyn Sql| revisions::settle(db, revision, settled, now);
        let done = self.write(Alone::Soul(&key), Durable::Soon, settle)?;
        match settled {
            Settled::Done if done => self.note_head(&key, Some(revision.link())),
            // That less is noted than there is does no harm.
            _ => self.tail(&key).into_iter().for_each(|tail| self.note_head(&key, tail.last.map(|last| last.link()))),
        }
        Ok(done)
    }

    fn tail(&self, key: &SoulKey) -> Result<Tail, Error> {
        self.read(|db| revisions::tail(db, key))
    }

    fn pinned_dialect(&self, key: &SoulKey) -> Result<Option<Dialect>, Error> {
        self.read(|db| revisions::pinned_dialect(db, key))
    }

    fn revision(&self, key: &SoulKey, id: &RevisionId) -> Result<Option<Revision>, Error> {
        self.read(|db| revisions::find(db, key, id))
    }

    fn repeated_revision(&self, key: &SoulKey, idempotency_key: &str) -> Result<Option<Revision>, Error> {
        self.read(|db| revisions::repeated(db, key, idempotency_key))
    }

    fn history(&self, key: &SoulKey, before: Option<i64>, limit: usize, bodies: bool) -> Result<Vec<Revision>, Error> {
        self.read(|db| revisions::history(db, key, before, limit, bodies))
    }

    fn beginning_with(&self, among: Among<'_>, start: &str, limit: usize) -> Result<Vec<String>, Error> {
        self.read(|db| revisions::beginning_with(db, among, start, limit))
    }

    fn souls(&self) -> Result<Vec<SoulKey>, Error> {
        self.read(revisions::souls)
    }

    fn chain(&self, key: &SoulKey, after: i64, limit: usize) -> Result<Vec<Result<Revision, Broken>>, Error> {
        self.read(|db| revisions::chain(db, key, after, limit))
    }

    fn link(&self, key: &SoulKey, seq: i64) -> Result<Option<Digest>, Error> {
        self.read(|db| revisions::link(db, key, seq))
    }

    fn forked_from(&self, key: &SoulKey) -> Result<Option<(String, Link)>, Error> {
        self.read(|db| lineage::forked_from(db, key))
    }

    fn repairs(&self, key: &SoulKey) -> Result<Vec<Repair>, Error> {
        self.read(|db| repairs::find(db, key))
    }

    fn dropped_revisions(&self, key: &SoulKey) -> Result<Vec<RevisionId>, Error> {
        self.read(|db| repairs::dropped(db, key))
    }

    fn repair(&self, repair: &NewRepair) -> Result<(), Error> {
        self.write(Alone::Soul(&repair.key), Durable::Now, |db| repairs::accept(db, repair))
    }

    fn places(&self, scope: &str) -> Result<Vec<Place>, Error> {
        self.read(|db| places::of_scope(db, scope))
    }

    fn places_at(&self, path: &Path) -> Result<Vec<Place>, Error> {
        self.read(|db| places::at(db, path))
    }

    fn pending_place(&self, id: &RevisionId) -> Result<Option<Place>, Error> {
        self.read(|db| places::of_pending(db, id))
    }

    fn pending_until(&self, id: &RevisionId) -> Result<Option<Time>, Error> {
        self.read(|db| places::pending_until(db, id))
    }

    fn bind_place(&self, new: &NewPlace<'_>) -> Result<Option<PlaceId>, Error> {
        self.write(Alone::Scope(new.scope), Durable::Soon, |db| places::bind(db, new))
    }

    fn fork_scope(&self, fork: &NewFork<'_>) -> Result<usize, Error> {
        self.write(Alone::Scope(fork.parent), Durable::Now, |db| places::fork(db, fork))
    }

    fn scopes(&self) -> Result<Vec<ScopeRecord>, Error> {
        self.read(places::scopes)
    }

    fn snapshot(&self, id: &SnapshotId) -> Result<Option<Snapshot>, Error> {
        self.read(|db| snapshots::find(db, id))
    }

    fn snapshot_ids(&self, after: Option<&SnapshotId>, limit: usize) -> Result<Vec<SnapshotId>, Error> {
        self.read(|db| snapshots::ids(db, after, limit))
    }

    fn start_session(&self, session: &NewSession, binding: &Binding) -> Result<Session, Error> {
        self.write(Alone::Rows, Durable::Soon, |db| sessions::start(db, session, binding))
    }

    fn refresh_session(
        &self,
        id: &SessionId,
        expected: Option<&str>,
        binding: &Binding,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Session> {
        self.decide(|db| sessions::refresh(db, id, expected, binding, actor, origin, now))
    }

    fn set_session_state(
        &self,
        id: &SessionId,
        state: SessionState,
        actor: &Party,
        origin: &Party,
        now: Time,
    ) -> Decided<Session> {
        self.decide(|db| sessions::set_state(db, id, state, actor, origin, now))
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>, Error> {
        self.read(|db| sessions::find(db, id))
    }

    fn surroundings(&self, id: &SessionId) -> Result<Option<Surroundings>, Error> {
        self.read(|db| sessions::surroundings(db, id))
    }

    fn sessions(
        &self,
        agent: Option<&str>,
        state: Option<SessionState>,
        before: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Session>, Error> {
        self.read(|db| sessions::list(db, agent, state, before, limit))
    }

    fn receipts(&self, session: Option<&SessionId>, limit: usize) -> Result<Vec<StoredReceipt>, Error> {
        self.read(|db| receipts::list(db, session, limit))
    }

    fn live_run(&self, session: &SessionId, now: Now) -> Result<Option<RunId>, Error> {
        self.read(|db| sessions::live_run(db, session, now))
    }

    fn add_task(&self, task: &Task, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.write(Alone::Rows, Durable::Soon, |db| tasks::add(db, task, actor, origin))
    }

    fn claim_run(
        &self,
        session: &SessionId,
        lease: Duration,
        actor: &Party,
        origin: &Party,
        now: Now,
    ) -> Decided<Option<Run>> {
        self.decide(|db| tasks::claim(db, session, lease, actor, origin, now))
    }

    fn renew_run(&self, id: &RunId, lease: Duration, actor: &Party, origin: &Party, now: Now) -> Decided<Run> {
        self.decide(|db| tasks::renew(db, id, lease, actor, origin, now))
    }

    fn finish_run(&self, id: &RunId, outcome: Outcome, actor: &Party, origin: &Party, now: Now) -> Decided<Run> {
        self.decide(|db| tasks::finish(db, id, outcome, actor, origin, now))
    }

    fn runs(&self, filter: &RunFilter, before: Option<&RunId>, limit: usize) -> Result<Vec<Run>, Error> {
        self.read(|db| tasks::runs(db, filter, before, limit))
    }

    fn tasks(
        &self,
        state: Option<TaskState>,
        after: Option<&TaskId>,
        limit: usize,
    ) -> Result<Option<Vec<Task>>, Error> {
        self.read(|db| tasks::list(db, state, after, limit))
    }

    fn selected_soul(&self) -> Result<Option<String>, Error> {
        self.read(settings::selected)
    }

    fn select_soul(&self, id: Option<&str>, actor: &Party, origin: &Party, now: Time) -> Result<(), Error> {
        self.write(Alone::Setting(settings::SELECTED), Durable::Now, |db| settings::select(db, id, actor, origin, now))
    }

    fn add_token(&self, token: &Token, proof: &RawDigest, actor: &Party, origin: &Party) -> Result<(), Error> {
        self.write(Alone::Rows, Durable::Now, |db| tokens::add(db, token, proof, actor, origin))
    }

    fn token(&self, id: &TokenId) -> Result<Option<(Token, RawDigest)>, Error> {
        self.read(|db| tokens::find(db, id))
    }

    fn tokens(&self) -> Result<Vec<Token>, Error> {
        self.read(tokens::list)
    }

    fn revoke_token(&self, id: &TokenId, actor: &Party, origin: &Party, now: Time) -> Result<Option<Token>, Error> {
        self.write(Alone::Rows, Durable::Now, |db| tokens::revoke(db, id, actor, origin, now))
    }

    fn propose(&self, new: &NewProposal) -> Result<Proposed, Error> {
        self.write(Alone::Soul(&new.key), Durable::Now, |db| proposals::add(db, new))
    }

    fn proposal(&self, id: &ProposalId) -> Result<Option<(Proposal, ProposedText)>, Error> {
        self.read(|db| proposals::find(db, id))
    }

    fn proposals(
        &self,
        agent: Option<&str>,
        state: Option<ProposalState>,
        before: Option<&ProposalId>,
        limit: usize,
    ) -> Result<Vec<Proposal>, Error> {
        self.read(|db| proposals::list(db, agent, state, before, limit))
    }

    fn review_proposal(&self, id: &ProposalId, verdict: &Verdict) -> Result<Reviewed, Error> {
        self.write(Alone::Rows, Durable::Now, |db| proposals::review(db, id, verdict))
    }

    fn persona(&self, key: &SoulKey) -> Result<State, Error> {
        self.read(|db| personas::find(db, key))
    }

    fn adapt_persona(&self, new: &NewMutation) -> Result<Adaptation, Error> {
        self.write(Alone::Persona(&new.key), Durable::Now, |db| personas::adapt(db, new))
    }

    fn mutations(&self, key: &SoulKey, before: Option<i64>, limit: usize) -> Result<Vec<Mutation>, Error> {
        self.read(|db| personas::mutations(db, key, before, limit))
    }

    fn revert_persona(&self, revert: &Revert) -> Result<Option<Vec<MutationId>>, Error> {
        self.write(Alone::Persona(&revert.key), Durable::Now, |db| personas::revert(db, revert))
    }

    fn change_persona(
        &self,
        key: &SoulKey,
        event: &NewEvent,
        now: Time,
        change: &mut dyn FnMut(&mut State),
    ) -> Result<State, Error> {
        self.write(Alone::Persona(key), Durable::Soon, |db| personas::change(db, key, event, now, change))
    }

    fn append_event(&self, event: &NewEvent, now: Time) -> Result<(), Error> {
        self.write(Alone::Rows, Durable::Soon, |db| events::append(db, event, now))
    }

    fn events(&self, filter: &EventFilter, after: i64, limit: usize) -> Result<Vec<Event>, Error> {
        self.number_events()?;
        self.read(|db| events::list(db, filter, after, limit))
    }

    fn event_before_last(&self, filter: &EventFilter, count: usize) -> Result<i64, Error> {
        self.number_events()?;
        self.read(|db| events::before_last(db, filter, count))
    }

    fn id(&self) -> Result<Option<String>, Error> {
        self.read(settings::store_id)
    }

    fn wait_for_news(&self, seen: u64, patience: Duration) -> u64 {
        Engine::wait_for_news(self, seen, patience)
    }

    fn texts(&self) -> Option<&dyn Texts> {
        Engine::texts(self)
    }

    fn version(&self, window: usize) -> Result<i64, Error> {
        Engine::version(self, window)
    }

    fn counts(&self) -> Result<StoreCounts, Error> {
        let tables = self.read_consistent(counts::all)?;
        let tables = tables.into_iter().map(|(table, rows)| TableCount { table: table.to_owned(), rows });
        Ok(StoreCounts { schema_version: self.schema_version()?, bytes: self.bytes()?, tables: tables.collect() })
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        Engine::check(self)
    }

    fn problems(&self) -> Result<Vec<Problem>, Error> {
        let mut problems = self.read(checks::rows)?;
        problems.extend(self.dangling()?);
        Ok(problems)
    }

    fn copy_to(&self, file: &Path) -> Result<(), Error> {
        Engine::copy_to(self, file)
    }
}
