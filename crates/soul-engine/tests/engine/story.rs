//! One story for the store, told on each engine.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;
use soul_core::persona::{Mood, State, Tempo, Trait, Traits};
use soul_core::prompt::Persona;
use soul_engine::Grant;
use soul_engine::clock::Time;
use soul_engine::ids::{ProposalId, RunId, SessionId, TaskId, TokenId};
use soul_engine::store::{
    Action, Among, Binding, Broken, Draft, Error, EventFilter, EventKind, GivenPrompt, LayerReceipt, Link, NewEvent,
    NewMutation, NewProposal, NewSession, NewSnapshot, Outcome, Party, Postgres, Profile, PromptMaker, ProposalState,
    Proposed, ProposedText, Reason, Refusal, Revert, Reviewed, Role, RunFilter, RunState, Session, SessionState,
    Settled, SoulSource, SoulStatus, Sqlite, Store, StoreUrl, Surroundings, Task, TaskState, Token, Verdict,
};
use soul_engine::workspace::{Kind, SoulKey};

use crate::postgres::Server;

#[test]
fn sqlite() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("keeper.db");
    story(&Sqlite::open(&path).unwrap());
    // Everything is there for the next who opens it.
    let store = Sqlite::open(&path).unwrap();
    assert_eq!(store.history(&key("ada"), None, 9, false).unwrap().len(), 2);
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
}

#[test]
fn postgres() {
    let home = tempfile::tempdir().unwrap();
    let Ok(StoreUrl::Postgres(url)) = Server::shared().database().parse() else { panic!() };
    story(&Postgres::open(&url, home.path()).unwrap());
    let store = Postgres::open(&url, home.path()).unwrap();
    assert_eq!(store.history(&key("ada"), None, 9, false).unwrap().len(), 2);
    assert_eq!(store.problems().unwrap(), Vec::new());
}

/// A proposal waits until someone decides, once.
fn proposals(store: &dyn Store) {
    let (agent, person) = (Party::new("agent", "ada"), Party::new("user", "bea"));
    let origin = Party::new("test", "story");
    let new = |body: &str| NewProposal {
        key: key("ada"),
        base_digest: None,
        new_digest: Some(Digest::of([body.as_bytes()])),
        text: ProposedText { base: Some(b"before\n".to_vec()), body: body.as_bytes().to_vec() },
        dialect: Some(Dialect::Plain),
        summary: "added a tone".to_owned(),
        reason: Some("users ask for it".to_owned()),
        evidence: None,
        session: Some("sess_x".to_owned()),
        poisoned: false,
        findings: Vec::new(),
        diagnostics: Vec::new(),
        actor: agent.clone(),
        origin: origin.clone(),
        most: 2,
        // Proposals are listed by their ids, which are in order of time.
        now: if body == "one\n" { now() } else { Time::of_seconds(1_794_823_020) },
    };
    let kept = |body: &str| match store.propose(&new(body)).unwrap() {
        Proposed::Kept(proposal) => *proposal,
        other => panic!("{other:?}"),
    };
    let one = kept("one\n");
    assert_eq!((one.state, &one.proposer, &one.agent[..]), (ProposalState::Pending, &agent, "ada"));
    assert_eq!(store.propose(&new("one\n")).unwrap(), Proposed::Same(Box::new(one.clone())));
    let two = kept("two\n");
    assert_eq!(store.propose(&new("three\n")).unwrap(), Proposed::Full);
    assert_eq!(store.proposal(&one.id).unwrap(), Some((one.clone(), new("one\n").text)));
    assert_eq!(store.proposal(&ProposalId::fresh()).unwrap(), None);
    let listed = |state, before: Option<&ProposalId>| store.proposals(Some("ada"), state, before, 9).unwrap();
    assert_eq!(listed(None, None), [two.clone(), one.clone()]);
    assert_eq!(listed(None, Some(&two.id)), std::slice::from_ref(&one));
    assert_eq!(store.proposals(Some("bob"), None, None, 9).unwrap(), []);
    assert_eq!(store.beginning_with(Among::Proposals, one.id.as_str(), 9).unwrap(), [one.id.as_str()]);

    let verdict = |state| Verdict {
        state,
        message: Some("fine".parse().unwrap()),
        revision: None,
        actor: person.clone(),
        origin: origin.clone(),
        now: now(),
    };
    let Reviewed::Done(rejected) = store.review_proposal(&one.id, &verdict(ProposalState::Rejected)).unwrap() else {
        panic!()
    };
    assert_eq!((rejected.state, rejected.reviewer.as_ref()), (ProposalState::Rejected, Some(&person)));
    let again = store.review_proposal(&one.id, &verdict(ProposalState::Accepted)).unwrap();
    assert_eq!(again, Reviewed::Already(rejected.clone()));
    assert_eq!(
        store.review_proposal(&ProposalId::fresh(), &verdict(ProposalState::Accepted)).unwrap(),
        Reviewed::Missing
    );
    assert_eq!(listed(Some(ProposalState::Pending), None), std::slice::from_ref(&two));
    assert_eq!(listed(Some(ProposalState::Rejected), None), [*rejected]);
    store.review_proposal(&two.id, &verdict(ProposalState::Accepted)).unwrap();
    // What was decided makes room.
    kept("three\n");
    let told =
        store.events(&EventFilter { kind: Some("proposal".to_owned()), ..EventFilter::default() }, 0, 99).unwrap();
    let told: Vec<_> = told.into_iter().map(|event| (event.event.kind, event.event.proposal)).collect();
    let (of_one, of_two) = (Some(one.id), Some(two.id));
    assert_eq!(
        told[..4],
        [
            (EventKind::ProposalCreate, of_one.clone()),
            (EventKind::ProposalCreate, of_two.clone()),
            (EventKind::ProposalReject, of_one),
            (EventKind::ProposalAccept, of_two),
        ]
    );
}

