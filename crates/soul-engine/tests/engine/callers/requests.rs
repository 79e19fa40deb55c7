//! A small valid request of every operation, in a home that has something for each.

use std::fs;

use serde_json::{Value, json};
use soul_engine::Grant;
use soul_engine::ids::{ProposalId, RevisionId, RunId, SessionId, TokenId};
use soul_engine::ops::library::create;
use soul_engine::ops::{propose, session, task, token, write};
use soul_engine::store::Role;

use crate::{Home, coder, digest, put, run};

const SOUL: &str = "---\nname: Coder\nhexaco:\n  openness: 0.6\nallowedMoods: [neutral, focused]\n---\nYou code.\n";

/// A home in which every row can be run: an agent with a persona and a memory, a package, a library soul, a
/// live run, an idle session, a task that waits, a token, and a workspace.
pub(crate) struct World {
    pub(crate) home: Home,
    digest: String,
    first_revision: RevisionId,
    library_revision: RevisionId,
    session: SessionId,
    run: RunId,
    token: TokenId,
    proposal: ProposalId,
    scope: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        fs::create_dir_all(home.project().join(".soul/agents/scout")).unwrap();
        let keeper = home.keeper();
        run(&keeper, write::Request::new("scout".parse().unwrap(), "You scout.\n".into())).unwrap();
        let first = put(&keeper, &SOUL.replace("0.6", "0.5"), None).unwrap();
        put(&keeper, SOUL, digest(&keeper).as_deref()).unwrap();
        fs::write(home.agent().join("MEMORY.md"), "# Deploys\n\nOn Mondays.\n").unwrap();
        let package = home.0.path().join("agents/package");
        fs::create_dir(&package).unwrap();
        fs::write(package.join("soul.json"), r#"{"specVersion": "0.4", "name": "package", "version": "1.0.0"}"#)
            .unwrap();
        fs::write(package.join("SOUL.md"), "You are packed.\n").unwrap();
        let (name, content) = ("Ops".to_owned(), "You run things.".to_owned());
        let soul = create::Request { id: None, name, description: String::new(), content, force: None };
        let soul = run(&keeper, soul).unwrap();
        let start = || {
            let request = session::start::Request { agent: Some(coder()), soul: None };
            run(&keeper, request).unwrap().response.session.id
        };
        for payload in [json!(1), json!(2)] {
            run(&keeper, task::add::Request { agent: None, payload }).unwrap();
        }
        let claim = task::claim::Request { session_id: start(), lease_seconds: Default::default() };
        let claimed = run(&keeper, claim).unwrap().run.unwrap();
        let made =
            run(&keeper, token::create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None });
        let made = made.unwrap();
        let proposed = SOUL.replace("You code.", "You code well.");
        let proposed = run(&keeper, propose::Request::new(coder(), proposed.as_str().into())).unwrap();
        Self {
            digest: digest(&keeper).unwrap(),
            first_revision: first.revision.sealed.id,
            library_revision: soul.revision_id.unwrap(),
            session: start(),
            run: claimed.id,
            token: made.token.id,
            proposal: proposed.proposal.id,
            scope: fs::read_to_string(home.project().join(".soul/id")).unwrap().trim().to_owned(),
            home,
        }
    }
}

/// A request, and the grant that it needs.
pub(crate) struct Row {
    pub(crate) operation: &'static str,
    pub(crate) grant: Grant,
    pub(crate) request: Value,
}

