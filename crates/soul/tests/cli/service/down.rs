//! The service goes down when it is asked to, no matter who holds on to it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Service;

/// Far more than it takes, and far less than the time in which a client that is cut off would notice.
const SOON: Duration = Duration::from_secs(8);

/// Someone who listens and says nothing.
fn listener(service: &Service) -> TcpStream {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let head = "GET /api/events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

fn ends(service: &mut Service) -> bool {
    let told = Command::new("kill").arg(service.process.id().to_string()).status().unwrap();
    assert!(told.success());
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if let Some(status) = service.process.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn those_who_listen_do_not_keep_it_up() {
    let home = tempfile::tempdir().unwrap();
    let mut service = Service::start(home.path());
    let mut one = listener(&service);
    let mut first = [0; 12];
    one.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert!(ends(&mut service));
    assert!(!home.path().join("keeper.sock").exists());
}

#[test]
fn a_crowd_is_bounded_and_does_not_keep_it_up() {
    let home = tempfile::tempdir().unwrap();
    let mut service = Service::start(home.path());
    let crowd: Vec<_> = (0..300).map(|_| listener(&service)).collect();
    let answered = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(SOON)).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        first.ends_with(b"200")
    };
    // One client gets three quarters of the room for streams.
    assert_eq!(crowd.iter().filter(|stream| answered(stream)).count(), 192);
    // Callers that only read are answered all the same.
    assert_eq!(service.ask("GET", "/api/agents", &Value::Null).unwrap().0, 200);
    // No more connections are taken than there is room for; who is told to stop hears it even so.
    let _more: Vec<_> = (0..900).map(|_| TcpStream::connect(&service.address).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(200));
    drop(crowd);
    assert!(ends(&mut service));
}

#[test]
fn a_crowd_on_the_socket_is_bounded_and_keeps_nobody_else_out() {
    let home = tempfile::tempdir().unwrap();
    let mut service = Service::start(home.path());
    let connect = || UnixStream::connect(home.path().join("keeper.sock")).unwrap();
    let silent: Vec<_> = (0..1024).map(|_| connect()).collect();
    // Who has said nothing for longest makes room for one more.
    let mut next = connect();
    next.write_all(b"GET /healthz HTTP/1.1\r\nhost: unix\r\n\r\n").unwrap();
    next.set_read_timeout(Some(SOON)).unwrap();
    let mut first = [0; 12];
    next.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert_eq!(service.ask("GET", "/api/agents", &Value::Null).unwrap().0, 200);
    let is_closed = |mut stream: &UnixStream| {
        stream.set_nonblocking(true).unwrap();
        matches!(stream.read(&mut [0]), Ok(0))
    };
    assert!(silent.iter().any(is_closed), "nobody was closed");
    assert!(ends(&mut service));
    assert!(!home.path().join("keeper.sock").exists());
}

#[test]
fn those_who_wait_for_a_lock_do_not_keep_others_from_reading() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start(home.path());
    let folder = std::fs::File::open(home.path().join("agents/guide")).unwrap();
    folder.lock().unwrap();
    let waiting: Vec<_> = (0..24)
        .map(|number| {
            let mut stream = TcpStream::connect(&service.address).unwrap();
            let body = json!({ "body": format!("You are {number}.\n") }).to_string();
            let head = "PUT /api/agents/guide/soul HTTP/1.1\r\nhost: localhost\r\n";
            stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    assert_eq!(service.ask("GET", "/api/sessions", &Value::Null).unwrap().0, 200);
    // The lock is waited for up to ten seconds; callers that only read do not wait with them.
    assert!(begun.elapsed() < SOON);
    drop((folder, waiting));
}