/// A store, and someone else who runs statements on its tables, where rows may refer to what is not there. What a
/// statement finds is as `psql` prints it.
struct Opened {
    _home: tempfile::TempDir,
    store: Box<dyn Store>,
    sql: Box<dyn Fn(&str) -> String>,
}

/// One on each engine.
fn opened() -> [Opened; 2] {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("keeper.db");
    let store = Box::new(Sqlite::open(&path).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    let sql = move |statement: &str| {
        let mut statement = connection.prepare(statement).unwrap();
        let columns = statement.column_count();
        let mut found = String::new();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let text = |column| row.get::<_, Option<String>>(column).unwrap().unwrap_or_default();
            found += &((0..columns).map(text).collect::<Vec<_>>().join("|") + "\n");
        }
        found
    };
    let sqlite = Opened { _home: home, store, sql: Box::new(sql) };

    let (home, url) = (tempfile::tempdir().unwrap(), Server::shared().database());
    let Ok(StoreUrl::Postgres(parsed)) = url.parse() else { panic!() };
    let store = Box::new(Postgres::open(&parsed, home.path()).unwrap());
    let database = url.rsplit('/').next().unwrap().to_owned();
    let sql = move |statement: &str| {
        Server::shared().psql(&database, &format!("SET session_replication_role = replica; {statement}"))
    };
    [sqlite, Opened { _home: home, store, sql: Box::new(sql) }]
}

pub(super) fn started(store: &dyn Store) -> Session {
    let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "story"));
    let binding = Binding {
        soul: None,
        status: SoulStatus::Missing,
        surroundings: Surroundings::default(),
        source: None,
        persona: None,
        prompt: PromptMaker::default(),
    };
    let new = NewSession { key: key("ada"), parent: None, actor, origin, now: now() };
    store.start_session(&new, &binding).unwrap()
}

#[test]
fn a_refusal_changes_nothing() {
    for Opened { store, sql, .. } in &opened() {
        let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "story"));
        let session = started(&**store);
        let (id, state) = (TaskId::fresh_at(now()), TaskState::Queued);
        let task = Task { id, agent: None, scope: None, payload: json!(1), state, created_at: now(), run: None };
        store.add_task(&task, &actor, &origin).unwrap();
        let minute = Duration::from_secs(60);
        let run = store.claim_run(&session.id, minute, &actor, &origin, now().into()).unwrap().unwrap().unwrap();
        let rows = || {
            let queries = [
                "SELECT state, lease_expires_at, finished_at FROM task_runs",
                "SELECT state FROM tasks",
                "SELECT kind FROM events ORDER BY kind",
            ];
            queries.map(sql)
        };
        // The session of the run is gone, which is noticed after the run was found.
        sql("DELETE FROM sessions");
        let before = rows();
        let finished = store.finish_run(&run.id, Outcome::Done, &actor, &origin, now().into()).unwrap();
        assert_eq!(finished, Err(Refusal::NoSession));
        assert_eq!(store.renew_run(&run.id, minute, &actor, &origin, now().into()).unwrap(), Err(Refusal::NoSession));
        let claimed = store.claim_run(&session.id, minute, &actor, &origin, now().into()).unwrap();
        assert_eq!(claimed, Err(Refusal::NoSession));
        assert_eq!(rows(), before);
    }
}

