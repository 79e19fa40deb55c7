//! The service beside a bare handler that knows its answer: how many answers a second, and how long each takes, with and
//! without tokens, alone and while four others write. Then how long probes take under loads that are meant to stop
//! them, and what an idle service holds in memory.
//!
//! The last needs the release binary: `cargo build --release` first.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use soul_engine::ops::token::create;
use soul_engine::ops::{Operation, inspect};
use soul_engine::souls::Target;
use soul_engine::store::{Party, Role};
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper, seed};
use soul_server::{Options, serve_until};

/// Enough to keep two cores busy.
const CONNECTIONS: usize = 16;

/// How long each round lasts, and how many there are.
const ROUND: Duration = Duration::from_secs(2);
const ROUNDS: usize = 3;

fn main() {
    let home = tempfile::tempdir().unwrap();
    let roots = Roots { workspace: None, home: Some(home.path().to_path_buf()), user: None };
    let keeper = Keeper::open(roots.clone()).unwrap();
    seed::home(&keeper).unwrap().unwrap();
    for (name, soul) in [("plain", PLAIN), ("traits", TRAITS)] {
        let folder = home.path().join("agents").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SOUL.md"), soul).unwrap();
    }
    let caller = Caller::local(Party::new("user", "bench"), "bench");
    let context = Context::new(&keeper, &caller);
    let request = inspect::Request::new(Target::Agent("plain".parse().unwrap()));
    let soul = serde_json::to_string(&request.call(&context).unwrap()).unwrap();
    let token = create::Request { role: Role::Viewer, agent: None, grants: Vec::new(), name: None };
    let token = token.call(&context).unwrap().secret.expose().to_owned();
    let (_stop, service) = service(keeper);
    let bare = bare(soul);
    let body = r#"{"agent":"traits"}"#;
    let head = format!("POST /api/sessions HTTP/1.1\r\nhost: {service}\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut client = Client::new(service);
    let (status, session) = client.ask(&(head + body));
    assert_eq!(status, 200, "{session}");
    let session: serde_json::Value = serde_json::from_str(session).unwrap();
    let session = format!("/api/agent/context?session={}", session["session"]["id"].as_str().unwrap());
    let questions = [
        ("bare axum handler, the same bytes", bare, "/"),
        ("soul, plain", service, "/api/agents/plain/soul"),
        ("soul, traits", service, "/api/agents/traits/soul"),
        ("context, plain", service, "/api/agent/context?agent=plain"),
        ("context, traits", service, "/api/agent/context?agent=traits"),
        ("context of a session", service, session.as_str()),
    ];
    // What was written a moment ago is not kept yet.
    std::thread::sleep(Duration::from_millis(2100));
    for (writers, token) in [(0, None), (0, Some(&token)), (4, None), (4, Some(&token))] {
        let with = if token.is_some() { "with a token" } else { "without a token" };
        println!("\n{writers} writers, {with}");
        compare(&questions, service, writers, token.map(String::as_str));
    }
    mixed(service);
    probes(service);
    idle();
}

const PLAIN: &str = "---\nrole: Guide\n---\nYou help people find their way around this place.\n";
const TRAITS: &str =
    "---\nname: Ada\nhexaco: {openness: 0.8, emotionality: 0.3}\ndefaultMood: curious\n---\nYou are Ada.\n";

/// Asks each question in turn while others write, and prints the best round of each.
fn compare(questions: &[(&str, SocketAddr, &str)], service: SocketAddr, writers: usize, token: Option<&str>) {
    let writing = AtomicBool::new(true);
    let begun = Instant::now();
    let (rounds, writes) = std::thread::scope(|scope| {
        let writing = &writing;
        let writers: Vec<_> = (0..writers).map(|number| scope.spawn(move || write(service, number, writing))).collect();
        let mut rounds: Vec<Vec<Measured>> = questions.iter().map(|_| Vec::new()).collect();
        for _ in 0..ROUNDS {
            for ((_, address, path), rounds) in questions.iter().zip(&mut rounds) {
                rounds.push(load(*address, path, token));
            }
        }
        writing.store(false, Ordering::Relaxed);
        (rounds, writers.into_iter().map(|writer| writer.join().unwrap()).sum::<usize>())
    });
    println!("{:<44} {:>10} {:>9} {:>9} {:>8}", "", "answers/s", "p50", "p99", "share");
    let of_bare = best(&rounds[0]).rate;
    for ((name, ..), rounds) in questions.iter().zip(&rounds) {
        best(rounds).tell(name, of_bare);
    }
    if writers > 0 {
        println!(
            "{:<44} {:>10.0}",
            "  managed writes a second meanwhile",
            writes as f64 / begun.elapsed().as_secs_f64()
        );
    }
}

/// What readers keep of their rate while two others write, in turns with and without them.
fn mixed(service: SocketAddr) {
    let path = "/api/agent/context?agent=plain";
    let (mut alone, mut beside, mut writes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        alone.push(load(service, path, None));
        let writing = AtomicBool::new(true);
        std::thread::scope(|scope| {
            let writing = &writing;
            let writers: Vec<_> = (0..2).map(|number| scope.spawn(move || write(service, number, writing))).collect();
            beside.push(load(service, path, None));
            writing.store(false, Ordering::Relaxed);
            writes += writers.into_iter().map(|writer| writer.join().unwrap()).sum::<usize>();
        });
    }
    let (alone, beside) = (best(&alone), best(&beside));
    println!("\n{:<44} {:>10} {:>9} {:>9} {:>8}", "16 readers of one context", "answers/s", "p50", "p99", "share");
    alone.tell("alone", alone.rate);
    beside.tell("beside 2 writers", alone.rate);
    let rate = writes as f64 / (ROUND.as_secs_f64() * ROUNDS as f64);
    println!("{:<44} {rate:>10.0}", "  managed writes a second meanwhile");
}

/// How long probes take under loads that are meant to stop them.
fn probes(service: SocketAddr) {
    let tangled = |seed: usize| -> String {
        (0..260_000)
            .map(|n: usize| ["a\n", "b\n", "c\n", "d\n"][(n * n / 7 + n * seed + n % (seed + 11)) % 4])
            .collect()
    };
    let library = "/api/v1/settings/agent/souls";
    for seed in 1..=4 {
        let content = serde_json::json!({ "id": "tangled", "name": "T", "description": "x", "content": tangled(seed) });
        let (method, path, body) = match seed {
            1 => ("POST", library.to_owned(), content),
            _ => ("PATCH", format!("{library}/tangled"), serde_json::json!({ "content": tangled(seed) })),
        };
        let body = body.to_string();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {service}\r\ncontent-length: {}\r\n\r\n", body.len());
        assert!(Client::with_buffer(service, 8 << 20).ask(&(head + &body)).0 < 300);
    }
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: {service}\r\n\r\n");
    let storm = get(&format!("{library}/tangled/history?diffs=true&limit=1000"));
    let unread = get("/openapi.json").repeat(40);
    let loads = [
        ("nothing else", 0, String::new()),
        ("1 030 silent connections", 1030, String::new()),
        ("1 030 connections that never read", 1030, unread),
        ("17 pages of diffs of 512 KiB", 17, storm.clone()),
        ("400 pages of diffs of 512 KiB", 400, storm),
    ];
    println!("\n{:<44} {:>10} {:>10} {:>10}", "the slowest of 30 probes under", "/healthz", "/readyz", "/metrics");
    for (name, connections, sent) in loads {
        let open: Vec<TcpStream> = (0..connections)
            .map(|_| {
                let mut stream = TcpStream::connect(service).unwrap();
                stream.set_nonblocking(true).unwrap();
                let _ = stream.write(sent.as_bytes());
                stream
            })
            .collect();
        let slowest = ["/healthz", "/readyz", "/metrics"].map(|path| {
            let probe = |_| {
                let begun = Instant::now();
                let mut client = Client::new(service);
                let (status, answer) = client.ask(&get(path));
                assert_eq!(status, 200, "{path} under {name}: {answer}");
                std::thread::sleep(Duration::from_millis(20));
                begun.elapsed() - Duration::from_millis(20)
            };
            (0..30).map(probe).max().unwrap()
        });
        println!("{name:<44} {:>10.1?} {:>10.1?} {:>10.1?}", slowest[0], slowest[1], slowest[2]);
        drop(open);
        std::thread::sleep(Duration::from_secs(3));
    }
}

/// Our service, until the sender is dropped.
fn service(keeper: Keeper) -> (mpsc::Sender<()>, SocketAddr) {
    let (stop, stopped) = mpsc::channel();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let options =
            Options { listen: ([127, 0, 0, 1], 0).into(), socket: None, hosts: Vec::new(), require_token: false };
        serve_until(stopped, keeper, &options, |listening| tell.send(listening.address).unwrap()).unwrap();
    });
    (stop, told.recv().unwrap())
}

