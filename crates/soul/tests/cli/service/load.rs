//! Loads that must not freeze the service: probes answer whatever else happens.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Service, request};

/// How long a probe may take here. The promise is 100 ms on a machine of its own; tests share theirs, and what they
/// look for is a service that does not answer for seconds.
const SOON: Duration = Duration::from_millis(1500);

impl Service {
    /// Asks for each probe, and fails if one does not answer soon.
    fn probes_answer(&self) {
        for (path, expected) in [("/healthz", "ok\n"), ("/readyz", "ready\n"), ("/metrics", "# HELP")] {
            let begun = Instant::now();
            let answer = self.send(&request("GET", path, &Value::Null), SOON * 2).unwrap_or_default();
            let (took, answer) = (begun.elapsed(), String::from_utf8_lossy(&answer).into_owned());
            let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
            assert!(answer.starts_with("HTTP/1.1 200") && body.starts_with(expected), "{path} in {took:?}: {answer}");
            assert!(took < SOON, "{path} took {took:?}");
        }
    }

    /// Sends a request and leaves the connection open.
    fn begin(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let _ = stream.write_all(bytes);
        stream
    }

    /// The processor time that the service has used, in clock ticks.
    #[cfg(target_os = "linux")]
    fn processor_time(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

/// 512 KiB of lines of one letter, which share nearly everything and nothing in the same order.
fn tangled(seed: usize) -> String {
    let line = |n: usize| ["a\n", "b\n", "c\n", "d\n"][(n * n / 7 + n * seed + n % (seed + 11)) % 4];
    let head = "---\nname: Tangled\ndescription: Hard to compare\n---\n";
    head.chars().chain((0..260_000).flat_map(|n| line(n).chars())).collect()
}

const TANGLED: &str = "/api/v1/settings/agent/souls/tangled";

/// A soul of the library with revisions that are hard to compare.
fn tangle(service: &Service, revisions: usize) {
    let body = |content: String| json!({ "id": "tangled", "name": "Tangled", "description": "x", "content": content });
    let created = service.ask("POST", "/api/v1/settings/agent/souls", &body(tangled(1))).unwrap();
    assert_eq!(created.0, 201, "{}", created.1["message"]);
    for seed in 2..=revisions {
        let updated = service.ask("PATCH", TANGLED, &json!({ "content": tangled(seed) })).unwrap();
        assert_eq!(updated.0, 200, "{}", updated.1["message"]);
    }
}

#[test]
fn a_storm_of_diffs_freezes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start(home.path());
    tangle(&service, 5);
    let storm = request("GET", &format!("{TANGLED}/history?diffs=true&limit=1000"), &Value::Null);
    let streams: Vec<_> = (0..17).map(|_| service.begin(&storm)).collect();
    std::thread::sleep(Duration::from_millis(200));
    service.probes_answer();
    assert_eq!(service.ask("GET", "/api/sessions", &Value::Null).unwrap().0, 200);
    // Clients that are gone are not worked for.
    drop(streams);
    std::thread::sleep(Duration::from_secs(1));
    service.probes_answer();
    #[cfg(target_os = "linux")]
    {
        // On a busy machine a step that has begun may take a moment to end.
        let busy = || {
            let before = service.processor_time();
            std::thread::sleep(Duration::from_secs(1));
            service.processor_time() - before
        };
        let ticks = (0..3).map(|_| busy()).min().unwrap();
        assert!(ticks < 30, "still busy for clients that are gone: {ticks} ticks in a second");
    }
}

#[test]
fn pages_of_large_diffs_end_early_and_lead_on() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start(home.path());
    tangle(&service, 12);
    let (mut cursor, mut seen, mut pages) = (String::new(), Vec::new(), 0);
    loop {
        let path = format!("{TANGLED}/history?diffs=true&limit=1000{cursor}");
        let (status, page) = service.ask("GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{page}");
        for revision in page["revisions"].as_array().unwrap() {
            assert!(revision["diff"].as_str().unwrap().starts_with("@@ "));
            seen.push(revision["seq"].as_i64().unwrap());
        }
        pages += 1;
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, (1..=12).rev().collect::<Vec<i64>>());
    assert!(pages > 1, "twelve diffs of half a megabyte are more than one page");
}

/// An endpoint that takes requests and never answers.
fn silent_endpoint() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::Relaxed);
            held.push(stream);
        }
    });
    (format!("http://{address}/v1"), taken)
}

