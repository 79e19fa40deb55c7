//! Text of a service and of records on a terminal: every string of every answer is replaced by one that a terminal would
//! obey, and none of it may reach the terminal.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Base, Row, rows};
use crate::service::Service;

/// Sets the title, clears the screen in two ways, turns the direction of text, and prints in a colour of ours.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}2J\u{202e}\u{1b}[32mEVIL";

/// What of it must not be printed.
const OBEYED: [&str; 6] = ["\u{1b}]", "\u{7}", "\u{1b}[2J", "\u{9b}", "\u{202e}", "\u{1b}[32mEVIL"];

/// Commands that print a text as it is, for other programs; on a terminal it is escaped as a whole.
const EXACT: [&str; 5] = ["anchor", "convert", "fit", "memory.detail", "prompt"];

/// A service that always answers the same.
struct Fake {
    url: String,
    answer: Arc<Mutex<(u16, String)>>,
}

impl Fake {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answer = Arc::new(Mutex::new((200, String::new())));
        let shared = Arc::clone(&answer);
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| reply(stream, &shared)));
        Self { url, answer }
    }

    /// What a command prints for people when the service answers this.
    fn print(&self, command: &[String], status: u16, answer: &Value) -> String {
        *self.answer.lock().unwrap() = (status, answer.to_string());
        let output = Command::new(env!("CARGO_BIN_EXE_soul"))
            .args(["--server", &self.url])
            .args(command)
            .env("CLICOLOR_FORCE", "1")
            .env("SOUL_HOME", "/nonexistent")
            .env_remove("SOUL_TOKEN")
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }
}

fn reply(stream: TcpStream, answer: &Mutex<(u16, String)>) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let _ = std::io::copy(&mut reader.by_ref().take(length), &mut std::io::sink());
    let (status, body) = answer.lock().unwrap().clone();
    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    let _ = reader.get_mut().write_all((head + &body).as_bytes());
}

/// Where the strings of an answer are.
fn strings(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(index, value)| strings(value, &format!("{at}/{index}"), found));
        }
        Value::Object(keys) => keys.iter().for_each(|(key, value)| {
            strings(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
        }),
        _ => {}
    }
}

/// Prints an answer with some of its strings replaced. A string that has to be something else, such as a digest, is
/// found by halves and left out. Returns how many were printed.
fn attack(fake: &Fake, row: &Row, answer: &Value, places: &[String], wrong: &mut Vec<String>) -> usize {
    let mut evil = answer.clone();
    for place in places {
        let Some(value) = evil.pointer_mut(place) else { continue };
        *value = format!("{}{EVIL}", value.as_str().unwrap_or_default()).into();
    }
    let printed = fake.print(&row.command, 200, &evil);
    if printed.contains("was not understood") {
        if let [_] = places {
            return 0;
        }
        let (first, second) = places.split_at(places.len() / 2);
        return attack(fake, row, answer, first, wrong) + attack(fake, row, answer, second, wrong);
    }
    for obeyed in OBEYED.iter().filter(|obeyed| printed.contains(**obeyed)) {
        wrong.push(format!("{} prints {obeyed:?} of {places:?}:\n{printed:?}", row.operation));
    }
    places.len()
}

#[test]
fn nothing_that_a_terminal_obeys_comes_from_an_answer() {
    let base = Base::new();
    let service = Service::start(base.home.path());
    let fake = Fake::start();
    let (mut wrong, mut printed, mut seen) = (Vec::new(), 0, BTreeSet::new());
    for row in rows(&base.names) {
        let Row { operation, request, .. } = &row;
        let reads = soul_engine::ops::find(operation).unwrap().hints.read_only;
        // What changes something finds the home as another request left it, so that once is enough.
        let is_again = !reads && !seen.insert(*operation);
        if EXACT.contains(operation) || is_again {
            continue;
        }
        let path = format!("/api/ops/{operation}");
        let Some((200, answer)) = service.ask_on_socket("POST", &path, request) else { continue };
        let mut places = Vec::new();
        strings(&answer, "", &mut places);
        if !places.is_empty() {
            printed += attack(&fake, &row, &answer, &places, &mut wrong);
        }
    }
    let words = format!("it is so{EVIL}");
    let error = json!({ "error": { "code": words, "message": words, "hint": words, "allowed": [words] } });
    for status in [400, 401, 404, 409, 503] {
        let command = ["list".to_owned()];
        let text = fake.print(&command, status, &error);
        assert!(text.contains("it is so"), "{text:?}");
        wrong.extend(
            OBEYED.iter().filter(|obeyed| text.contains(**obeyed)).map(|obeyed| format!("{status} {obeyed:?}")),
        );
    }
    println!("terminal: {printed} strings of answers");
    assert!(printed > 200, "only {printed} strings were printed");
    assert!(wrong.is_empty(), "{} escape:\n{}", wrong.len(), wrong.join("\n"));
}
