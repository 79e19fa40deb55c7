//! Against a server on this machine that speaks the real protocol.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;

use serde_json::{Value, json};
use soul_engine::ops::memory::search;

use super::{files, keeper, put, request, run};

/// Answers one request with these bytes, and hands over its head and body.
fn serve(answer: Vec<u8>) -> (String, JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0);
        }
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap()];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(&answer).unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (address, thread)
}

fn http(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn saying(content: &str) -> Vec<u8> {
    http("200 OK", &json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] }).to_string())
}

fn memory() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "memory/topic-a.md", "# A\n\nalpha alpha alpha\n", 0);
    put(root.path(), "memory/topic-b.md", "# B\n\nalpha and more than that\n", 0);
    put(root.path(), "memory/topic-c.md", "# C\n\nalpha and much, much more than only that\n", 0);
    root
}

fn enhanced(root: &Path, config: &str) -> search::Response {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("config.toml"), config).unwrap();
    let request = search::Request { enhanced: true, ..request(root, "alpha") };
    run(&keeper(home.path()), request).unwrap()
}

const PLAIN: [&str; 3] = ["memory/topic-a.md", "memory/topic-b.md", "memory/topic-c.md"];

#[test]
fn the_model_puts_results_in_order() {
    let root = memory();
    let (url, server) = serve(saying("[3, 1]"));
    // `PATH` is a variable that every environment has.
    let config = format!("[memory.rerank]\nurl = \"{url}\"\nmodel = \"small\"\nkey_env = \"PATH\"\n");
    let response = enhanced(root.path(), &config);
    assert_eq!(files(&response), ["memory/topic-c.md", "memory/topic-a.md", "memory/topic-b.md"]);
    assert_eq!(response.warnings, [""; 0]);
    let (head, body) = server.join().unwrap();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    assert!(head.to_lowercase().contains("authorization: bearer "), "{head}");
    assert_eq!(body["model"], "small");
    let question: Value = serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(question["query"], "alpha");
    assert_eq!(question["passages"][2]["text"], "# C\n\nalpha and much, much more than only that");
}

#[test]
fn only_the_first_are_sent() {
    let root = memory();
    let (url, server) = serve(saying("[2, 1]"));
    let response = enhanced(root.path(), &format!("[memory.rerank]\nurl = \"{url}\"\nmodel = \"m\"\ntop_n = 2\n"));
    assert_eq!(files(&response), ["memory/topic-b.md", "memory/topic-a.md", "memory/topic-c.md"]);
    let (head, body) = server.join().unwrap();
    assert!(!head.to_lowercase().contains("authorization"));
    assert!(!body.to_string().contains("much, much more"));
}

#[test]
fn on_any_failure_the_order_is_the_plain_one() {
    let root = memory();
    let answers = [
        saying("[3, 3]"),
        saying("Sure! [3, 2, 1]"),
        saying("[99]"),
        http("200 OK", "{}"),
        http("200 OK", "not JSON"),
        http("500 Internal Server Error", "{}"),
        http("302 Found\r\nlocation: http://127.0.0.1:9/", ""),
        b"garbage\r\n\r\n".to_vec(),
        Vec::new(),
    ];
    for answer in answers {
        let shown = String::from_utf8_lossy(&answer).into_owned();
        let (url, server) = serve(answer);
        let response = enhanced(root.path(), &format!("[memory.rerank]\nurl = \"{url}\"\nmodel = \"m\"\n"));
        assert_eq!(files(&response), PLAIN, "{shown}");
        assert_eq!(response.warnings.len(), 1, "{shown}");
        assert!(!response.warnings[0].contains("127.0.0.1"), "{:?}", response.warnings);
        server.join().unwrap();
    }
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for() {
    let root = memory();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let config = format!("[memory.rerank]\nurl = \"{url}\"\nmodel = \"m\"\ntimeout = 0.2\n");
    let response = enhanced(root.path(), &config);
    assert_eq!(files(&response), PLAIN);
    assert_eq!(response.warnings, ["results are not reranked: the endpoint did not answer in time"]);
}

#[test]
fn nobody_is_asked_who_is_not_configured() {
    let root = memory();
    let manifest = r#"{"specVersion": "0.6", "memory": {"search": {"enhanced": "llm-rerank"}}}"#;
    fs::write(root.path().join("soul.json"), manifest).unwrap();
    let response = enhanced(root.path(), "");
    assert_eq!(files(&response), PLAIN);
    assert_eq!(response.warnings, ["results are not reranked: `[memory.rerank]` is not configured"]);
    let config = "[memory.rerank]\nurl = \"http://127.0.0.1:9\"\nmodel = \"m\"\nkey_env = \"SOUL_NO_SUCH_KEY\"\n";
    let response = enhanced(root.path(), config);
    assert_eq!(response.warnings, ["results are not reranked: the environment has no `SOUL_NO_SUCH_KEY`"]);
}
