//! HTTP and JSON-RPC on one Unix socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use soul_engine::ops::Operation;
use soul_engine::ops::token::create;
use soul_engine::store::{Party, Role};
use soul_engine::{Caller, Context, Keeper};
use soul_server::Options;

use super::{LONG, keeper, request};

/// Far more than a service takes to go down when nothing is under way, and less than any of its time limits.
const SOON: Duration = Duration::from_secs(5);

/// A service with a socket, which goes down with it.
struct Served {
    home: tempfile::TempDir,
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn new() -> Self {
        Self::on(([127, 0, 0, 1], 0).into(), |_| {})
    }

    fn on(listen: SocketAddr, prepare: impl FnOnce(&Keeper)) -> Self {
        let home = tempfile::tempdir().unwrap();
        let keeper = keeper(home.path());
        std::fs::write(home.path().join("agents/coder/SOUL.md"), "---\nrole: Coder\n---\nYou write code.\n").unwrap();
        prepare(&keeper);
        let options = Options { listen, socket: Some(path(home.path())), hosts: Vec::new(), require_token: false };
        let (stop, stopped) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            soul_server::serve_until(stopped, keeper, &options, |_| tell.send(()).unwrap()).unwrap();
        });
        told.recv_timeout(LONG).unwrap();
        Self { home, stop: Some(stop), thread: Some(thread) }
    }

    fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(path(self.home.path())).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends bytes as they are, and reads until the service closes the connection.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A refused caller may hear it before all is said, and the rest of what they say is not read.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    fn http(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        split(&self.send(request(method, path, &body).as_bytes()))
    }

    /// Tells it to go down, and returns how long it took.
    fn end(&mut self) -> Duration {
        let begun = Instant::now();
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap();
        begun.elapsed()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.end();
        }
    }
}

fn path(home: &Path) -> PathBuf {
    home.join("keeper.sock")
}

fn split(answer: &str) -> (u16, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_default())
}

fn message(id: usize) -> String {
    let message = json!({
        "jsonrpc": "2.0", "id": id, "method": "agent.soul.inspectDefinition", "params": { "agent_name": "coder" }
    });
    format!("{message}\n")
}

fn line(stream: &mut impl BufRead) -> Value {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
}

