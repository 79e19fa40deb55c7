use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Fleet;
use super::clients::soul;
use super::postgres::Server;
use crate::service::Service;

/// Requests of every kind.
fn requests() -> Vec<(&'static str, String, Value)> {
    vec![
        ("GET", soul(0), Value::Null),
        ("GET", format!("{}/history", soul(0)), Value::Null),
        ("GET", "/api/agents".to_owned(), Value::Null),
        ("GET", "/api/agent/context?agent=agent-0".to_owned(), Value::Null),
        ("GET", "/api/events".to_owned(), Value::Null),
        ("GET", "/api/v1/settings/agent".to_owned(), Value::Null),
        ("PUT", soul(0), json!({ "body": "You are another.\n" })),
        ("POST", "/api/tasks".to_owned(), json!({ "payload": 1 })),
        ("POST", "/api/sessions".to_owned(), json!({ "agent": "agent-0" })),
        ("POST", "/api/tasks/claim".to_owned(), json!({ "session_id": "sess_01ARZ3NDEKTSV4RRFFQ69G5FAV" })),
    ]
}

#[test]
fn without_its_database_a_keeper_says_so_and_heals_by_itself() {
    let fleet = Fleet::start(2);
    fleet.insist(0, "PUT", &soul(0), &json!({ "body": "You wait.\n", "create": true }));
    // Twice, so that there is an answer that could be given again.
    for (method, path, _) in requests().iter().filter(|(method, ..)| *method == "GET").chain(&requests()) {
        if *method == "GET" {
            fleet.insist(1, method, path, &Value::Null);
        }
    }
    fleet.server.tell("stop");
    let mut slowest = Duration::ZERO;
    for keeper in 0..2 {
        for (method, path, body) in requests() {
            let begun = Instant::now();
            let answer = fleet.ask(keeper, method, &path, &body).expect("an answer");
            slowest = slowest.max(begun.elapsed());
            assert_eq!(answer.status, 503, "{method} {path}: {answer:?}");
            assert!(answer.has_retry_after, "{method} {path}: {answer:?}");
            assert_eq!(answer.code(), "store_unavailable", "{method} {path}: {answer:?}");
        }
        let until = Instant::now() + Duration::from_secs(15);
        loop {
            let answer = fleet.ask(keeper, "GET", "/readyz", &Value::Null).unwrap();
            if answer.status == 503 {
                assert!(answer.has_retry_after, "{answer:?}");
                break;
            }
            assert!(Instant::now() < until, "still ready");
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(fleet.ask(keeper, "GET", "/healthz", &Value::Null).unwrap().status, 200);
    }
    println!("fleet: without a database the slowest answer took {slowest:?}");
    fleet.server.tell("start");
    for keeper in 0..2 {
        fleet.wait_until_ready(keeper);
        let shown = fleet.insist(keeper, "GET", &format!("{}/text", soul(0)), &Value::Null);
        let body = format!("{}Again.\n", shown["text"].as_str().unwrap());
        let request = json!({ "body": body, "expected_digest": shown["raw_digest"] });
        fleet.insist(keeper, "PUT", &soul(0), &request);
    }
}

#[test]
fn a_token_counts_for_every_request_and_not_after_it_was_revoked() {
    let fleet = Fleet::start(2);
    let soul = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_soul"))
            .args(["--home", fleet.keepers[0].home.path().to_str().unwrap(), "--json"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let created = soul(&["token", "create", "--role", "viewer"]);
    let secret = created["secret"].as_str().unwrap();
    let status = |keeper: usize| {
        let mut stream = fleet.connect(keeper).unwrap();
        let head = format!("GET /api/agents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {secret}\r\n");
        stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.get(9..12).unwrap_or_default().to_owned()
    };
    for keeper in [0, 0, 0, 1, 1, 1] {
        assert_eq!(status(keeper), "200");
    }
    soul(&["token", "revoke", created["token"]["id"].as_str().unwrap()]);
    assert_eq!([status(0), status(1)], ["401", "401"]);
}

/// The first start of many at once: one of them seeds the database.
#[test]
fn many_keepers_can_start_at_once_on_an_empty_database() {
    let server = Server::start();
    let url = server.database();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let home = tempfile::tempdir().unwrap();
                let config = format!("[store]\nurl = \"{url}\"\nsouls = \"database\"\n");
                std::fs::write(home.path().join("config.toml"), config).unwrap();
                drop(Service::start(home.path()));
            });
        }
    });
}
