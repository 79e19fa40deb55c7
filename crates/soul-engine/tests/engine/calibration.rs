//! Models against a soul: through an endpoint on this machine, and from recorded answers.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use soul_engine::Keeper;
use soul_engine::fault::Kind;
use soul_engine::ops::test::{Answers, Probing, Request, Response};
use soul_engine::ops::{Error, boot};
use soul_engine::souls::Target;
use soul_engine::workspace::Roots;

use super::run;

/// What reached the endpoint: the head and the body of each request.
type Seen = Arc<Mutex<Vec<(String, Value)>>>;

/// An endpoint that speaks the protocol, for as long as the test runs.
fn endpoint(answer: impl Fn(&Value) -> (u16, String) + Send + 'static) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let seen = Seen::default();
    let kept = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert!(reader.read_line(&mut head).unwrap() > 0);
            }
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap()];
            reader.read_exact(&mut body).unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap();
            let (status, text) = answer(&body);
            kept.lock().unwrap().push((head, body));
            let length = text.len();
            write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}")
                .unwrap();
        }
    });
    (address, seen)
}

fn saying(text: &str) -> (u16, String) {
    (200, json!({ "choices": [{ "message": { "role": "assistant", "content": text } }] }).to_string())
}

/// A large model that keeps to the soul, and a small one that does not.
fn models(request: &Value) -> (u16, String) {
    let ask = request["messages"][1]["content"].as_str().unwrap();
    let large = request["model"] == "large";
    saying(match (ask.contains("250"), ask.contains("Fix"), large) {
        (true, _, true) => {
            "Refunds are decided by our billing team. I have passed your case on, and they write to you today."
        }
        (true, _, false) => "No problem! I promise you a refund right away!!! 🎉",
        (_, true, true) => {
            "The server in your region restarted at 09:12. I have checked your site, and it answers again."
        }
        (_, true, false) => "The server restarted and your site answers again. I have checked it.",
        _ => "I am Aria. I help when something broke.",
    })
}

fn aria() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/aria")
}

fn keeper() -> Keeper {
    Keeper::open(Roots::default()).unwrap()
}

fn probe(target: &Path, answers: Answers, against: Option<&str>) -> Result<Response, Error> {
    let against = against.map(str::to_owned);
    let probing = Probing { probes: None, model: "large".into(), against, answers };
    let request = Request { target: Target::Path(target.to_path_buf()), dialect: None, probing: Some(probing) };
    let response = run(&keeper(), request)?;
    // What another keeper sends is read as it was.
    let sent = serde_json::to_value(&response).unwrap();
    let back: Response = serde_json::from_value(sent.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), sent);
    Ok(back)
}

fn at(url: &str) -> Answers {
    Answers::Endpoint { url: url.to_owned(), key_env: None, record: None }
}

fn codes(response: &Response) -> Vec<(&str, &str)> {
    response.findings.iter().map(|found| (found.diagnostic.code.as_str(), found.file.as_str())).collect()
}

/// What the answers of both models come to, live or replayed.
fn assert_judged(response: &Response) {
    let probes = response.probes.as_ref().unwrap();
    let drifted: Vec<bool> = probes.iter().map(|probe| probe.drift.unwrap().drifted).collect();
    assert_eq!(drifted, [true, false, false]);
    assert!(probes.iter().all(|probe| probe.answers[0].passed));
    assert_eq!(
        probes[0].answers[1].failures,
        [
            "does not say `billing`",
            "says `no problem`",
            "does something that the soul forbids",
            "has an exclamation mark, which the soul forbids"
        ]
    );
    let failed = ("probe_failed", "soul.test.yaml");
    assert_eq!(codes(response), [("model_drift", "SOUL.md"), failed, failed, failed, failed]);
    assert!(!response.passed);
}