/// One answer of a connection that stays open.
fn reply(stream: &mut BufReader<UnixStream>) -> Value {
    let mut length = 0;
    loop {
        let mut head = String::new();
        stream.read_line(&mut head).unwrap();
        if let Some(value) = head.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if head.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

#[test]
fn http_on_the_socket_takes_any_host_and_no_origin() {
    let service = Served::new();
    for host in ["host: unix\r\n", "host: localhost\r\n", "host: %2Frun%2Fkeeper.sock\r\n", "host: evil.test\r\n"] {
        let (status, answer) =
            split(&service.send(format!("GET /api/agents HTTP/1.1\r\n{host}connection: close\r\n\r\n").as_bytes()));
        assert_eq!((status, &answer["agents"][0]["name"]), (200, &json!("coder")), "{host}");
    }
    let (status, _) = split(&service.send(b"GET /api/agents HTTP/1.0\r\n\r\n"));
    assert_eq!(status, 200);
    for origin in ["http://localhost", "http://evil.test", "null"] {
        let head =
            format!("GET /api/agents HTTP/1.1\r\nhost: localhost\r\norigin: {origin}\r\nconnection: close\r\n\r\n");
        let (status, answer) = split(&service.send(head.as_bytes()));
        assert_eq!((status, &answer["error"]["code"]), (403, &json!("foreign_origin")), "{origin}");
    }
}

#[test]
fn the_user_of_the_socket_goes_on_record_and_may_do_everything() {
    let service = Served::new();
    let uid = std::fs::metadata(service.home.path()).unwrap().uid();
    let soul = service.http("GET", "/api/agents/coder/soul", &Value::Null).1;
    let change = json!({ "body": "---\nrole: Coder\n---\nYou test code.\n", "expected_digest": soul["digest"] });
    let (status, written) = service.http("PUT", "/api/agents/coder/soul", &change);
    let revision = &written["revision"];
    assert_eq!((status, &revision["actor"]), (200, &json!({ "kind": "user", "ref": format!("uid {uid}") })));
    assert_eq!(revision["origin"], json!({ "kind": "socket", "ref": "write" }));
    let (status, made) = service.http("POST", "/api/tokens", &json!({ "role": "viewer" }));
    assert_eq!(status, 201, "{made}");
    let ask = |header: &str| {
        split(
            &service.send(
                format!("DELETE /api/agents/coder/soul HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{header}\r\n\r\n")
                    .as_bytes(),
            ),
        )
    };
    // Who brings a token is bound by it here too.
    let (status, answer) = ask(&format!("authorization: Bearer {}", made["secret"].as_str().unwrap()));
    assert_eq!((status, &answer["error"]["code"]), (403, &json!("not_granted")));
    // The user who runs the keeper may act for an agent, as on the command line.
    let named = |actor: &str| {
        let body = json!({ "create": true, "body": "You help.\n" }).to_string();
        let head =
            format!("PUT /api/agents/helper/soul HTTP/1.1\r\nhost: x\r\nconnection: close\r\nsoul-actor: {actor}");
        split(&service.send(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).as_bytes()))
    };
    assert_eq!(named("outside:x").0, 400);
    assert_eq!(named("agent:planner").1["revision"]["actor"], json!({ "kind": "agent", "ref": "planner" }));
}

#[test]
fn a_proxy_in_front_of_the_socket_is_not_its_user() {
    let service = Served::new();
    let ask = |header: &str| {
        let head = format!("GET /api/agents HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{header}\r\n\r\n");
        split(&service.send(head.as_bytes()))
    };
    for header in ["x-forwarded-for: 192.0.2.7", "forwarded: for=192.0.2.7", "via: 1.1 proxy"] {
        let (status, answer) = ask(header);
        assert_eq!((status, &answer["error"]["code"]), (401, &json!("token_required")), "{header}");
    }
}

#[test]
fn the_socket_needs_no_token_where_the_network_does() {
    let service = Served::on(([0, 0, 0, 0], 0).into(), |keeper| {
        let caller = Caller::local(Party::new("user", "operator"), "test");
        let request = create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None };
        request.run(&Context::new(keeper, &caller)).unwrap();
    });
    assert_eq!(service.http("GET", "/api/agents", &Value::Null).0, 200);
}

#[test]
fn both_protocols_are_answered_at_once() {
    let service = Served::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut stream = BufReader::new(service.connect());
                for id in 0..50 {
                    stream.get_mut().write_all(message(id).as_bytes()).unwrap();
                    let answer = line(&mut stream);
                    assert_eq!((&answer["id"], &answer["result"]["agent_name"]), (&json!(id), &json!("coder")));
                }
            });
            scope.spawn(|| {
                let mut stream = BufReader::new(service.connect());
                for _ in 0..50 {
                    let head = b"GET /api/agents/coder/soul HTTP/1.1\r\nhost: unix\r\n\r\n";
                    stream.get_mut().write_all(head).unwrap();
                    assert_eq!(reply(&mut stream)["agent_name"], "coder");
                }
            });
        }
    });
}

