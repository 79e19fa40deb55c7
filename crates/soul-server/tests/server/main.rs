//! The service on a real socket.

#![allow(clippy::unwrap_used, clippy::panic)]

mod socket;

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use soul_engine::workspace::Roots;
use soul_engine::{Keeper, Step};
use soul_server::Options;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(20);

/// Serves a home for as long as the test runs.
fn serve(keeper: Keeper) -> SocketAddr {
    let (tell, told) = mpsc::channel();
    let options = Options { listen: ([127, 0, 0, 1], 0).into(), socket: None, hosts: Vec::new(), require_token: false };
    std::thread::spawn(move || {
        soul_server::serve(keeper, &options, |listening| tell.send(listening.address).unwrap()).unwrap();
    });
    told.recv_timeout(LONG).unwrap()
}

fn request(method: &str, path: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn get(address: SocketAddr, path: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request("GET", path, "").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn keeper(home: &Path) -> Keeper {
    fs::create_dir_all(home.join("agents/coder")).unwrap();
    // A library that has been begun, so that the first change is the one that is asked for.
    fs::create_dir_all(home.join("souls")).unwrap();
    fs::write(home.join("souls/.examples-created"), "").unwrap();
    Keeper::open(Roots { workspace: None, home: Some(home.to_path_buf()), user: None }).unwrap()
}

/// A client sends a change whole, hears nothing, and goes away while the change is at this step.
fn leave_at(step: Step, method: &str, path: &str, body: &Value, history: &str) {
    let home = tempfile::tempdir().unwrap();
    let (arrive, arrived) = mpsc::channel();
    let (leave, left) = mpsc::channel::<()>();
    let (arrive, left) = (Mutex::new(arrive), Mutex::new(left));
    let keeper = keeper(home.path()).with_failpoint(Arc::new(move |at| {
        if at == step {
            let _ = arrive.lock().unwrap().send(());
            let _ = left.lock().unwrap().recv_timeout(LONG);
            // The service notices that nobody listens any more before the change goes on.
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }));
    let address = serve(keeper);
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(request(method, path, &body.to_string()).as_bytes()).unwrap();
    arrived.recv_timeout(LONG).unwrap();
    drop(client);
    leave.send(()).unwrap();
    let until = Instant::now() + LONG;
    loop {
        let found = get(address, history);
        if found["revisions"][0]["action"] == "put" {
            break;
        }
        assert!(Instant::now() < until, "at {step:?}: {found}");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(get(address, "/api/audit/verify")["ok"], true);
}

#[test]
fn a_client_that_goes_away_cancels_nothing() {
    for step in [Step::Checked, Step::Recorded, Step::Replaced] {
        let soul = json!({ "body": "You are careful.\n" });
        leave_at(step, "PUT", "/api/agents/coder/soul", &soul, "/api/agents/coder/soul/history");
        let soul = json!({ "id": "ops", "name": "Ops", "content": "Be brief." });
        let souls = "/api/v1/settings/agent/souls";
        leave_at(step, "POST", souls, &soul, &format!("{souls}/ops/history"));
    }
}

#[test]
fn a_body_that_is_cut_off_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let address = serve(keeper(home.path()));
    let mut client = TcpStream::connect(address).unwrap();
    let whole = request("PUT", "/api/agents/coder/soul", &json!({ "body": "You are careful.\n" }).to_string());
    client.write_all(&whole.as_bytes()[..whole.len() - 3]).unwrap();
    client.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    let _ = client.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(get(address, "/api/agents/coder/soul/history")["revisions"], json!([]));
}