/// At least one request of every operation; two where the grant depends on the request.
pub(crate) fn rows(world: &World) -> Vec<Row> {
    use Grant::{Admin, Read, Write};
    let World { digest, first_revision, library_revision, session, run, token, proposal, scope, .. } = world;
    let agent = || json!({ "agent": "coder" });
    let rows = [
        ("audit.repair", Admin, json!({ "dry_run": true })),
        ("audit.verify", Read, json!({})),
        ("backup", Admin, json!({})),
        ("boot", Read, agent()),
        ("check", Read, json!({ "targets": [agent()] })),
        ("check", Write, json!({ "targets": [agent()], "fix": "apply" })),
        ("context", Read, agent()),
        ("convert", Read, json!({ "agent": "coder", "to": "dagu" })),
        ("delete", Write, json!({ "agent": "coder", "expected_digest": digest })),
        ("diff", Read, agent()),
        ("doctor", Read, json!({})),
        ("explain", Read, json!({})),
        ("history", Read, agent()),
        ("inspect", Read, agent()),
        ("library.create", Write, json!({ "name": "New", "content": "You are new." })),
        ("library.current", Read, json!({})),
        ("library.delete", Write, json!({ "id": "ops" })),
        ("library.diff", Read, json!({ "id": "ops" })),
        ("library.history", Read, json!({ "id": "ops" })),
        ("library.list", Read, json!({})),
        ("library.rollback", Write, json!({ "id": "ops", "revision_id": library_revision })),
        ("library.select", Read, json!({})),
        ("library.select", Write, json!({ "id": "ops" })),
        ("library.show", Read, json!({ "id": "ops" })),
        ("library.update", Write, json!({ "id": "ops", "content": "You run everything." })),
        ("deliver", Read, json!({ "agent": "coder", "runtime": "openclaw" })),
        ("list", Read, json!({})),
        ("log", Read, json!({})),
        ("memory.add", Write, json!({ "agent": "coder", "text": "Noted." })),
        ("memory.detail", Read, json!({ "agent": "coder", "file": "MEMORY.md" })),
        ("memory.forget", Write, json!({ "agent": "coder", "file": "MEMORY.md", "section": "Deploys" })),
        ("memory.search", Read, json!({ "agent": "coder", "query": "deploys" })),
        ("memory.status", Read, agent()),
        (
            "merge",
            Read,
            json!({ "agent": "coder", "base": "You code.\n", "ours": "You code.\n", "theirs": "You write.\n" }),
        ),
        ("migrate", Read, json!({ "agent": "package", "to": "0.6", "dry_run": true })),
        ("migrate", Write, json!({ "agent": "package", "to": "0.6" })),
        ("persona.adapt", Write, json!({ "agent": "coder", "trait": "openness", "delta": 0.1, "reason": "because" })),
        ("persona.drift", Read, json!({ "agent": "coder", "traces": traces() })),
        ("persona.drift", Write, json!({ "agent": "coder", "traces": traces(), "apply": true })),
        ("persona.history", Read, agent()),
        ("persona.mood", Read, agent()),
        ("persona.mood", Write, json!({ "agent": "coder", "set": "focused" })),
        ("persona.mood", Write, json!({ "agent": "coder", "event": { "valence": 1, "arousal": 1, "dominance": 0 } })),
        ("persona.overlay", Read, agent()),
        ("new", Write, json!({ "agent": "novice" })),
        ("persona.overlay", Write, json!({ "agent": "coder", "rules": rules() })),
        ("persona.overlay", Write, json!({ "agent": "coder", "clear": true })),
        ("persona.revert", Write, agent()),
        ("persona.show", Read, agent()),
        ("prompt", Read, agent()),
        ("record", Write, agent()),
        ("restore-backup", Admin, json!({})),
        ("proposals", Read, json!({ "state": "all" })),
        (
            "propose",
            Read,
            json!({ "agent": "coder", "edits": [{ "section": "Style", "action": "add", "text": "- Be brief." }] }),
        ),
        ("review", Read, json!({ "id": proposal })),
        ("review", Write, json!({ "id": proposal, "accept": true })),
        ("review", Write, json!({ "id": proposal, "reject": "Not yet." })),
        ("rollback", Read, json!({ "agent": "coder", "revision_id": first_revision, "dry_run": true })),
        ("rollback", Write, json!({ "agent": "coder", "revision_id": first_revision, "expected_digest": digest })),
        (
            "rollback-check",
            Read,
            json!({ "current_files": { "SOUL.md": "You code.\n" }, "original_files": { "SOUL.md": "You write.\n" } }),
        ),
        ("rule", Read, json!({})),
        ("scan", Read, agent()),
        ("session.list", Read, json!({})),
        ("session.refresh", Write, json!({ "session_id": session })),
        ("session.resume", Write, json!({ "session_id": session })),
        ("session.show", Read, json!({ "session_id": session })),
        ("session.spawn", Write, json!({ "parent_id": session, "agent": "coder" })),
        ("session.start", Write, agent()),
        ("session.stop", Write, json!({ "session_id": session })),
        ("show", Read, agent()),
        ("status", Read, agent()),
        ("store.info", Admin, json!({})),
        ("store.migrate", Admin, json!({})),
        ("task.add", Write, json!({})),
        ("task.claim", Write, json!({ "session_id": session })),
        ("task.finish", Write, json!({ "run_id": run })),
        ("task.list", Read, json!({})),
        ("task.renew", Write, json!({ "run_id": run })),
        ("task.runs", Read, json!({ "session_id": session })),
        ("test", Read, agent()),
        ("token.create", Admin, json!({ "role": "viewer" })),
        ("token.list", Admin, json!({})),
        ("token.revoke", Admin, json!({ "id": token })),
        ("undo", Read, json!({ "agent": "coder", "dry_run": true })),
        ("undo", Write, json!({ "agent": "coder", "expected_digest": digest })),
        ("validate", Read, json!({ "targets": [agent()] })),
        ("whoami", Read, json!({})),
        ("workspace.adopt", Admin, json!({ "scope": scope })),
        ("workspace.fork", Admin, json!({})),
        ("workspace.list", Admin, json!({})),
        ("workspace.share", Admin, json!({})),
        ("write", Write, json!({ "agent": "coder", "body": "You write.", "expected_digest": digest })),
    ];
    rows.into_iter().map(|(operation, grant, request)| Row { operation, grant, request }).collect()
}

/// Enough of what happened that a step is proposed.
fn traces() -> Value {
    json!({ "traces": vec![json!({ "valence": -0.6, "arousal": 0.7 }); 11], "relationship": { "trustDelta": -50 } })
}

fn rules() -> Value {
    json!([{ "id": "a", "trigger": "always", "patch": { "mood": "focused" } }])
}
