//! A request of every operation, as each transport spells it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{CODER, POISON, Row};

/// A public key of minisign.
const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

/// Builds a row: the operation, its request, the command, and the route and the method if it has them.
fn row(operation: &'static str, request: Value, command: &str) -> Row {
    let command = command.split(' ').map(|word| word.replace('␣', " ")).collect();
    Row { operation, request, command, route: None, method: None }
}

impl Row {
    fn route(mut self, verb: &'static str, path: &str, body: Value) -> Self {
        self.route = Some((verb, path.to_owned(), body));
        self
    }

    fn method(mut self, name: &'static str, params: Value) -> Self {
        self.method = Some((name, params));
        self
    }
}

fn without(request: &Value, keys: &[&str]) -> Value {
    let mut request: Map<String, Value> = request.as_object().unwrap().clone();
    keys.iter().for_each(|key| drop(request.shift_remove(*key)));
    if request.is_empty() { Value::Null } else { Value::Object(request) }
}

pub(super) fn rows(names: &BTreeMap<&'static str, String>) -> Vec<Row> {
    let none = || Value::Null;
    let (digest, revision) = (&names["digest"], &names["revision"]);
    let (session, other, run) = (&names["session"], &names["other session"], &names["run"]);
    let (step, token, made) = (&names["step"], &names["token"], &names["library revision"]);
    let proposal = &names["proposal"];
    let agent = |name: &str| json!({ "agent": name });
    let mut rows =
        vec![
            row("list", json!({}), "list").route("GET", "/api/agents", none()),
            row("audit.verify", json!({}), "audit verify").route("GET", "/api/audit/verify", none()),
            row("audit.repair", json!({ "dry_run": true }), "audit repair --dry-run"),
            row("store.info", json!({}), "store info"),
            row("workspace.list", json!({}), "workspace list"),
            row("workspace.share", json!({}), "workspace share"),
            row("workspace.fork", json!({}), "workspace fork"),
            row("workspace.adopt", json!({ "scope": "ws_x" }), "workspace adopt ws_x"),
            row("doctor", json!({}), "doctor").route("GET", "/api/doctor", none()),
            row("log", json!({ "limit": 5 }), "log --limit 5").route("GET", "/api/events?limit=5", none()),
            row(
                "log",
                json!({ "kind": "soul", "actor": "tester", "agent": "coder" }),
                "log --kind soul --actor tester --agent coder",
            )
            .route("GET", "/api/events?kind=soul&actor=tester&agent=coder", none()),
            row("installed", json!({}), "installed").route("GET", "/api/packages", none()),
            row("outdated", json!({}), "outdated").route("GET", "/api/packages/outdated", none()),
            row("verify", json!({}), "verify").route("GET", "/api/packages/verify", none()),
            row("install", json!({ "package": "soulkeeper/code-reviewer" }), "install soulkeeper/code-reviewer --plan")
                .route("POST", "/api/packages/plan", json!({ "package": "soulkeeper/code-reviewer" })),
            row("install", json!({ "package": "soulkeeper/nobody" }), "install soulkeeper/nobody --plan").route(
                "POST",
                "/api/packages/plan",
                json!({ "package": "soulkeeper/nobody" }),
            ),
            row("update", json!({ "package": "soulkeeper/nobody" }), "update soulkeeper/nobody --plan").route(
                "POST",
                "/api/packages/update",
                json!({ "package": "soulkeeper/nobody" }),
            ),
            row("uninstall", json!({ "package": "soulkeeper/nobody" }), "uninstall soulkeeper/nobody").route(
                "POST",
                "/api/packages/uninstall",
                json!({ "package": "soulkeeper/nobody" }),
            ),
            row(
                "use",
                json!({ "package": "soulkeeper/nobody", "agent": "coder" }),
                "use soulkeeper/nobody --agent coder",
            )
            .route("POST", "/api/agents/coder/use", json!({ "package": "soulkeeper/nobody" })),
            row("restore", agent("coder"), "restore coder").route("POST", "/api/agents/coder/restore", none()),
            row("key.list", json!({}), "key list"),
            row("key.create", json!({ "name": "a/b" }), "key create a/b"),
            row("key.trust", json!({ "owner": "..", "key": KEY }), &format!("key trust .. {KEY}")),
            row("key.forget", json!({ "owner": "nobody" }), "key forget nobody"),
            row("registry.search", json!({ "query": "review", "limit": 20 }), "registry search review").route(
                "GET",
                "/api/v1/search?q=review&limit=20",
                none(),
            ),
            row("registry.browse", json!({ "page": 1, "limit": 20 }), "registry browse").route(
                "GET",
                "/api/v1/souls?page=1&limit=20",
                none(),
            ),
            row(
                "registry.show",
                json!({ "owner": "soulkeeper", "name": "code-reviewer" }),
                "registry show soulkeeper/code-reviewer",
            )
            .route("GET", "/api/v1/souls/soulkeeper/code-reviewer", none()),
            row("log", json!({ "limit": 2, "before": 5 }), "log --limit 2 --before 5").route(
                "GET",
                "/api/events?limit=2&before=5",
                none(),
            ),
            row("task.runs", json!({ "state": "claimed" }), "task runs --state claimed").route(
                "GET",
                "/api/runs?state=claimed",
                none(),
            ),
            row("library.diff", json!({ "id": "ops" }), "library diff ops").route(
                "GET",
                "/api/v1/settings/agent/souls/ops/diff",
                none(),
            ),
            row("library.diff", json!({ "id": "nothing" }), "library diff nothing").route(
                "GET",
                "/api/v1/settings/agent/souls/nothing/diff",
                none(),
            ),
            row(
                "merge",
                json!({ "base": CODER.replace("write", "review"), "ours": CODER.replace("write code", "review code briefly"),
                        "theirs": POISON, "answers": { "q1": "theirs" } }),
                "merge texts/new.md texts/proposed.md texts/poison.md --answer q1=theirs",
            )
            .route(
                "POST",
                "/api/merge",
                json!({ "base": CODER.replace("write", "review"), "ours": CODER.replace("write code", "review code briefly"),
                        "theirs": POISON, "answers": { "q1": "theirs" } }),
            ),
            row("rule", json!({ "id": "SEC001" }), "rule SEC001").route("GET", "/api/rules/SEC001", none()),
            row("rule", json!({ "id": "SEC999" }), "rule SEC999").route("GET", "/api/rules/SEC999", none()),
            row(
                "rollback-check",
                json!({ "current_files": { "new.md": CODER.replace("write", "review") },
                        "original_files": { "new.md": POISON } }),
                "rollback-check texts/new.md texts/poison.md",
            ),
            row("explain", json!({ "code": "SEC001" }), "explain SEC001"),
            row("explain", json!({ "code": "forbiden_field" }), "explain forbiden_field"),
            row("check", json!({ "targets": [agent("coder"), agent("broken")] }), "check coder broken"),
            row("check", json!({ "targets": [agent("nobody"), agent("coder")] }), "check nobody coder"),
            row("scan", json!({ "targets": [agent("coder")] }), "scan coder").route(
                "POST",
                "/api/scan",
                json!({ "targets": [agent("coder")] }),
            ),
            row("scan", json!({ "targets": [agent("nobody"), agent("coder")] }), "scan nobody coder").route(
                "POST",
                "/api/scan",
                json!({ "targets": [agent("nobody"), agent("coder")] }),
            ),
            row("deliver", json!({ "agent": "coder", "all": true }), "deliver coder --all").route(
                "POST",
                "/api/deliver",
                json!({ "agent": "coder", "all": true }),
            ),
            row("deliver", json!({ "agent": "coder", "runtime": "openclow" }), "deliver coder --runtime openclow")
                .route("POST", "/api/deliver", json!({ "agent": "coder", "runtime": "openclow" })),
            row("anchor", json!({ "agent": "coder" }), "anchor coder"),
            row("anchor", json!({ "agent": "coder", "tokens": 3 }), "anchor coder --tokens 3"),
            row("fit", json!({ "agent": "coder", "runtime": "openclaw" }), "fit coder --runtime openclaw"),
            row("export", json!({ "agent": "coder", "to": "codex" }), "export coder --target codex"),
            row("export", json!({ "agent": "coder", "to": "codecs" }), "export coder --target codecs"),
            row("receipt", json!({ "session_id": session }), &format!("receipt {session}")),
            row(
                "receipt.verify",
                json!({ "transcript": CODER.replace("write", "review") }),
                "receipt verify texts/new.md",
            ),
            row("migrate", json!({ "agent": "pack", "to": "0.4", "dry_run": true }), "migrate pack --to 0.4 --dry-run"),
            row("migrate", json!({ "agent": "coder", "to": "0.4" }), "migrate coder --to 0.4"),
            row("validate", json!({ "targets": [agent("coder"), agent("broken")] }), "validate coder broken"),
            row("token.list", json!({}), "token list").route("GET", "/api/tokens", none()),
            row("token.revoke", json!({ "id": token }), &format!("token revoke {token}")).route(
                "DELETE",
                &format!("/api/tokens/{token}"),
                none(),
            ),
            row("token.revoke", json!({ "id": "tok_x" }), "token revoke tok_x").route(
                "DELETE",
                "/api/tokens/tok_x",
                none(),
            ),
            row("token.create", json!({ "role": "author", "name": "ci" }), "token create --role author --name ci")
                .route("POST", "/api/tokens", json!({ "role": "author", "name": "ci" })),
        ];
    for name in ["coder", "broken", "nobody"] {
        let path = |rest: &str| format!("/api/agents/{name}{rest}");
        let named = || json!({ "agent_name": name });
        rows.extend([
            row("inspect", agent(name), &format!("inspect {name}"))
                .route("GET", &path("/soul"), none())
                .method("agent.soul.inspectDefinition", named()),
            row("boot", agent(name), &format!("boot {name}")).route("GET", &path("/boot"), none()),
            row("test", agent(name), &format!("test {name}")).route("GET", &path("/test"), none()),
            row("prompt", agent(name), &format!("prompt {name}")).route("GET", &path("/prompt"), none()),
            row("context", agent(name), &format!("context {name}"))
                .route("GET", &format!("/api/agent/context?agent={name}"), none())
                .method("agent.context.get", named()),
            row("history", agent(name), &format!("history {name}"))
                .route("GET", &path("/soul/history"), none())
                .method("agent.soul.history", named()),
            row("diff", agent(name), &format!("diff {name}")).route("GET", &path("/soul/diff"), none()),
            row("session.start", agent(name), &format!("session start {name}")).route(
                "POST",
                "/api/sessions",
                agent(name),
            ),
            row("task.add", json!({ "agent": name, "payload": {} }), &format!("task add --agent {name}")).route(
                "POST",
                "/api/tasks",
                json!({ "agent": name, "payload": {} }),
            ),
            row("convert", json!({ "agent": name, "to": "cantus" }), &format!("convert {name} --to cantus")).route(
                "POST",
                "/api/convert",
                json!({ "agent": name, "to": "cantus" }),
            ),
            row("show", agent(name), &format!("show {name}")).route("GET", &path("/soul/text"), none()),
            row("status", agent(name), &format!("status {name}")).route("GET", &path("/status"), none()),
            row("persona.show", agent(name), &format!("persona show {name}")).route("GET", &path("/persona"), none()),
            row("persona.history", agent(name), &format!("persona history {name}")).route(
                "GET",
                &path("/persona/history"),
                none(),
            ),
        ]);
    }
    let proposals = "/api/agents/coder/proposals";
    let edits = json!([{ "section": "principles", "action": "add", "text": "Ask first." }]);
    let missing = json!([{ "section": "Nothing", "action": "remove", "text": "" }]);
    let review = format!("/api/proposals/{proposal}/review");
    rows.extend([
        row(
            "propose",
            json!({ "agent": "coder", "edits": edits, "reason": "they do" }),
            "propose coder --add principles=Ask␣first. --reason they␣do",
        )
        .route("POST", proposals, json!({ "edits": edits, "reason": "they do" })),
        row("propose", json!({ "agent": "coder", "edits": missing }), "propose coder --remove Nothing").route(
            "POST",
            proposals,
            json!({ "edits": missing }),
        ),
        row("propose", json!({ "agent": "coder", "body": POISON }), "propose coder --file texts/poison.md").route(
            "POST",
            proposals,
            json!({ "body": POISON }),
        ),
        row("proposals", json!({}), "proposals").route("GET", "/api/proposals", none()),
        row("proposals", json!({ "agent": "coder", "state": "all" }), "proposals --agent coder --state all").route(
            "GET",
            &format!("{proposals}?state=all"),
            none(),
        ),
        row("review", json!({ "id": proposal }), &format!("review {proposal}")).route(
            "GET",
            &format!("/api/proposals/{proposal}"),
            none(),
        ),
        row("review", json!({ "id": "prop_x" }), "review prop_x").route("GET", "/api/proposals/prop_x", none()),
        row("review", json!({ "id": proposal, "accept": true }), &format!("review {proposal} --accept")).route(
            "POST",
            &review,
            json!({ "accept": true }),
        ),
        row("review", json!({ "id": proposal, "reject": "no" }), &format!("review {proposal} --reject no")).route(
            "POST",
            &review,
            json!({ "reject": "no" }),
        ),
    ]);
    let write = |digest: &str, body: &str| json!({ "agent": "coder", "body": body, "expected_digest": digest });
    let stale = "sha256:0000";
    for (request, command) in [
        (write(digest, POISON), format!("write coder --file texts/poison.md --expected-digest {digest}")),
        (
            write(stale, &CODER.replace("write", "review")),
            format!("write coder --file texts/new.md --expected-digest {stale}"),
        ),
        (
            json!({ "agent": "new", "body": CODER.replace("write", "review"), "create": true }),
            "write new --file texts/new.md --create".to_owned(),
        ),
    ] {
        let name = request["agent"].as_str().unwrap().to_owned();
        let mut params = without(&request, &["agent"]);
        params["agent_name"] = name.clone().into();
        let body = without(&request, &["agent"]);
        rows.push(
            row("write", request, &command)
                .route("PUT", &format!("/api/agents/{name}/soul"), body)
                .method("agent.soul.put", params),
        );
    }
    let novice = json!({ "agent": "novice", "template": "tutor", "dialect": "agh" });
    rows.push(row("new", novice.clone(), "new novice --template tutor --dialect agh").route(
        "POST",
        "/api/agents",
        novice,
    ));
    let back = json!({ "agent": "coder", "revision_id": revision, "expected_digest": digest });
    let dry = json!({ "agent": "coder", "revision_id": revision, "dry_run": true });
    let delete = json!({ "agent": "coder", "expected_digest": digest });
    let short = json!({ "agent": "coder", "revision_id": "@-", "expected_digest": &digest[..13] });
    let undo = json!({ "agent": "coder", "expected_digest": digest });
    let record = json!({ "agent": "coder", "message": "Mine." });
    rows.extend([
        row("undo", undo.clone(), &format!("undo coder --expected-digest {digest}")).route(
            "POST",
            "/api/agents/coder/soul/undo",
            without(&undo, &["agent"]),
        ),
        row("record", record.clone(), "record coder -m Mine.").route(
            "POST",
            "/api/agents/coder/soul/record",
            without(&record, &["agent"]),
        ),
        row("rollback", short.clone(), &format!("rollback coder @- --expected-digest {}", &digest[..13]))
            .route("POST", "/api/agents/coder/soul/rollback", without(&short, &["agent"]))
            .method(
                "agent.soul.rollback",
                json!({ "agent_name": "coder", "revision_id": "@-", "expected_digest": &digest[..13] }),
            ),
        row("rollback", back.clone(), &format!("rollback coder --revision {revision} --expected-digest {digest}"))
            .route("POST", "/api/agents/coder/soul/rollback", without(&back, &["agent"]))
            .method(
                "agent.soul.rollback",
                json!({ "agent_name": "coder", "revision_id": revision, "expected_digest": digest }),
            ),
        row("rollback", dry.clone(), &format!("rollback coder --revision {revision} --dry-run"))
            .route("POST", "/api/agents/coder/soul/rollback", without(&dry, &["agent"]))
            .method("agent.soul.rollback", json!({ "agent_name": "coder", "revision_id": revision, "dry_run": true })),
        row("delete", delete.clone(), &format!("delete coder --expected-digest {digest}"))
            .route("DELETE", "/api/agents/coder/soul", without(&delete, &["agent"]))
            .method("agent.soul.delete", json!({ "agent_name": "coder", "expected_digest": digest })),
        row("delete", agent("coder"), "delete coder")
            .route("DELETE", "/api/agents/coder/soul", none())
            .method("agent.soul.delete", json!({ "agent_name": "coder" })),
        row("session.list", json!({ "agent": "ada" }), "session list --agent ada").route(
            "GET",
            "/api/sessions?agent=ada",
            none(),
        ),
        row("session.show", json!({ "session_id": session }), &format!("session show {session}")).route(
            "GET",
            &format!("/api/sessions/{session}"),
            none(),
        ),
        row("session.show", json!({ "session_id": "sess_x" }), "session show sess_x").route(
            "GET",
            "/api/sessions/sess_x",
            none(),
        ),
        row("session.spawn", json!({ "parent_id": session, "agent": "ada" }), &format!("session spawn {session} ada"))
            .route("POST", &format!("/api/sessions/{session}/spawn"), agent("ada")),
        row("session.refresh", json!({ "session_id": session }), &format!("session refresh {session}"))
            .route("POST", &format!("/api/sessions/{session}/soul/refresh"), none())
            .method("session.soul.refresh", json!({ "session_id": session })),
        row("session.refresh", json!({ "session_id": other }), &format!("session refresh {other}"))
            .route("POST", &format!("/api/sessions/{other}/soul/refresh"), none())
            .method("session.soul.refresh", json!({ "session_id": other })),
        row("session.stop", json!({ "session_id": session }), &format!("session stop {session}")).route(
            "POST",
            &format!("/api/sessions/{session}/stop"),
            none(),
        ),
        row("session.resume", json!({ "session_id": session }), &format!("session resume {session}")).route(
            "POST",
            &format!("/api/sessions/{session}/resume"),
            none(),
        ),
        row("prompt", json!({ "session_id": session }), &format!("prompt --session {session}")).route(
            "GET",
            &format!("/api/sessions/{session}/prompt"),
            none(),
        ),
        row("context", json!({ "session_id": session }), &format!("context --session {session}"))
            .route("GET", &format!("/api/agent/context?session={session}"), none())
            .method("agent.context.get", json!({ "session_id": session })),
        row("task.list", json!({ "state": "queued" }), "task list --state queued").route(
            "GET",
            "/api/tasks?state=queued",
            none(),
        ),
        row("task.claim", json!({ "session_id": session }), &format!("task claim --session {session}")).route(
            "POST",
            "/api/tasks/claim",
            json!({ "session_id": session }),
        ),
        row("task.renew", json!({ "run_id": run, "lease_seconds": 30 }), &format!("task renew {run} --lease 30s"))
            .route("POST", &format!("/api/runs/{run}/renew"), json!({ "lease_seconds": 30 })),
        row("task.finish", json!({ "run_id": run }), &format!("task finish {run}")).route(
            "POST",
            &format!("/api/runs/{run}/finish"),
            none(),
        ),
        row("task.finish", json!({ "run_id": "run_x" }), "task finish run_x").route(
            "POST",
            "/api/runs/run_x/finish",
            none(),
        ),
    ]);
    let souls = "/api/v1/settings/agent/souls";
    rows.extend([
        row("library.list", json!({ "query": "brief" }), "library list --query brief").route(
            "GET",
            &format!("{souls}?q=brief"),
            none(),
        ),
        row("library.show", json!({ "id": "ops" }), "library show ops").route("GET", &format!("{souls}/ops"), none()),
        row("library.show", json!({ "id": "nope" }), "library show nope").route(
            "GET",
            &format!("{souls}/nope"),
            none(),
        ),
        row("library.show", json!({ "id": "No!" }), "library show No!").route("GET", &format!("{souls}/No!"), none()),
        row(
            "library.create",
            json!({ "name": "Night", "content": "Be quiet." }),
            "library create --name Night --content Be␣quiet.",
        )
        .route("POST", souls, json!({ "name": "Night", "content": "Be quiet." })),
        row(
            "library.update",
            json!({ "id": "ops", "description": "For pagers" }),
            "library update ops --description For␣pagers",
        )
        .route("PATCH", &format!("{souls}/ops"), json!({ "description": "For pagers" })),
        row("library.select", json!({ "id": "ops" }), "library select ops").route(
            "PATCH",
            "/api/v1/settings/agent",
            json!({ "selectedSoulId": "ops" }),
        ),
        row("library.select", json!({ "id": "nope" }), "library select nope").route(
            "PATCH",
            "/api/v1/settings/agent",
            json!({ "selectedSoulId": "nope" }),
        ),
        row("library.current", json!({}), "library current").route("GET", "/api/v1/settings/agent", none()),
        row("library.history", json!({ "id": "ops" }), "library history ops").route(
            "GET",
            &format!("{souls}/ops/history"),
            none(),
        ),
        row(
            "library.rollback",
            json!({ "id": "ops", "revision_id": made }),
            &format!("library rollback ops --revision {made}"),
        )
        .route("POST", &format!("{souls}/ops/rollback"), json!({ "revisionId": made })),
        row("library.delete", json!({ "id": "ops" }), "library delete ops").route(
            "DELETE",
            &format!("{souls}/ops"),
            none(),
        ),
        row("library.delete", json!({ "id": "default" }), "library delete default").route(
            "DELETE",
            &format!("{souls}/default"),
            none(),
        ),
    ]);
    let persona = "/api/agents/ada/persona";
    let memory = "/api/agents/ada/memory";
    let adapt = json!({ "trait": "openness", "delta": -0.05, "reason": "calm" });
    rows.extend([
        row(
            "persona.adapt",
            json!({ "agent": "ada", "trait": "openness", "delta": -0.05, "reason": "calm" }),
            "persona adapt ada --trait openness --delta=-0.05 --reason calm",
        )
        .route("POST", &format!("{persona}/adapt"), adapt),
        row(
            "persona.adapt",
            json!({ "agent": "ada", "trait": "opennes", "delta": 0.1, "reason": "x" }),
            "persona adapt ada --trait opennes --delta 0.1 --reason x",
        )
        .route("POST", &format!("{persona}/adapt"), json!({ "trait": "opennes", "delta": 0.1, "reason": "x" })),
        row("persona.mood", agent("ada"), "persona mood ada").route("GET", &format!("{persona}/mood"), none()),
        row("persona.mood", json!({ "agent": "ada", "set": "focused" }), "persona mood ada --set focused").route(
            "POST",
            &format!("{persona}/mood"),
            json!({ "set": "focused" }),
        ),
        row("persona.mood", json!({ "agent": "ada", "set": "gloomy" }), "persona mood ada --set gloomy").route(
            "POST",
            &format!("{persona}/mood"),
            json!({ "set": "gloomy" }),
        ),
        row("persona.overlay", json!({ "agent": "ada", "clear": true }), "persona overlay ada --clear").route(
            "DELETE",
            &format!("{persona}/overlays"),
            none(),
        ),
        row("persona.overlay", agent("ada"), "persona overlay ada").route(
            "GET",
            &format!("{persona}/overlays"),
            none(),
        ),
        row("persona.revert", json!({ "agent": "ada", "to": step }), &format!("persona revert ada --to {step}")).route(
            "POST",
            &format!("{persona}/revert"),
            json!({ "to": step }),
        ),
        row("memory.search", json!({ "all_agents": true, "query": "staging" }), "memory search staging --all-agents"),
        row("memory.search", json!({ "agent": "ada", "query": "staging" }), "memory search staging --agent ada").route(
            "GET",
            &format!("{memory}/search?query=staging"),
            none(),
        ),
        row(
            "memory.detail",
            json!({ "agent": "ada", "file": "MEMORY.md", "section": "Servers" }),
            "memory detail MEMORY.md --section Servers --agent ada",
        )
        .route("GET", &format!("{memory}/detail?file=MEMORY.md&section=Servers"), none()),
        row("memory.detail", json!({ "agent": "ada", "file": "../x" }), "memory detail ../x --agent ada").route(
            "GET",
            &format!("{memory}/detail?file=../x"),
            none(),
        ),
        row("memory.status", agent("ada"), "memory status --agent ada").route(
            "GET",
            &format!("{memory}/status"),
            none(),
        ),
        row(
            "memory.add",
            json!({ "agent": "ada", "text": "Port 9.", "now": "2026-03-31" }),
            "memory add Port␣9. --agent ada --now 2026-03-31",
        )
        .route("POST", &format!("{memory}/add"), json!({ "text": "Port 9.", "now": "2026-03-31" })),
        row(
            "memory.forget",
            json!({ "agent": "ada", "file": "MEMORY.md", "section": "Servers" }),
            "memory forget MEMORY.md --section Servers --agent ada",
        )
        .route("POST", &format!("{memory}/forget"), json!({ "file": "MEMORY.md", "section": "Servers" })),
        row(
            "memory.init",
            json!({ "agent": "ada", "remote": "/nowhere/a.git" }),
            "memory init --agent ada --remote /nowhere/a.git",
        )
        .route("POST", &format!("{memory}/init"), json!({ "remote": "/nowhere/a.git" })),
        row("memory.push", agent("ada"), "memory push --agent ada").route("POST", &format!("{memory}/push"), none()),
        row("memory.pull", agent("ada"), "memory pull --agent ada").route("POST", &format!("{memory}/pull"), none()),
        row("sync.status", json!({}), "sync status").route("GET", "/api/v1/sync/status", none()),
        row("sync.init", json!({ "remote": "/nowhere/a.git", "branch": "main" }), "sync init --remote /nowhere/a.git")
            .route("POST", "/api/v1/sync/init", json!({ "remote": "/nowhere/a.git", "branch": "main" })),
        row("sync.pull", json!({}), "sync pull").route("POST", "/api/v1/sync/pull", none()),
        row("sync.publish", json!({ "all": true }), "sync publish --all").route(
            "POST",
            "/api/v1/sync/publish-all",
            none(),
        ),
        row("sync.diff", json!({ "item_id": "souls/a" }), "sync diff a").route(
            "GET",
            "/api/v1/sync/items/souls%2Fa/diff",
            none(),
        ),
        row("sync.discard", json!({ "item_id": "souls/a" }), "sync discard a").route(
            "POST",
            "/api/v1/sync/items/souls%2Fa/discard",
            none(),
        ),
        row("sync.resolve", json!({ "item_id": "souls/a", "ours": true }), "sync resolve a --ours").route(
            "POST",
            "/api/v1/sync/items/souls%2Fa/resolve",
            json!({ "ours": true }),
        ),
        row("sync.forget", json!({ "all_missing": true }), "sync forget --all-missing").route(
            "POST",
            "/api/v1/sync/cleanup",
            none(),
        ),
        row("sync.delete", json!({ "item_ids": ["souls/a"] }), "sync delete a").route(
            "POST",
            "/api/v1/sync/delete-batch",
            json!({ "itemIds": ["souls/a"] }),
        ),
        row("sync.move", json!({ "item_id": "souls/a", "new_item_id": "souls/b" }), "sync move a b").route(
            "POST",
            "/api/v1/sync/items/souls%2Fa/move",
            json!({ "newItemId": "souls/b" }),
        ),
        row("persona.drift", json!({ "agent": "ada", "traces": [] }), "persona drift ada --traces texts/traces.json")
            .route("POST", &format!("{persona}/drift"), json!({ "traces": [] })),
    ]);
    rows
}
