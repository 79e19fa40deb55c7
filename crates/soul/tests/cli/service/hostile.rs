//! Requests of people who mean the service no good.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use super::words::{HEADERS, KEYS, METHODS, PARTS, QUERIES, ROUTES, VALUES};
use super::{Random, Service};
use crate::processes::times;

/// How long to wait for an answer to what may be no whole request.
const PATIENCE: Duration = Duration::from_secs(1);

fn body(random: &mut Random) -> Vec<u8> {
    match random.below(12) {
        0 => Vec::new(),
        1 => (0..random.below(300)).map(|_| u8::try_from(random.next() & 255).unwrap()).collect(),
        2 => b"[".repeat(100_000),
        3 => format!("{{\"body\":\"{}\"}}", "x".repeat(3 << 20)).into_bytes(),
        4 => format!("{{\"body\":\"{}\"", "\\u00e9".repeat(random.below(5000))).into_bytes(),
        5 => random.of(VALUES).as_bytes().to_vec(),
        6 => b"{\"body\":\"\xff\xfe\"}".to_vec(),
        _ => {
            let pairs: Vec<String> = (0..random.below(6))
                .map(|_| {
                    let key = serde_json::to_string(random.of(KEYS)).unwrap();
                    format!("{key}:{}", random.of(VALUES))
                })
                .collect();
            format!("{{{}}}", pairs.join(",")).into_bytes()
        }
    }
}

/// The bytes of one request.
fn request(random: &mut Random) -> Vec<u8> {
    if random.below(40) == 0 {
        // Not HTTP at all.
        return (0..random.below(2000)).map(|_| u8::try_from(random.next() & 255).unwrap()).collect();
    }
    let mut path = match random.below(3) {
        0 => (0..random.below(7)).map(|_| format!("/{}", random.of(PARTS))).collect(),
        _ => random.of(ROUTES).to_owned(),
    };
    if random.below(60) == 0 {
        path.push_str(&"/x".repeat(50_000));
    }
    if random.below(3) == 0 {
        path = format!("{path}?{}", random.of(QUERIES));
    }
    let body = body(random);
    // Half of them with a method that routes have.
    let methods = if random.below(2) == 0 { &METHODS[..5] } else { METHODS };
    let mut bytes = format!("{} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n", random.of(methods));
    for _ in 0..random.below(3) {
        bytes.push_str(&format!("{}\r\n", random.of(HEADERS)));
    }
    if random.below(80) == 0 {
        bytes.push_str(&format!("x-long: {}\r\n", "y".repeat(100_000)));
    }
    let mut bytes = bytes.into_bytes();
    if random.below(10) == 0 {
        bytes.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n");
    } else {
        bytes.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(&body);
    bytes
}

#[test]
fn nobody_breaks_the_service_or_learns_where_it_lives() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("agents/coder")).unwrap();
    fs::write(home.path().join("agents/coder/SOUL.md"), "You are coder.\n").unwrap();
    let service = Service::start(home.path());
    let place = home.path().to_str().unwrap().to_owned();
    // What the first write loads for good is not counted.
    let first = serde_json::json!({ "body": "You are warm.\n", "create": true });
    assert_eq!(service.ask("PUT", "/api/agents/warm/soul", &first).unwrap().0, 200);
    let mut random = Random(5);
    let mut answers = std::collections::BTreeMap::<String, usize>::new();
    let requests = times(10_000);
    let mut before = service.held();
    for number in 0..requests {
        // What a thread has used once it keeps for the next request; what leaks goes on growing after that.
        if number % (requests / 8) == 0 && number <= requests / 4 * 3 {
            let held = service.held();
            before = (before.0.max(held.0), before.1.max(held.1));
        }
        let request = request(&mut random);
        let shown = || String::from_utf8_lossy(&request[..request.len().min(400)]).into_owned();
        // The socket is asked too, which also has to tell what is HTTP.
        let answer = match number % 4 {
            0 => service.send_to_socket(&request, PATIENCE),
            _ => service.send(&request, PATIENCE),
        };
        let answer = answer.unwrap();
        let text = String::from_utf8_lossy(&answer);
        // Who does not speak HTTP may be left without a word.
        let status = text.get(9..12).unwrap_or("none").to_owned();
        assert!(!status.starts_with('5'), "{}\n{text}", shown());
        for secret in [place.as_str(), "/proc/", "panicked", "src/"] {
            let leaks = text.contains(secret) && !shown().contains("/docs/");
            assert!(!leaks, "{secret} in {text}\n{}", shown());
        }
        *answers.entry(status).or_default() += 1;
    }
    let after = service.held();
    assert!(after.0 < before.0 + (4 << 10), "memory went from {} to {} KiB", before.0, after.0);
    assert!(after.1 <= before.1 + 8, "open files went from {} to {}", before.1, after.1);
    let audit = service.ask("GET", "/api/audit/verify", &Value::Null).unwrap();
    assert_eq!((audit.0, &audit.1["ok"]), (200, &Value::Bool(true)));
    assert_eq!(service.ask("GET", "/api/agents/coder/soul", &Value::Null).unwrap().0, 200);
    println!("hostile: {requests} requests, answers {answers:?}, {} to {} KiB", before.0, after.0);
}
