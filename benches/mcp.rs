//! `soul mcp`: from the start of the process to the first answer, and a search of 50 000 sections over stdio.
//!
//! Needs the release binary: `cargo build --release` first. `SOUL_MEMORY_TREE` names another tree, with a `queries.txt` of
//! one query a line, perhaps behind a tab.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};

const FILES: usize = 3000;
const SECTIONS: usize = 50_000;

/// A server, and what was said to it.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(home: &Path) -> Self {
        let binary = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/soul");
        assert!(binary.exists(), "run `cargo build --release` first");
        let mut command = Command::new(binary);
        command.args(["mcp", "--agent", "ada"]).env("SOUL_HOME", home).current_dir(home);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take(), output, child }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut input = self.input.as_ref().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn initialize(&mut self) {
        let client = json!({ "name": "bench", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "clientInfo": client, "capabilities": {} });
        assert!(self.ask("initialize", params)["result"].is_object());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// A home with a memory of 50 000 sections, and queries that ask it something.
fn home(root: &Path) -> Vec<String> {
    let agent = root.join("agents/ada");
    fs::create_dir_all(agent.join("memory")).unwrap();
    fs::write(agent.join("SOUL.md"), "You are Ada.\n").unwrap();
    if let Some(tree) = std::env::var_os("SOUL_MEMORY_TREE").map(PathBuf::from) {
        let status = Command::new("cp").args(["-a", "."]).arg(&agent).current_dir(&tree).status();
        assert!(status.unwrap().success());
        let text = fs::read_to_string(tree.join("queries.txt")).unwrap();
        return text.lines().map(|line| line.rsplit('\t').next().unwrap_or(line).to_owned()).collect();
    }
    let mut seed = 7_u64;
    let mut word = || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let draw = (seed >> 33) % 1000;
        format!("word{}", draw * draw * draw / 200_000)
    };
    let mut queries = Vec::new();
    for file in 0..FILES {
        let mut text = format!("# Notes {file}\n\n");
        for _ in file * SECTIONS / FILES..(file + 1) * SECTIONS / FILES {
            let heading = [word(), word(), word()].join(" ");
            let _ = writeln!(text, "## {heading}\n");
            for _ in 0..6 {
                let line: Vec<String> = (0..10).map(|_| word()).collect();
                let _ = writeln!(text, "- {}.", line.join(" "));
            }
            text.push('\n');
            if queries.len() < 100 {
                queries.push(heading);
            }
        }
        fs::write(agent.join(format!("memory/topic-{file:04}.md")), text).unwrap();
    }
    queries
}

fn benches(criterion: &mut Criterion) {
    let root = tempfile::tempdir().unwrap();
    let queries = home(root.path());
    let mut group = criterion.benchmark_group("mcp");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    group.bench_function("start to first answer", |bench| {
        bench.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                let start = Instant::now();
                let mut server = Server::start(root.path());
                server.initialize();
                total += start.elapsed();
            }
            total
        });
    });
    let mut server = Server::start(root.path());
    server.initialize();
    let search = |query: &str| json!({ "name": "memory_search", "arguments": { "query": query } });
    let first = server.ask("tools/call", search(&queries[0]));
    assert_eq!(first["result"]["isError"], false, "{first}");
    let mut next = queries.iter().cycle();
    group.bench_function("memory_search, 50 000 sections", |bench| {
        bench.iter(|| server.ask("tools/call", search(next.next().unwrap())));
    });
    let mut times: Vec<Duration> = queries
        .iter()
        .cycle()
        .take(300)
        .map(|query| {
            let start = Instant::now();
            server.ask("tools/call", search(query));
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("memory_search over stdio: p50 {:?}, p95 {:?}", times[150], times[285]);
    group.bench_function("tools/list", |bench| bench.iter(|| server.ask("tools/list", json!({}))));
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