#[test]
fn a_value_that_is_never_written_is_damage() {
    for Opened { store, sql, .. } in &opened() {
        let session = started(&**store);
        let revision = store.append_revision(&draft("ada", Action::Adopt, "one"), None).unwrap().unwrap();
        let damaged = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Damaged(_))), "{result:?}");
        for wrong in ["", "0", "yesterday", "2026-11-16T09:56:59Z", "2026-11-16 09:56:59.000000Z"] {
            sql(&format!("UPDATE sessions SET created_at = '{wrong}'"));
            damaged(store.session(&session.id).map(drop));
            sql(&format!("UPDATE events SET time = '{wrong}'"));
            damaged(store.events(&EventFilter::default(), 0, 9).map(drop));
            sql(&format!("UPDATE agent_soul_revisions SET created_at = '{wrong}'"));
            damaged(store.tail(&key("ada")).map(drop));
            // An audit goes on, and names it.
            let broken = Broken(revision.sealed.id.as_str().to_owned());
            assert_eq!(store.chain(&key("ada"), 0, 9).unwrap(), [Err(broken)]);
        }
        let given = r#"{"runtime":"","prompt_digest":"","bytes":0,"layers":[]}"#;
        sql(&format!(
            "INSERT INTO session_receipts (id, session_id, captured_at, actor_kind, actor_ref, prompt_json) \
             VALUES ('rcpt_1', '{}', '2026-11-16T09:56:59.000000Z', 'user', 'ada', '{given}')",
            session.id.as_str()
        ));
        damaged(store.receipts(Some(&session.id), 9).map(drop));
        sql("UPDATE sessions SET created_at = captured_at, soul_digest = 'sha256:0'");
        damaged(store.session(&session.id).map(drop));
    }
}

pub(super) fn key(name: &str) -> SoulKey {
    SoulKey { scope: "home".to_owned(), kind: Kind::Agent, name: name.to_owned() }
}

/// The time of the whole story: nothing asks another clock.
pub(super) fn now() -> Time {
    Time::of_seconds(1_794_823_019)
}

fn digest(text: &str) -> Digest {
    Digest::of([text.as_bytes()])
}

fn draft(name: &str, action: Action, text: &str) -> Draft {
    Draft {
        key: key(name),
        after: None,
        place: None,
        action,
        previous_digest: None,
        new_digest: Some(digest(text)),
        body: Some(text.as_bytes().to_vec()),
        dialect: Some(Dialect::Agh),
        idempotency: Some((format!("key {text}"), digest("request"))),
        reason: None,
        message: None,
        actor: Party::new("user", "ada"),
        origin: Party::new("test", "story"),
        now: now(),
    }
}

fn snapshot(name: &str, text: &str, config: &str) -> NewSnapshot {
    NewSnapshot {
        key: key(name),
        digest: digest(text),
        config_digest: digest(config),
        profile: Profile {
            dialect: Dialect::Agh,
            source_path: "agents/ada/SOUL.md".to_owned(),
            identity: ("before ".to_owned(), Some(" after".to_owned())),
            role: "Guide".to_owned(),
            tone: vec!["calm".to_owned()],
            principles: Vec::new(),
            context_projection_bytes: 2048,
        },
        files: BTreeMap::from([("SOUL.md".to_owned(), text.as_bytes().to_vec())]),
    }
}