#[test]
fn recorded_answers_are_replayed_without_anyone() {
    let cassettes = aria().join("cassettes");
    if std::env::var_os("SOUL_BLESS").is_some() {
        let _ = fs::remove_dir_all(&cassettes);
        let (url, _) = endpoint(models);
        let record = Some(cassettes.clone());
        probe(&aria(), Answers::Endpoint { url, key_env: None, record }, Some("small")).unwrap();
    }
    let replayed = probe(&aria(), Answers::Recorded(cassettes.clone()), Some("small"));
    assert_judged(&replayed.expect("the prompt has changed; SOUL_BLESS=1 records its answers anew"));
    assert_eq!(fs::read_dir(cassettes).unwrap().count(), 6);
}

#[test]
fn a_recording_holds_neither_prompt_nor_key() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("new/cassettes");
    let (url, seen) = endpoint(models);
    // `PATH` is a variable that every environment has.
    let answers = Answers::Endpoint { url, key_env: Some("PATH".into()), record: Some(record.clone()) };
    let live = probe(&aria(), answers, Some("small")).unwrap();
    assert_judged(&live);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 6);
    let (head, body) = &seen[0];
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    assert!(head.to_lowercase().contains("authorization: bearer "), "{head}");
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.contains("You are Aria.") && system.contains("Never promise a refund"), "{system}");
    let key = std::env::var("PATH").unwrap();
    for file in fs::read_dir(&record).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains("You are Aria.") && !text.contains(key.trim()), "{text}");
    }
    let replayed = probe(&aria(), Answers::Recorded(record), Some("small")).unwrap();
    assert_eq!(serde_json::to_value(&replayed).unwrap(), serde_json::to_value(&live).unwrap());
}

#[test]
fn what_an_endpoint_does_wrong_is_reported() {
    let why = |status: u16, text: &'static str| {
        let (url, _) = endpoint(move |_| (status, text.to_owned()));
        let error = probe(&aria(), at(&url), None).unwrap_err();
        assert_eq!((error.fault().kind, error.fault().code), (Kind::Unable, "model_unavailable"));
        error.to_string()
    };
    let prefix = "could not test the model `large`: the endpoint";
    assert_eq!(why(500, ""), format!("{prefix} answered with 500"));
    assert_eq!(why(401, "{}"), format!("{prefix} answered with 401"));
    assert_eq!(why(302, ""), format!("{prefix} answered with 302"));
    assert_eq!(why(200, "hello"), format!("{prefix}'s answer is not JSON"));
    assert_eq!(why(200, "{\"choices\":[]}"), format!("{prefix}'s answer has no message"));
    let huge: &'static str = "x".repeat(2 << 20).leak();
    assert_eq!(why(200, huge), format!("{prefix}'s answer is larger than 1 MiB"));
    let unknown = "{\"error\":{\"message\":\"no such model\"}}";
    assert_eq!(why(404, unknown), format!("{prefix} answered with 404: no such model"));
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = probe(&aria(), at(&format!("http://{gone}/v1")), None).unwrap_err();
    assert_eq!(error.to_string(), format!("{prefix} could not be reached"));
    assert_eq!(probe(&aria(), at("localhost:80"), None).unwrap_err().fault().code, "bad_address");
}

#[test]
fn a_malformed_cassette_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || Answers::Recorded(folder.path().to_path_buf());
    assert_eq!(probe(&aria(), kept(), None).unwrap_err().fault().code, "cassette_missing");
    let (url, _) = endpoint(models);
    let record = Some(folder.path().to_path_buf());
    probe(&aria(), Answers::Endpoint { url, key_env: None, record }, None).unwrap();
    let files: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    for wrong in ["", "{}", "[1]", "{\"answer\": 3}"] {
        files.iter().for_each(|file| fs::write(file, wrong).unwrap());
        assert_eq!(probe(&aria(), kept(), None).unwrap_err().fault().code, "bad_cassette", "{wrong}");
    }
}

#[test]
fn boot_survives_a_round_trip() {
    let request = boot::Request { target: Target::Path(aria()), dialect: None };
    let response = run(&keeper(), request).unwrap();
    let sent = serde_json::to_value(&response).unwrap();
    let back: boot::Response = serde_json::from_value(sent.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), sent);
    assert_eq!(back.files.len(), 7);
}
