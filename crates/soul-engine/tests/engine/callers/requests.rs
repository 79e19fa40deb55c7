//! A small valid request of every operation, in a home that has something for each.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use soul_core::digest::Digest;
use soul_engine::Grant;
use soul_engine::ids::{ProposalId, RevisionId, RunId, SessionId, TokenId};
use soul_engine::memory::MemoryOf;
use soul_engine::ops::library::create;
use soul_engine::ops::{install, key, memory, propose, session, sync, task, token, r#use, write};
use soul_engine::registry::Key;
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
    plan: Digest,
    key: Key,
    remote: String,
}

/// A repository with some souls.
fn remote(path: &Path) -> String {
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=Remote", "-c", "user.email=remote@example.com"])
            .args(arguments)
            .current_dir(path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status();
        assert!(done.unwrap().success(), "{arguments:?}");
    };
    fs::create_dir_all(path.join("souls")).unwrap();
    for id in ["cook", "pilot", "clash"] {
        fs::write(path.join(format!("souls/{id}.md")), format!("---\nname: {id}\n---\nYou are {id}.\n")).unwrap();
    }
    git(&["init", "-q", "-b", "work"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "souls"]);
    git(&["branch", "main"]);
    path.to_str().unwrap().to_owned()
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
        let install = |package: &str| {
            let request = install::Request { package: Some(package.parse().unwrap()), ..install::Request::default() };
            let plan = run(&keeper, request.clone()).unwrap().plan.digest;
            (install::Request { plan_digest: Some(plan), ..request }, plan)
        };
        run(&keeper, install("soulkeeper/patient-tutor").0).unwrap();
        run(
            &keeper,
            r#use::Request {
                package: "soulkeeper/patient-tutor".parse().unwrap(),
                agent: Some("scout".parse().unwrap()),
                message: None,
            },
        )
        .unwrap();
        let key = run(&keeper, key::create::Request { name: "default".to_owned() }).unwrap().public_key;
        run(&keeper, key::trust::Request { owner: "lighthouse".to_owned(), key: key.clone() }).unwrap();
        let clash = Some("clash".parse().unwrap());
        let (name, content) = ("Clash".to_owned(), "You are ours.".to_owned());
        let clash = create::Request { id: clash, name, description: String::new(), content, force: None };
        run(&keeper, clash).unwrap();
        let remote = remote(&home.0.path().join("remote"));
        let connect = sync::init::Request { remote: remote.parse().unwrap(), branch: None, agents: false };
        run(&keeper, connect).unwrap();
        assert_eq!(run(&keeper, sync::pull::Request {}).unwrap().conflicts.len(), 1);
        let branch = Some("memory".parse().unwrap());
        let memory = MemoryOf::Agent(coder());
        let connect = memory::init::Request { memory, remote: Some(remote.parse().unwrap()), branch };
        run(&keeper, connect).unwrap();
        Self {
            plan: install("soulkeeper/code-reviewer").1,
            key,
            remote,
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
    let World {
        digest, first_revision, library_revision, session, run, token, proposal, scope, plan, key, remote, ..
    } = world;
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
        ("install", Read, json!({ "package": "soulkeeper/code-reviewer" })),
        ("install", Write, json!({ "package": "soulkeeper/code-reviewer", "plan_digest": plan })),
        ("installed", Read, json!({})),
        ("key.create", Admin, json!({ "name": "release" })),
        ("key.forget", Admin, json!({ "owner": "lighthouse" })),
        ("key.list", Admin, json!({})),
        ("key.trust", Admin, json!({ "owner": "tower", "key": key })),
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
        ("anchor", Read, agent()),
        ("deliver", Read, json!({ "agent": "coder", "runtime": "openclaw" })),
        ("export", Read, json!({ "agent": "coder", "to": "claude-code" })),
        ("fit", Read, json!({ "agent": "coder", "runtime": "openclaw" })),
        ("import", Read, json!({ "files": { "CLAUDE.md": "You code." } })),
        ("receipt", Read, json!({ "session_id": session })),
        ("receipt.verify", Read, json!({ "transcript": "You code.", "session_id": session })),
        ("list", Read, json!({})),
        ("log", Read, json!({})),
        ("memory.add", Write, json!({ "agent": "coder", "text": "Noted." })),
        ("memory.detail", Read, json!({ "agent": "coder", "file": "MEMORY.md" })),
        ("memory.forget", Write, json!({ "agent": "coder", "file": "MEMORY.md", "section": "Deploys" })),
        ("memory.init", Admin, json!({ "agent": "coder", "remote": remote, "branch": "memory" })),
        ("memory.pull", Write, agent()),
        ("memory.push", Write, json!({ "agent": "coder", "message": "Noted." })),
        ("memory.search", Read, json!({ "agent": "coder", "query": "deploys" })),
        ("memory.status", Read, agent()),
        (
            "merge",
            Read,
            json!({ "agent": "coder", "base": "You code.\n", "ours": "You code.\n", "theirs": "You write.\n" }),
        ),
        ("memory.sync", Read, json!({ "agent": "coder", "action": "status" })),
        ("memory.sync", Write, json!({ "agent": "coder", "action": "push" })),
        ("memory.sync", Admin, json!({ "agent": "coder", "action": "init", "remote": remote, "branch": "memory" })),
        ("migrate", Read, json!({ "agent": "package", "to": "0.6", "dry_run": true })),
        ("migrate", Write, json!({ "agent": "package", "to": "0.6" })),
        ("outdated", Read, json!({})),
        ("pack", Read, json!({ "check": true })),
        ("pack", Write, json!({})),
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
        ("registry.browse", Read, json!({})),
        ("registry.bundle", Read, json!({ "owner": "soulkeeper", "name": "code-reviewer" })),
        ("registry.categories", Read, json!({})),
        ("registry.check", Read, json!({})),
        ("registry.index", Write, json!({})),
        ("registry.init", Write, json!({})),
        ("registry.scan", Read, json!({ "files": { "SOUL.md": "You are calm.\n" } })),
        ("registry.search", Read, json!({ "query": "review" })),
        ("registry.show", Read, json!({ "owner": "soulkeeper", "name": "code-reviewer" })),
        ("registry.submit", Write, json!({})),
        ("registry.validate", Read, json!({ "manifest": { "name": "x", "version": "1.0.0" } })),
        ("restore", Write, json!({ "agent": "scout" })),
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
        ("sync.config", Read, json!({})),
        ("sync.delete", Write, json!({ "item_id": "cook" })),
        ("sync.diff", Read, json!({ "item_id": "clash" })),
        ("sync.discard", Write, json!({ "item_id": "souls/cook" })),
        ("sync.forget", Write, json!({ "item_id": "souls/ops" })),
        ("sync.init", Admin, json!({ "remote": remote })),
        ("sync.move", Write, json!({ "item_id": "pilot", "new_item_id": "captain" })),
        ("sync.probe", Read, json!({})),
        ("sync.publish", Write, json!({ "item_id": "ops", "message": "New" })),
        ("sync.pull", Write, json!({})),
        ("sync.resolve", Write, json!({ "item_id": "clash", "ours": true })),
        ("sync.status", Read, json!({})),
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
        ("uninstall", Write, json!({ "package": "soulkeeper/patient-tutor" })),
        ("update", Read, json!({ "package": "soulkeeper/patient-tutor" })),
        ("update", Write, json!({ "package": "soulkeeper/patient-tutor", "plan_digest": plan })),
        ("use", Write, json!({ "package": "soulkeeper/patient-tutor", "agent": "scout" })),
        ("verify", Read, json!({})),
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