fn story(store: &dyn Store) {
    let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "story"));

    // A change is recorded, is not seen until it is settled, and is seen then.
    let first = store.append_revision(&draft("ada", Action::Put, "one"), Some(&snapshot("ada", "one", "c")));
    let first = first.unwrap().unwrap();
    assert_eq!(first.sealed.seq, 1);
    // Nothing is chained onto a revision that is pending.
    let next = |after, action| Draft { after, ..draft("ada", action, "two") };
    for after in [None, Some(first.link())] {
        assert_eq!(store.append_revision(&next(after, Action::Adopt), None).unwrap(), None);
    }
    assert_eq!(store.tail(&key("ada")).unwrap().last, None);
    assert_eq!(store.tail(&key("ada")).unwrap().pending.map(|found| found.sealed), Some(first.sealed.clone()));
    let taken = first.sealed.snapshot_id.clone().unwrap();
    assert_eq!(store.snapshot(&taken).unwrap(), None);
    store.settle_revision(&first, Settled::Done, now()).unwrap();
    assert_eq!(store.tail(&key("ada")).unwrap().pending, None);
    assert_eq!(store.revision(&key("ada"), &first.sealed.id).unwrap(), Some(first.clone()));
    assert_eq!(store.revision(&key("bob"), &first.sealed.id).unwrap(), None);
    assert_eq!(store.snapshot(&taken).unwrap().unwrap().identity(), format!("before {} after", taken.as_str()));

    // One that is dropped leaves nothing, and its number is free again.
    let after = Some(first.link());
    let lost = store.append_revision(&next(after, Action::Put), Some(&snapshot("ada", "two", "c"))).unwrap().unwrap();
    store.settle_revision(&lost, Settled::Dropped, now()).unwrap();
    assert_eq!(store.repeated_revision(&key("ada"), "key two").unwrap(), None);
    let second = store.append_revision(&next(after, Action::Adopt), None).unwrap().unwrap();
    // A change for a record that has gone on meanwhile is refused.
    for after in [None, after, Some(Link { seq: 2, chain: first.chain })] {
        assert_eq!(store.append_revision(&next(after, Action::Put), None).unwrap(), None);
    }
    assert_eq!((second.sealed.seq, second.chain), (2, second.sealed.chain(Some(first.chain))));
    assert_eq!(store.repeated_revision(&key("ada"), "key two").unwrap().unwrap().sealed.id, second.sealed.id);
    assert_eq!(store.tail(&key("ada")).unwrap().last.unwrap().sealed.id, second.sealed.id);

    // Souls do not see each other's past.
    let other = store.append_revision(&draft("bob", Action::Adopt, "one"), None).unwrap().unwrap();
    assert_eq!((other.sealed.seq, other.chain), (1, other.sealed.chain(None)));
    assert_eq!(store.souls().unwrap(), [key("ada"), key("bob")]);
    let seqs = |found: Vec<soul_engine::store::Revision>| found.iter().map(|one| one.sealed.seq).collect::<Vec<_>>();
    assert_eq!(seqs(store.history(&key("ada"), None, 9, true).unwrap()), [2, 1]);
    assert_eq!(seqs(store.history(&key("ada"), Some(2), 9, true).unwrap()), [1]);
    assert_eq!(seqs(store.history(&key("ada"), None, 1, false).unwrap()), [2]);
    assert_eq!(store.chain(&key("ada"), 1, 9).unwrap(), [Ok(second.clone())]);

    // The same soul under the same settings is one snapshot.
    let bound = |config: &str| Binding {
        soul: Some(Box::new(snapshot("ada", "one", config))),
        status: SoulStatus::Valid,
        surroundings: Default::default(),
        source: None,
        persona: None,
        prompt: PromptMaker::default(),
    };
    let nothing = Binding { soul: None, status: SoulStatus::Missing, ..bound("c") };
    let begin = |parent: Option<(SessionId, Option<Digest>)>, binding: &Binding| {
        let new = NewSession { key: key("ada"), parent, actor: actor.clone(), origin: origin.clone(), now: now() };
        store.start_session(&new, binding).unwrap()
    };
    let session = begin(None, &bound("c"));
    assert_eq!(session.soul_snapshot_id, Some(taken.clone()));
    let elsewhere = begin(Some((session.id.clone(), session.soul_digest)), &bound("d"));
    assert_ne!(elsewhere.soul_snapshot_id, session.soul_snapshot_id);
    assert_eq!(elsewhere.parent_soul_digest, session.soul_digest);
    let alone = begin(None, &nothing);
    assert_eq!((&alone.soul_snapshot_id, &alone.soul_digest), (&None, &None));
    assert_eq!(store.session(&session.id).unwrap(), Some(session.clone()));
    assert_eq!(store.sessions(Some("ada"), Some(SessionState::Active), None, 9).unwrap().len(), 3);
    assert_eq!(store.sessions(Some("bob"), None, None, 9).unwrap(), []);

    // What a session is told besides is its own, though the snapshot is the same.
    let told = Surroundings { user: Some("Roberto".to_owned()), ..Surroundings::default() };
    let other = begin(None, &Binding { surroundings: told.clone(), ..bound("c") });
    assert_eq!(other.soul_snapshot_id, session.soul_snapshot_id);
    assert_eq!(store.surroundings(&other.id).unwrap(), Some(told));
    assert_eq!(store.surroundings(&session.id).unwrap(), Some(Surroundings::default()));
    assert_eq!(store.surroundings(&"sess_nope".to_owned().into()).unwrap(), None);

    // How the agent was disposed is the session's own too, to the last bit.
    let traits = Traits::from_iter([(Trait::Openness, 0.050_000_000_000_000_044)]);
    let persona = Some(Persona { traits, mood: Some("calm".to_owned()) });
    let disposed = begin(None, &Binding { persona, ..bound("c") });
    assert_eq!(store.session(&disposed.id).unwrap(), Some(disposed.clone()));
    let neutral =
        store.refresh_session(&disposed.id, None, &bound("c"), &actor, &origin, now().into()).unwrap().unwrap();
    assert_eq!((neutral.persona.clone(), store.session(&disposed.id).unwrap()), (None, Some(neutral)));
    store.set_session_state(&disposed.id, SessionState::Stopped, &actor, &origin, now()).unwrap().unwrap();

    personas(store, &actor, &origin);

    // A session on a soul of the library is no agent's, and tells which soul it is.
    let source = SoulSource { id: "ops".to_owned(), reason: Reason::Selected, passed_over: Vec::new() };
    let shelf = SoulKey { kind: Kind::Library, ..key("ops") };
    let taken = NewSnapshot { key: shelf.clone(), ..snapshot("ops", "ops", "c") };
    let new = NewSession { key: shelf, parent: None, actor: actor.clone(), origin: origin.clone(), now: now() };
    let library = Binding { soul: Some(Box::new(taken)), source: Some(source.clone()), ..bound("c") };
    let nobody = store.start_session(&new, &library).unwrap();
    assert_eq!((&nobody.agent, &nobody.soul_source), (&None, &Some(source)));
    assert_eq!(store.session(&nobody.id).unwrap(), Some(nobody.clone()));
    assert_eq!(store.sessions(Some("ops"), None, None, 9).unwrap(), []);
    let freed = store.refresh_session(&nobody.id, None, &nothing, &actor, &origin, now().into()).unwrap().unwrap();
    assert_eq!(store.session(&nobody.id).unwrap().unwrap().soul_source, freed.soul_source);
    store.set_session_state(&nobody.id, SessionState::Stopped, &actor, &origin, now()).unwrap().unwrap();

    // One soul is selected, or none.
    assert_eq!(store.selected_soul().unwrap(), None);
    for id in [Some("ops"), Some("ops"), Some("default"), None] {
        store.select_soul(id, &actor, &origin, now()).unwrap();
        assert_eq!(store.selected_soul().unwrap().as_deref(), id);
    }
    let told = store
        .events(&EventFilter::default(), 0, 99)
        .unwrap()
        .into_iter()
        .filter(|event| event.event.kind == EventKind::Select);
    assert_eq!(
        told.map(|event| event.event.soul).collect::<Vec<_>>(),
        [Some("ops".into()), Some("default".into()), None]
    );

    // A token is there with what proves it, until it is revoked, once.
    let token = Token {
        id: TokenId::fresh(),
        name: Some("ci".to_owned()),
        role: Role::Author,
        grants: vec![Grant::Read, Grant::Write],
        agent: Some("ada".to_owned()),
        created_at: now(),
        revoked_at: None,
    };
    store.add_token(&token, &RawDigest::of(b"secret"), &actor, &origin).unwrap();
    assert_eq!(store.token(&token.id).unwrap(), Some((token.clone(), RawDigest::of(b"secret"))));
    let revoke = |id: &TokenId| store.revoke_token(id, &actor, &origin, now()).unwrap();
    let revoked = revoke(&token.id).unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!((revoke(&token.id), revoke(&TokenId::fresh())), (Some(revoked.clone()), None));
    assert_eq!(store.tokens().unwrap(), [revoked]);
    let told =
        store.events(&EventFilter::default(), 0, 99).unwrap().into_iter().filter(|event| event.event.token.is_some());
    let told: Vec<_> = told.map(|event| event.event.kind).collect();
    assert_eq!(told, [EventKind::TokenCreate, EventKind::TokenRevoke]);

    proposals(store);
    receipts(store, &bound("c"), &nothing);

    // A session is bound anew only if it is idle and is what it was thought to be.
    let refresh = |id: &SessionId, expected: Option<&str>| {
        store.refresh_session(id, expected, &bound("e"), &actor, &origin, now().into()).unwrap()
    };
    assert_eq!(refresh(&session.id, Some("x")), Err(Refusal::OtherDigest(session.soul_digest)));
    let task = |agent: Option<&str>, n: i32| Task {
        id: TaskId::fresh(),
        agent: agent.map(str::to_owned),
        scope: agent.map(|_| "home".to_owned()),
        payload: json!(n),
        state: TaskState::Queued,
        created_at: now(),
        run: None,
    };
    for (agent, n) in [(Some("bob"), 1), (Some("ada"), 2), (None, 3)] {
        store.add_task(&task(agent, n), &actor, &origin).unwrap();
    }
    let claim = |id: &SessionId, lease| store.claim_run(id, lease, &actor, &origin, now().into()).unwrap();
    let run = claim(&session.id, Duration::from_secs(60)).unwrap().unwrap();
    assert_eq!(run.payload, json!(2));
    assert_eq!(store.live_run(&session.id, now().into()).unwrap(), Some(run.id.clone()));
    assert_eq!(refresh(&session.id, None), Err(Refusal::LiveRun(run.id.clone())));
    store.finish_run(&run.id, Outcome::Done, &actor, &origin, now().into()).unwrap().unwrap();
    let refreshed = refresh(&session.id, session.soul_digest.map(|digest| digest.to_string()).as_deref()).unwrap();
    assert_ne!(refreshed.soul_snapshot_id, session.soul_snapshot_id);
    assert_eq!(store.session(&session.id).unwrap(), Some(refreshed));

    // What is left is for anybody; what expires is there again.
    let brief = claim(&session.id, Duration::ZERO).unwrap().unwrap();
    assert_eq!(claim(&alone.id, Duration::from_secs(60)).unwrap().unwrap().task_id, brief.task_id);
    assert_eq!(claim(&alone.id, Duration::from_secs(60)), Ok(None));
    let queued = store.tasks(Some(TaskState::Queued), None, 9).unwrap().unwrap();
    assert_eq!(queued.iter().map(|task| task.payload.clone()).collect::<Vec<_>>(), [json!(1)]);
    let all = store.tasks(None, None, 9).unwrap().unwrap();
    assert_eq!(store.tasks(None, Some(&all[0].id), 9).unwrap().unwrap(), all[1..]);
    assert_eq!(store.tasks(None, Some(&TaskId::fresh()), 9).unwrap(), None);

    // A task shows its newest run; runs are listed with the newest first.
    let done = all[1].run.as_ref().unwrap();
    assert_eq!((done.state, &done.session_id, done.soul_digest), (RunState::Done, &session.id, session.soul_digest));
    let runs = |filter: &RunFilter, before: Option<&RunId>, limit| {
        let found = store.runs(filter, before, limit).unwrap();
        found.into_iter().map(|run| run.id).collect::<Vec<_>>()
    };
    let listed = runs(&RunFilter::default(), None, 9);
    // All of them were claimed at the same time, so that their ids decide.
    assert!(listed.len() == 3 && listed.is_sorted_by(|a, b| a.as_str() > b.as_str()), "{listed:?}");
    assert_eq!(runs(&RunFilter::default(), Some(&listed[0]), 1), listed[1..2]);
    let of = |filter: RunFilter| runs(&filter, None, 9);
    assert_eq!(of(RunFilter { session: Some(session.id.clone()), ..RunFilter::default() }).len(), 2);
    let of_task = of(RunFilter { task: Some(brief.task_id.clone()), ..RunFilter::default() });
    assert_eq!((of_task.len(), all[2].run.as_ref().map(|run| &run.id)), (2, of_task.first()));
    assert_eq!(all[0].run, None);
    assert_eq!(
        of(RunFilter { state: Some(RunState::Expired), ..RunFilter::default() }),
        std::slice::from_ref(&brief.id)
    );

    let stopped = store.set_session_state(&session.id, SessionState::Stopped, &actor, &origin, now()).unwrap().unwrap();
    assert!(stopped.stopped_at.is_some());
    assert_eq!(claim(&session.id, Duration::from_secs(60)), Err(Refusal::Stopped));
    assert_eq!(refresh(&session.id, None), Err(Refusal::Stopped));
    let nobody: SessionId = "sess_nope".to_owned().into();
    assert_eq!(claim(&nobody, Duration::from_secs(60)), Err(Refusal::NoSession));

    // All of it was told, in order.
    let events = store.events(&EventFilter::default(), 0, 99).unwrap();
    let kinds: Vec<_> = events.iter().map(|event| event.event.kind).collect();
    assert_eq!(kinds[..4], [EventKind::Put, EventKind::Dropped, EventKind::Adopt, EventKind::Adopt]);
    assert_eq!(kinds.last(), Some(&EventKind::SessionStop));
    assert!(kinds.contains(&EventKind::RunExpire) && kinds.contains(&EventKind::SessionSpawn));
    assert!(events.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    let tail = store.event_before_last(&EventFilter::default(), 2).unwrap();
    assert_eq!(store.events(&EventFilter::default(), tail, 99).unwrap(), events[events.len() - 2..]);

    // Those before one are a list of their own, and a filter says the same of an event that was read.
    let until_third = EventFilter { before: Some(events[3].seq), ..EventFilter::default() };
    assert_eq!(store.events(&until_third, 0, 99).unwrap(), events[..3]);
    assert_eq!(store.event_before_last(&until_third, 2).unwrap(), events[0].seq);
    let text = |text: &str| Some(text.to_owned());
    let filters = [
        EventFilter { kind: text("soul"), ..EventFilter::default() },
        EventFilter { kind: text("soul.put"), ..EventFilter::default() },
        EventFilter { kind: text("sou"), ..EventFilter::default() },
        EventFilter { agent: text("bob"), ..until_third },
        EventFilter { actor: text("user:ada"), kind: text("run"), ..EventFilter::default() },
        EventFilter { actor: text("agent"), ..EventFilter::default() },
        EventFilter { since: Some(now()), ..EventFilter::default() },
        EventFilter { until: Some(now()), ..EventFilter::default() },
    ];
    for filter in filters {
        let admitted: Vec<_> = events.iter().filter(|event| filter.admits(event)).cloned().collect();
        assert_eq!(store.events(&filter, 0, 99).unwrap(), admitted, "{filter:?}");
    }
}

