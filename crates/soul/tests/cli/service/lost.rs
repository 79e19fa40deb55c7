use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Service, request};

const SOUL: &str = "/api/agents/ada/soul";

fn soul(home: &std::path::Path, arguments: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soul"));
    let output = command.args(arguments).arg("--json").env("SOUL_HOME", home).current_dir(home).output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap_or_default())
}

/// Nothing is acknowledged that the next who opens the store will not find.
#[test]
fn a_service_whose_store_was_removed_says_so_and_a_backup_brings_it_back() {
    let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let backup = elsewhere.path().join("backup.db");
    let backup = backup.to_str().unwrap();
    let mut service = Service::start(home.path());
    let put = |service: &Service, text: &str, seen: &Value| {
        let body = json!({ "body": text, "expected_digest": seen, "create": true });
        service.ask("PUT", SOUL, &body).unwrap()
    };
    let (status, first) = put(&service, "One.\n", &Value::Null);
    assert_eq!(status, 200, "{first}");
    let ready = service.send(&request("GET", "/readyz", &Value::Null), Duration::from_secs(5)).unwrap();
    assert!(ready.starts_with(b"HTTP/1.1 200"));
    // The service goes on while it is backed up, and keeps its store from being replaced.
    assert_eq!(soul(home.path(), &["backup", backup]).0, 0);
    let (exit, refused) = soul(home.path(), &["restore-backup", backup]);
    assert_eq!((exit, &refused["error"]["code"]), (5, &json!("store_in_use")), "{refused}");

    for name in ["keeper.db", "keeper.db-wal", "keeper.db-shm"] {
        fs::remove_file(home.path().join(name)).unwrap();
    }
    let (status, answer) = put(&service, "Two.\n", &first["soul"]["digest"]);
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("store_lost")), "{answer}");
    assert_eq!(service.ask("GET", "/readyz", &Value::Null).unwrap().0, 503);
    assert_eq!(fs::read_to_string(home.path().join("agents/ada/SOUL.md")).unwrap(), "One.\n");
    service.kill();

    // It does not start over nothing, as if nothing had been there.
    let (exit, lost) = soul(home.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((exit, &lost["error"]["code"]), (5, &json!("store_lost")), "{lost}");
    assert!(lost["error"]["hint"].as_str().unwrap().contains("backup.db"), "{lost}");
    let (exit, restored) = soul(home.path(), &["restore-backup", backup]);
    assert_eq!(exit, 0, "{restored}");
    let service = Service::start(home.path());
    assert_eq!(put(&service, "Two.\n", &first["soul"]["digest"]).0, 200);
    assert_eq!(service.ask("GET", "/api/audit/verify", &Value::Null).unwrap().1["ok"], true);
}