/// What one would write to answer with these bytes.
fn bare(answer: String) -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let answer = axum::body::Bytes::from(answer);
            let handler = move || async move { ([("content-type", "application/json")], answer.clone()) };
            let router = axum::Router::new().route("/", axum::routing::get(handler));
            let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
    });
    told.recv().unwrap()
}

struct Measured {
    rate: f64,
    /// Sorted.
    times: Vec<Duration>,
}

impl Measured {
    fn tell(&self, name: &str, of: f64) {
        let at = |share: f64| self.times[((self.times.len() - 1) as f64 * share) as usize];
        let share = 100.0 * self.rate / of;
        println!("{name:<44} {:>10.0} {:>9.0?} {:>9.0?} {share:>7.0}%", self.rate, at(0.5), at(0.99));
    }
}

/// The round that the rest of the machine disturbed least.
fn best(rounds: &[Measured]) -> &Measured {
    rounds.iter().max_by(|a, b| a.rate.total_cmp(&b.rate)).unwrap()
}

/// Asks the same over and over, on many connections.
fn load(address: SocketAddr, path: &str, token: Option<&str>) -> Measured {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{token}\r\n");
    let begun = Instant::now();
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| ask(address, &request, begun))).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    times.sort_unstable();
    Measured { rate, times }
}