/// What a session is given is recorded with it: by the snapshot that it was really bound to, once for each binding.
fn receipts(store: &dyn Store, bound: &Binding, nothing: &Binding) {
    let (actor, origin) = (Party::new("user", "ada"), Party::new("test", "story"));
    let given = |text: &str| GivenPrompt {
        runtime: "soul@1".to_owned(),
        prompt_digest: RawDigest::of(text.as_bytes()),
        bytes: text.len(),
        layers: vec![LayerReceipt {
            name: "identity".to_owned(),
            source: "SOUL.md".to_owned(),
            bytes: text.len(),
            digest: RawDigest::of(text.as_bytes()),
        }],
    };
    let prompt = PromptMaker::new(move |snapshot| {
        Some(given(&snapshot.map_or("nobody\n".to_owned(), |found| found.identity())))
    });
    let before = store.receipts(None, 9).unwrap().len();
    let new = NewSession { key: key("ada"), parent: None, actor: actor.clone(), origin: origin.clone(), now: now() };
    let session = store.start_session(&new, &Binding { prompt: prompt.clone(), ..bound.clone() }).unwrap();
    let found = store.receipts(Some(&session.id), 9).unwrap();
    let taken = session.soul_snapshot_id.clone().unwrap();
    let [receipt] = &found[..] else { panic!("{found:?}") };
    assert_eq!(receipt.prompt, given(&format!("before {} after", taken.as_str())));
    assert_eq!((&receipt.session_id, receipt.captured_at), (&session.id, session.captured_at));
    assert_eq!((&receipt.snapshot_id, receipt.soul_digest), (&session.soul_snapshot_id, session.soul_digest));
    assert_eq!(receipt.caller, actor);

    // Bound anew, it has another one, and keeps the first.
    let later = Time::of_seconds(1_794_823_020);
    let other = Party::new("agent", "bob");
    let unbound = Binding { prompt, ..nothing.clone() };
    store.refresh_session(&session.id, None, &unbound, &other, &origin, later.into()).unwrap().unwrap();
    let found = store.receipts(Some(&session.id), 9).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0].caller, &found[0].prompt, &found[0].snapshot_id), (&other, &given("nobody\n"), &None));
    assert_eq!(found[1], *receipt);
    assert_eq!(store.receipts(Some(&session.id), 1).unwrap(), found[..1]);
    // A refusal records nothing, and neither does a binding without a prompt.
    store.refresh_session(&session.id, Some("x"), &unbound, &other, &origin, later.into()).unwrap().unwrap_err();
    let silent = store.start_session(&new, bound).unwrap();
    assert_eq!(store.receipts(Some(&silent.id), 9).unwrap(), []);
    assert_eq!(store.receipts(None, 9).unwrap().len(), before + 2);
    for id in [&session.id, &silent.id] {
        store.set_session_state(id, SessionState::Stopped, &actor, &origin, now()).unwrap().unwrap();
    }
}

