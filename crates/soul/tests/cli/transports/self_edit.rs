//! An agent that tries to change its own soul by every path ends in a proposal or a refusal.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use soul_engine::Grant;
use soul_engine::ops;

use super::{Base, Row, rows, soul, through_socket};
use crate::service::Service;

/// What is in the agent's directory, and how long its record is.
fn state(home: &Path) -> (BTreeMap<String, Vec<u8>>, usize) {
    let files = fs::read_dir(home.join("agents/coder")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect();
    (files, soul(home, &["history", "coder"]).1["revisions"].as_array().unwrap().len())
}

/// Whether a request can change something.
fn changes(row: &Row) -> bool {
    let entry = ops::find(row.operation).unwrap();
    entry.read(row.request.clone()).is_ok_and(|ready| ready.grant != Grant::Read)
}

/// Whether a request would change the soul of `coder`.
fn is_own(row: &Row) -> bool {
    let souls = ["write", "delete", "rollback", "undo", "record", "migrate"];
    souls.contains(&row.operation) && row.request["agent"] == "coder"
}

fn command(home: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soul"));
    command.args(arguments).arg("--json").env("SOUL_HOME", home).env("HOME", home).current_dir(home);
    command.env_remove("SOUL_SERVER").env_remove("SOUL_TOKEN").env_remove("SOUL_ACTOR");
    let output = command.envs(environment.iter().copied()).output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap_or_default())
}

#[test]
fn an_agent_changes_its_own_soul_by_no_path() {
    let base = Base::new();
    let home = base.home.path();
    let made = soul(home, &["token", "create", "--role", "author", "--agent", "coder"]).1;
    assert_eq!(made["token"]["agent"], "coder");
    let secret = made["secret"].as_str().unwrap().to_owned();
    let before = state(home);
    let service = Service::start(home);
    let url = format!("http://{}", service.address);
    let (bearer, actor) = (format!("authorization: Bearer {secret}"), "soul-actor: agent:coder");
    let mut tried = 0;
    for row in rows(&base.names).iter().filter(|row| changes(row)) {
        let what = format!("{} {}", row.operation, row.request);
        let mut answers: Vec<(&str, Value)> = Vec::new();
        let arguments: Vec<&str> = row.command.iter().map(String::as_str).collect();
        let through: [(&str, Vec<(&str, &str)>); 4] = [
            ("command", vec![("SOUL_ACTOR", "agent:coder")]),
            ("command with a token of the agent", vec![("SOUL_SERVER", &url), ("SOUL_TOKEN", &secret)]),
            ("command to a service", vec![("SOUL_SERVER", &url), ("SOUL_ACTOR", "agent:coder")]),
            ("command with --actor", vec![("SOUL_ACTOR", "user:tester")]),
        ];
        for (name, environment) in &through {
            let as_agent = ["--actor", "agent:coder"];
            let typed: Vec<&str> = match *name {
                "command with --actor" => as_agent.into_iter().chain(arguments.iter().copied()).collect(),
                _ => arguments.clone(),
            };
            let (exit, answer) = command(home, &typed, environment);
            assert!(!is_own(row) || exit != 0, "{what} by {name}");
            answers.push((name, answer));
        }
        let path = format!("/api/ops/{}", row.operation);
        let route = row.route.as_ref().map(|(verb, path, body)| (*verb, path.as_str(), body));
        for request in [Some(("POST", path.as_str(), &row.request)), route].into_iter().flatten() {
            for (headers, on_socket) in
                [(bearer.as_str(), false), (actor, false), (bearer.as_str(), true), (actor, true)]
            {
                answers
                    .push(("HTTP", service.ask_as(headers, on_socket, request).map_or(Value::Null, |(_, body)| body)));
            }
        }
        if let Some((method, params)) = &row.method {
            let mut params = params.clone();
            params["token"] = json!(secret);
            answers.push(("JSON-RPC", through_socket(home, method, &params).1));
        }
        for (name, answer) in &answers {
            tried += 1;
            if is_own(row) {
                let code = answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{what} by {name}: {answer}"));
                assert!(["self_edit", "not_found", "soul_conflict"].contains(&code), "{what} by {name}: {code}");
                assert!(code == "self_edit" || row.operation == "migrate", "{what} by {name}: {answer}");
            }
        }
        assert!(state(home) == before, "{what} changed the soul");
    }
    assert!(tried > 300, "{tried}");

    // Nor by the paths that only a command has.
    fs::write(home.join("mine.md"), "You are free.\n").unwrap();
    let own = home.join("agents/coder/SOUL.md");
    let own = own.to_str().unwrap();
    for arguments in [
        vec!["write", "coder", "--file", "mine.md", "--create", "--force", "mine"],
        vec!["new", "coder"],
        vec!["check", "--fix", "agents/coder"],
        vec!["check", "--fix", "coder"],
        vec!["convert", "texts/new.md", "--to", "plain", "-o", own, "--overwrite"],
        vec!["restore-backup", "backup.db"],
        vec!["token", "create", "--role", "author"],
        vec!["review", &base.names["proposal"], "--accept"],
        vec!["review", &base.names["proposal"], "--reject", "no"],
    ] {
        let (exit, answer) = command(home, &arguments, &[("SOUL_ACTOR", "agent:coder")]);
        assert!(state(home) == before, "{arguments:?} changed the soul");
        assert!(exit != 0 || arguments[0] == "check", "{arguments:?}: {answer}");
    }

    // What is left is to propose, and a person decides.
    let text = fs::read_to_string(own).unwrap();
    fs::write(home.join("mine.md"), text.replace("You review", "You kindly review")).unwrap();
    let (exit, made) = command(home, &["propose", "coder", "--file", "mine.md"], &[("SOUL_ACTOR", "agent:coder")]);
    assert_eq!((exit, &made["proposal"]["state"]), (0, &json!("pending")), "{made}");
    assert_eq!(made["proposal"]["proposer"], json!({ "kind": "agent", "ref": "coder" }));
    let id = made["proposal"]["id"].as_str().unwrap();
    let (exit, _) = command(home, &["review", id, "--accept"], &[("SOUL_SERVER", &url), ("SOUL_TOKEN", &secret)]);
    assert_eq!(exit, 2);
    assert!(state(home) == before);
    let (exit, accepted) = command(home, &["review", id, "--accept"], &[("SOUL_ACTOR", "user:bea")]);
    assert_eq!((exit, &accepted["proposal"]["state"]), (0, &json!("accepted")), "{accepted}");
    let revision = &accepted["change"]["revision"];
    assert_eq!(revision["actor"], json!({ "kind": "user", "ref": "bea" }));
    let message = revision["message"].as_str().unwrap();
    assert!(message.contains(id) && message.contains("agent:coder"), "{message}");
    assert!(fs::read_to_string(own).unwrap().contains("You kindly review"));
}