fn ask(address: SocketAddr, request: &str, begun: Instant) -> Vec<Duration> {
    let mut client = Client::new(address);
    let mut times = Vec::new();
    while begun.elapsed() < ROUND {
        let sent = Instant::now();
        let (status, _) = client.ask(request);
        assert_eq!(status, 200);
        times.push(sent.elapsed());
    }
    times
}

/// Writes the soul of an agent of its own, each time over what it wrote before.
fn write(address: SocketAddr, number: usize, writing: &AtomicBool) -> usize {
    let mut client = Client::new(address);
    let path = format!("/api/agents/writer-{number}/soul");
    // There is one from the round before.
    let (_, before) = client.ask(&format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n"));
    let before: serde_json::Value = serde_json::from_str(before).unwrap_or_default();
    let mut digest = before["digest"].as_str().unwrap_or_default().to_owned();
    let mut count = 0;
    loop {
        let expected = if digest.is_empty() { String::new() } else { format!(r#","expected_digest":"{digest}""#) };
        let body = format!(r#"{{"create":true,"body":"---\nrole: Writer {count}\n---\nYou write.\n"{expected}}}"#);
        let head = format!("PUT {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n", body.len());
        let (status, answer) = client.ask(&(head + &body));
        assert_eq!(status, 200, "{answer}");
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        digest = answer["soul"]["digest"].as_str().unwrap().to_owned();
        count += 1;
        if !writing.load(Ordering::Relaxed) {
            return count;
        }
    }
}

/// Reads no more than it must, so that what is measured is the service.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        Self::with_buffer(address, 64 << 10)
    }

    fn with_buffer(address: SocketAddr, bytes: usize) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: vec![0; bytes] }
    }

    fn ask(&mut self, request: &str) -> (u16, &str) {
        self.stream.write_all(request.as_bytes()).unwrap();
        let mut filled = 0;
        loop {
            filled += self.stream.read(&mut self.buffer[filled..]).unwrap();
            let text = str::from_utf8(&self.buffer[..filled]).unwrap();
            let Some(head) = text.find("\r\n\r\n") else { continue };
            let length = text[..head].split("content-length: ").nth(1).unwrap();
            let length: usize = length.split('\r').next().unwrap().parse().unwrap();
            if filled == head + 4 + length {
                let text = str::from_utf8(&self.buffer[..filled]).unwrap();
                return (text[9..12].parse().unwrap(), &text[head + 4..]);
            }
        }
    }
}

/// What the program holds when nobody asks: on a home that it had to make, and after a write.
fn idle() {
    let binary = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/soul");
    if !binary.exists() {
        println!("no release binary: idle memory was not measured");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(binary)
        .args(["serve", "--listen", "127.0.0.1:0", "--home"])
        .arg(home.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let address = first.trim().trim_end_matches('/').rsplit_once('/').unwrap().1.parse().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let resident = || {
        std::thread::sleep(Duration::from_secs(1));
        let text = std::fs::read_to_string(&status).unwrap();
        text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap().trim().to_owned()
    };
    println!("{:<44} {:>10}", "resident, idle on a new home", resident());
    load(address, "/api/agents/guide/soul", None);
    println!("{:<44} {:>10}", "resident, idle after 2 s of reading", resident());
    write(address, 0, &AtomicBool::new(false));
    println!("{:<44} {:>10}", "resident, idle after a write, scanned", resident());
    child.kill().unwrap();
    child.wait().unwrap();
}
