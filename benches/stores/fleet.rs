//! How many answers a second keepers give that share a database, a machine and its two cores.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use soul_engine::Keeper;
use soul_server::{Options, serve_until};

use super::{Server, configure, open};

const CLIENTS: usize = 16;
const ROUND: Duration = Duration::from_secs(3);

/// What a client does until the round is over, and how often it did.
type Work = fn(SocketAddr, usize, Instant) -> usize;

pub(crate) fn keepers(server: &Server) {
    println!("\n{:<34} {:>10} {:>10} {:>10}", "16 clients, answers a second", "1 keeper", "2", "4");
    let works: [(&str, Work); 4] = [
        ("context, cached", contexts),
        ("history page of 50", histories),
        ("claim and finish", claims),
        ("managed write", writes),
    ];
    let url = server.database();
    let homes: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    homes.iter().for_each(|home| configure(home.path(), &url));
    let (_stops, addresses): (Vec<_>, Vec<_>) = homes.iter().map(|home| service(open(home.path()))).unzip();
    for client in 0..CLIENTS {
        let body = json!({ "body": "You keep count.\n", "create": true });
        ask(addresses[0], "PUT", &soul(client), &body);
    }
    for n in 0..60 {
        let seen = ask(addresses[0], "GET", &soul(0), &Value::Null)["digest"].clone();
        ask(addresses[0], "PUT", &soul(0), &json!({ "body": format!("You count {n}.\n"), "expected_digest": seen }));
    }
    server.psql(
        url.rsplit('/').next().unwrap(),
        "INSERT INTO tasks (id, payload_json, state, created_at) SELECT 'task_' || lpad(n::text, 26, '0'), '{}', \
         'queued', '2026-11-16T09:56:59.000000Z' FROM generate_series(1, 40000) n",
    );
    std::thread::sleep(Duration::from_millis(2100));
    for (name, work) in works {
        let rates = [1, 2, 4].map(|count| {
            let begun = Instant::now();
            let done: usize = std::thread::scope(|scope| {
                let clients: Vec<_> = (0..CLIENTS)
                    .map(|client| {
                        let address = addresses[client % count];
                        scope.spawn(move || work(address, client, begun))
                    })
                    .collect();
                clients.into_iter().map(|client| client.join().unwrap()).sum()
            });
            done as f64 / begun.elapsed().as_secs_f64()
        });
        println!("{name:<34} {:>10.0} {:>10.0} {:>10.0}", rates[0], rates[1], rates[2]);
    }
    println!("\n{:<34} {:>10} {:>10}", "bytes on the disk, with indexes", "rows", "a row");
    let tables = ["agent_soul_revisions", "agent_soul_snapshots", "agent_soul_snapshot_files", "events", "task_runs"];
    for table in tables {
        let sizes = format!("SELECT COUNT(*), pg_total_relation_size('{table}') FROM {table}");
        let sizes = server.psql(url.rsplit('/').next().unwrap(), &sizes);
        let (rows, bytes) = sizes.trim().split_once('|').unwrap();
        let (rows, bytes): (u64, u64) = (rows.parse().unwrap(), bytes.parse().unwrap());
        println!("{table:<34} {rows:>10} {:>10}", bytes / rows.max(1));
    }
}

fn soul(client: usize) -> String {
    format!("/api/agents/agent-{client}/soul")
}

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

fn contexts(address: SocketAddr, client: usize, begun: Instant) -> usize {
    repeat(address, begun, |stream| {
        send(stream, "GET", &format!("/api/agent/context?agent=agent-{client}"), &Value::Null)
    })
}

fn histories(address: SocketAddr, _: usize, begun: Instant) -> usize {
    repeat(address, begun, |stream| send(stream, "GET", &format!("{}/history?limit=50", soul(0)), &Value::Null))
}

fn claims(address: SocketAddr, client: usize, begun: Instant) -> usize {
    let agent = json!({ "agent": format!("agent-{client}") });
    let session = ask(address, "POST", "/api/sessions", &agent)["session"]["id"].clone();
    repeat(address, begun, |stream| {
        let run = send(stream, "POST", "/api/tasks/claim", &json!({ "session_id": session }))["run"]["id"].clone();
        send(stream, "POST", &format!("/api/runs/{}/finish", run.as_str().unwrap()), &Value::Null)
    })
}

fn writes(address: SocketAddr, client: usize, begun: Instant) -> usize {
    let mut seen = ask(address, "GET", &soul(client), &Value::Null)["digest"].clone();
    let mut n = 0;
    repeat(address, begun, |stream| {
        n += 1;
        let body = json!({ "body": format!("You are at {n} of {:?}.\n", begun.elapsed()), "expected_digest": seen });
        let answer = send(stream, "PUT", &soul(client), &body);
        seen = answer["soul"]["digest"].clone();
        answer
    })
}

fn repeat(address: SocketAddr, begun: Instant, mut work: impl FnMut(&mut TcpStream) -> Value) -> usize {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut count = 0;
    while begun.elapsed() < ROUND {
        work(&mut stream);
        count += 1;
    }
    count
}

fn ask(address: SocketAddr, method: &str, path: &str, body: &Value) -> Value {
    send(&mut TcpStream::connect(address).unwrap(), method, path, body)
}

fn send(stream: &mut TcpStream, method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).unwrap();
    let (mut answer, mut buffer) = (Vec::new(), [0; 1 << 16]);
    loop {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "{method} {path}: the keeper has closed the connection");
        answer.extend_from_slice(&buffer[..read]);
        let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&answer[..end]).unwrap();
        let length =
            head.split("content-length: ").nth(1).unwrap().split('\r').next().unwrap().parse::<usize>().unwrap();
        if answer.len() == end + 4 + length {
            let text = String::from_utf8_lossy(&answer[end + 4..]);
            assert!(head[9..12].starts_with('2'), "{method} {path}: {head} {text}");
            return serde_json::from_str(&text).unwrap();
        }
    }
}