/// A persona takes steps within a budget, and takes them back.
pub(super) fn personas(store: &dyn Store, actor: &Party, origin: &Party) {
    let take = |name: &str, session: &str, delta: f64| {
        store
            .adapt_persona(&NewMutation {
                key: key(name),
                of: Trait::Openness,
                delta,
                session: session.to_owned(),
                reason: "because".to_owned(),
                evidence: None,
                baseline: Traits::from_iter([(Trait::Openness, 0.5)]),
                tempo: Tempo::default(),
                now: Time::of_seconds(86_400),
                actor: actor.clone(),
                origin: origin.clone(),
            })
            .unwrap()
    };
    assert_eq!(store.persona(&key("ada")).unwrap(), State::default());
    let first = take("ada", "one", 0.1);
    let second = take("ada", "one", 0.1);
    assert_eq!((second.adapted.delta, second.adapted.session_total), (0.049_999_999_999_999_99, 0.15));
    let spent = take("ada", "one", -0.1);
    assert_eq!((spent.adapted.new, spent.id), (second.adapted.new, None));
    let third = take("ada", "two", -0.1);
    let steps = |name: &str, before| store.mutations(&key(name), before, 9).unwrap();
    let ids: Vec<_> = steps("ada", None).into_iter().map(|step| Some(step.id)).collect();
    assert_eq!(ids, [third.id, second.id.clone(), first.id.clone()]);
    assert_eq!(steps("ada", Some(2)).len(), 1);
    assert_eq!(store.persona(&key("ada")).unwrap().mutations.len(), 3);
    take("bob", "one", 0.1);

    let back = |to: Option<soul_engine::ids::MutationId>| {
        let (actor, origin) = (actor.clone(), origin.clone());
        store.revert_persona(&Revert { key: key("ada"), to, now: Time::of_seconds(86_400), actor, origin }).unwrap()
    };
    assert_eq!(back(first.id.clone()).unwrap().len(), 2);
    assert_eq!(store.persona(&key("ada")).unwrap().mutations.len(), 1);
    assert_eq!(back(second.id), None);
    assert!(steps("ada", None)[0].reverted_at.is_some() && steps("ada", None)[2].reverted_at.is_none());

    // A change that changes nothing is not told.
    let mood = NewEvent::for_soul(EventKind::PersonaMood, &key("ada"), actor, origin);
    for _ in 0..2 {
        let state =
            store.change_persona(&key("ada"), &mood, now(), &mut |state| state.mood = Some(Mood::set("calm", 7)));
        assert_eq!(store.persona(&key("ada")).unwrap(), state.unwrap());
    }
    assert_eq!(back(None).unwrap(), [first.id.unwrap()]);
    assert_eq!(store.persona(&key("ada")).unwrap(), State::default());
    assert_eq!(back(None).unwrap(), []);
    assert_eq!(store.persona(&key("bob")).unwrap().mutations.len(), 1);
    let events = store.events(&EventFilter::default(), 0, 99).unwrap();
    let steps = events.iter().filter(|event| event.event.kind == EventKind::PersonaAdapt);
    let steps: Vec<_> = steps.map(|event| (event.event.detail.trait_, event.event.detail.delta)).collect();
    assert_eq!(steps[1], (Some(Trait::Openness), Some(second.adapted.delta)));
    let told = events.into_iter().map(|event| event.event.kind.as_str());
    let told: Vec<_> = told.filter(|kind| kind.starts_with("persona.")).collect();
    let adapts = ["persona.adapt"; 4];
    assert_eq!(told, [&adapts[..], &["persona.revert", "persona.mood", "persona.revert"]].concat());
}