#[test]
fn searches_that_wait_for_another_machine_hold_nobody_up() {
    let home = tempfile::tempdir().unwrap();
    let (endpoint, asked) = silent_endpoint();
    fs::create_dir_all(home.path().join("agents/ada/memory")).unwrap();
    fs::write(home.path().join("agents/ada/SOUL.md"), "You are Ada.\n").unwrap();
    fs::write(home.path().join("agents/ada/MEMORY.md"), "# Tea\n\nAda likes tea.\n\n# Coffee\n\nNo tea.\n").unwrap();
    let settings = format!("[memory.rerank]\nurl = \"{endpoint}\"\nmodel = \"m\"\ntimeout = 30\n");
    fs::write(home.path().join("config.toml"), settings).unwrap();
    let service = Service::start(home.path());
    let search = request("GET", "/api/agents/ada/memory/search?query=tea&enhanced=true", &Value::Null);
    let _streams: Vec<_> = (0..17).map(|_| service.begin(&search)).collect();
    let deadline = Instant::now() + Duration::from_secs(10);
    while asked.load(Ordering::Relaxed) == 0 {
        assert!(Instant::now() < deadline, "no search reached the endpoint");
        std::thread::sleep(Duration::from_millis(20));
    }
    service.probes_answer();
    // Neither cheap reads nor slow ones that ask nobody else wait.
    for path in ["/api/agents/ada/soul", "/api/agents", "/api/audit/verify"] {
        let begun = Instant::now();
        assert_eq!(service.ask("GET", path, &Value::Null).unwrap().0, 200, "{path}");
        assert!(begun.elapsed() < SOON, "{path} took {:?}", begun.elapsed());
    }
    let write = json!({ "body": "You are Bea.\n", "create": true });
    assert_eq!(service.ask("PUT", "/api/agents/bea/soul", &write).unwrap().0, 200);
}

/// A service that may have only so many descriptors.
fn service_within(home: &Path, descriptors: usize) -> Service {
    Service::start_by(home, &["sh", "-c", &format!("ulimit -n {descriptors} && exec \"$0\" \"$@\"")])
}

#[test]
fn clients_that_never_read_block_nobody() {
    let home = tempfile::tempdir().unwrap();
    let service = service_within(home.path(), 200);
    let greedy = request("GET", "/openapi.json", &Value::Null).repeat(40);
    let greedy = String::from_utf8(greedy).unwrap().replace("connection: close\r\n", "");
    let _streams: Vec<_> = (0..220).map(|_| service.begin(greedy.as_bytes())).collect();
    std::thread::sleep(Duration::from_millis(500));
    service.probes_answer();
    service.probes_answer();
}

#[test]
fn out_of_descriptors_the_service_still_answers_truly() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("agents/ada")).unwrap();
    fs::write(home.path().join("agents/ada/SOUL.md"), "You are Ada.\n").unwrap();
    let service = service_within(home.path(), 200);
    let silent: Vec<_> = (0..230).map(|_| TcpStream::connect(&service.address).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(300));
    service.probes_answer();
    let (status, agents) = service.ask("GET", "/api/agents", &Value::Null).unwrap();
    assert_eq!((status, &agents["agents"][0]["name"]), (200, &json!("ada")));
    let (status, soul) = service.ask("GET", "/api/agents/ada/soul", &Value::Null).unwrap();
    assert_eq!((status, &soul["valid"]), (200, &json!(true)));
    let write = json!({ "body": "You are Bea.\n", "create": true });
    assert_eq!(service.ask("PUT", "/api/agents/bea/soul", &write).unwrap().0, 200);
    drop(silent);
}

/// With hardly any descriptors nothing may be told that is not so.
#[test]
fn a_service_without_descriptors_says_so() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("agents/ada")).unwrap();
    fs::write(home.path().join("agents/ada/SOUL.md"), "You are Ada.\n").unwrap();
    let service = service_within(home.path(), 28);
    let is_over = Arc::new(AtomicBool::new(false));
    let crowd: Vec<_> = (0..8)
        .map(|_| {
            let (is_over, address) = (Arc::clone(&is_over), service.address.clone());
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let Ok(mut stream) = TcpStream::connect(&address) else { continue };
                    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
                    let _ = stream.write_all(&request("GET", "/api/agents?x", &Value::Null));
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            })
        })
        .collect();
    let mut answered = 0;
    for _ in 0..200 {
        for path in ["/api/agents", "/api/agents/ada/soul", "/api/agent/context?agent=ada", "/api/agents/ada/prompt"] {
            let Some((status, body)) = service.ask("GET", path, &Value::Null) else { continue };
            match status {
                200 if path == "/api/agents" => assert_eq!(body["agents"][0]["name"], "ada", "{body}"),
                200 => assert!(body.to_string().contains("ada") || body.to_string().contains("Ada"), "{path} {body}"),
                503 => {}
                status => panic!("{path}: {status} {body}"),
            }
            answered += usize::from(status == 200);
        }
    }
    is_over.store(true, Ordering::Relaxed);
    crowd.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(answered > 0);
}