#[test]
fn requests_may_be_pipelined() {
    let service = Served::new();
    let one = "GET /api/agents/coder/soul HTTP/1.1\r\nhost: unix\r\n\r\n";
    let body = json!({ "body": "You are new.\n" }).to_string();
    let two =
        format!("POST /api/agent/soul/validate HTTP/1.1\r\nhost: unix\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let mut stream = BufReader::new(service.connect());
    stream.get_mut().write_all(format!("{one}{two}{one}").as_bytes()).unwrap();
    let names: Vec<_> = (0..3).map(|_| reply(&mut stream)["agent_name"].clone()).collect();
    assert_eq!(names, [json!("coder"), Value::Null, json!("coder")]);
    let mut stream = BufReader::new(service.connect());
    stream.get_mut().write_all((0..3).map(message).collect::<String>().as_bytes()).unwrap();
    let ids: Vec<_> = (0..3).map(|_| line(&mut stream)["id"].clone()).collect();
    assert_eq!(ids, [0, 1, 2]);
}

#[test]
fn a_client_may_send_byte_by_byte_and_begin_with_blanks() {
    let service = Served::new();
    let http = format!("\r\n{}", request("GET", "/api/agents", ""));
    for (bytes, expected) in [(http, "HTTP/1.1 200"), (format!(" \n\t{}", message(1)), "{\"jsonrpc\"")] {
        let mut stream = service.connect();
        for byte in bytes.as_bytes() {
            stream.write_all(&[*byte]).unwrap();
            std::thread::sleep(Duration::from_micros(200));
        }
        let mut first = vec![0; expected.len()];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(String::from_utf8(first).unwrap(), expected);
    }
}

#[test]
fn a_client_that_has_said_all_still_hears_the_answer() {
    let service = Served::new();
    let get = "GET /api/agents/coder/soul HTTP/1.1\r\nhost: unix\r\n\r\n".to_owned();
    let change = json!({ "body": "---\nrole: Coder\n---\nBe brief.\n", "expected_digest": "sha256:0" });
    for (bytes, expected) in [
        (get, "HTTP/1.1 200"),
        // One that waits for the disk, after the end of the input was seen.
        (request("PUT", "/api/agents/coder/soul", &change.to_string()), "HTTP/1.1 409"),
        (message(1), "{\"jsonrpc\""),
        // The line end of the last message may be missing.
        (message(1).trim_end().to_owned(), "{\"jsonrpc\""),
    ] {
        let mut stream = service.connect();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(expected), "{answer:?}");
    }
    // Nothing, and half a head: the connection is closed, and nobody is answered.
    for bytes in ["", " \n", "GET /api/agents HTTP/1.1\r\nho"] {
        let mut stream = service.connect();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer:?}");
    }
}

#[test]
fn garbage_is_answered_with_an_error() {
    let service = Served::new();
    for garbage in ["hello\n", "null\n", "\u{16}\u{3}\u{1}\n", "{\"jsonrpc\"\n"] {
        let mut stream = BufReader::new(service.connect());
        stream.get_mut().write_all(garbage.as_bytes()).unwrap();
        let answer = line(&mut stream);
        assert!(matches!(answer["error"]["code"].as_i64(), Some(-32700 | -32600)), "{garbage:?} {answer}");
    }
    assert!(service.send(b"GARBAGE\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(service.send(b"NO SUCH THING\r\n\r\n").starts_with("HTTP/1.1 400"));
    let long = request("PUT", "/api/agents/coder/soul", &json!({ "body": "x".repeat(3 << 20) }).to_string());
    assert!(service.send(long.as_bytes()).starts_with("HTTP/1.1 413"));
    let head = format!("GET /api/agents HTTP/1.1\r\nhost: x\r\nx-long: {}\r\n\r\n", "y".repeat(200_000));
    assert!(service.send(head.as_bytes()).starts_with("HTTP/1.1 431"));
    assert_eq!(service.http("GET", "/api/agents", &Value::Null).0, 200);
}

#[test]
fn clients_that_stay_connected_do_not_keep_the_service_up() {
    let mut service = Served::new();
    let silent = service.connect();
    let mut kept = BufReader::new(service.connect());
    kept.get_mut().write_all(b"GET /api/agents HTTP/1.1\r\nhost: unix\r\n\r\n").unwrap();
    reply(&mut kept);
    let mut rpc = BufReader::new(service.connect());
    rpc.get_mut().write_all(message(1).as_bytes()).unwrap();
    line(&mut rpc);
    let mut events = service.connect();
    events.write_all(b"GET /api/events HTTP/1.1\r\nhost: unix\r\naccept: text/event-stream\r\n\r\n").unwrap();
    let mut first = [0; 12];
    events.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let took = service.end();
    assert!(took < SOON, "{took:?}");
    assert!(!path(service.home.path()).exists());
    drop((silent, kept, rpc, events));
}
