use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Answer, Fleet};
use crate::service::Random;

pub(super) const AGENTS: usize = 8;

pub(super) fn soul(agent: usize) -> String {
    format!("/api/agents/agent-{agent}/soul")
}

/// What a client was told, and what it does not know.
#[derive(Default)]
pub(super) struct Told {
    /// Acknowledged revisions, and the line that each of them added.
    pub(super) written: Vec<(usize, String, String)>,
    /// Lines that may have been written: the answer was lost.
    pub(super) unknown: Vec<(usize, String)>,
    /// Claims that were acknowledged: run and task.
    pub(super) claimed: Vec<(String, String)>,
    pub(super) lost_claims: usize,
    pub(super) finished: Vec<String>,
    pub(super) conflicts: usize,
    /// How often a keeper said that it cannot do it now, by code.
    pub(super) unavailable: BTreeMap<String, usize>,
    /// How often there was no keeper, or it went away before it answered.
    pub(super) refused: usize,
    pub(super) gone: usize,
    /// How long each acknowledged request took.
    pub(super) writes: Vec<Duration>,
    pub(super) claims: Vec<Duration>,
    pub(super) reads: Vec<Duration>,
}

/// What became of a request.
enum Became {
    Done(Value),
    Refused(Answer),
    /// It was not done.
    NotDone,
    /// It may have been done.
    Unknown,
}

pub(super) struct Client<'a> {
    fleet: &'a Fleet,
    number: usize,
    random: Random,
    told: Told,
}

impl<'a> Client<'a> {
    pub(super) fn new(fleet: &'a Fleet, number: usize) -> Self {
        Self { fleet, number, random: Random(number as u64 + 1), told: Told::default() }
    }

    fn ask(&mut self, method: &str, path: &str, body: &Value) -> Became {
        let keeper = self.random.below(self.fleet.keepers.len());
        let Some(stream) = self.fleet.connect(keeper) else {
            self.told.refused += 1;
            std::thread::sleep(Duration::from_millis(20));
            return Became::NotDone;
        };
        let Some(answer) = Fleet::ask_on(stream, method, path, body) else {
            self.told.gone += 1;
            return Became::Unknown;
        };
        match answer.status {
            200..=299 => Became::Done(answer.body),
            503 => {
                assert!(answer.has_retry_after, "{method} {path}: {answer:?}");
                *self.told.unavailable.entry(answer.code().to_owned()).or_default() += 1;
                std::thread::sleep(Duration::from_millis(50));
                Became::NotDone
            }
            // Nobody can know whether a commit was made whose confirmation was lost.
            500 if answer.code() == "unconfirmed" => Became::Unknown,
            409 => Became::Refused(answer),
            _ => panic!("{method} {path}: {answer:?}"),
        }
    }

    /// Works until everybody is to stop.
    pub(super) fn run(mut self, is_over: &AtomicBool) -> Told {
        let agent = self.number % AGENTS;
        let session =
            self.fleet.insist(self.number, "POST", "/api/sessions", &json!({ "agent": format!("agent-{agent}") }));
        let session = session["session"]["id"].as_str().unwrap().to_owned();
        let mut step = 0;
        while !is_over.load(Ordering::Relaxed) {
            step += 1;
            match self.random.below(10) {
                0..4 => self.write(agent, step),
                4..7 => drop(self.claim(&session)),
                _ => self.read(agent),
            }
        }
        // Whatever is left of the tasks is for someone to do.
        while self.claim(&session) {}
        self.told
    }

    /// Adds a line to what is there now.
    fn write(&mut self, agent: usize, step: usize) {
        let path = soul(agent);
        let line = format!("Line {step} of client {}.", self.number);
        for _ in 0..50 {
            let Became::Done(shown) = self.ask("GET", &format!("{path}/text"), &Value::Null) else { return };
            let body = format!("{}{line}\n", shown["text"].as_str().unwrap());
            let begun = Instant::now();
            match self.ask("PUT", &path, &json!({ "body": body, "expected_digest": shown["raw_digest"] })) {
                Became::Done(answer) => {
                    let revision = answer["revision"]["id"].as_str().unwrap().to_owned();
                    self.told.writes.push(begun.elapsed());
                    return self.told.written.push((agent, revision, line));
                }
                Became::Refused(answer) => {
                    assert_eq!(answer.code(), "soul_conflict", "{answer:?}");
                    self.told.conflicts += 1;
                }
                Became::NotDone => {}
                Became::Unknown => return self.told.unknown.push((agent, line)),
            }
        }
    }

    /// Claims a task and finishes it. False if there is none.
    fn claim(&mut self, session: &str) -> bool {
        let begun = Instant::now();
        let request = json!({ "session_id": session, "lease_seconds": 3600 });
        let run = match self.ask("POST", "/api/tasks/claim", &request) {
            Became::Done(answer) => answer["run"].clone(),
            Became::NotDone => return true,
            Became::Unknown => {
                self.told.lost_claims += 1;
                return true;
            }
            Became::Refused(answer) => panic!("{answer:?}"),
        };
        let Some(id) = run["id"].as_str() else { return false };
        self.told.claims.push(begun.elapsed());
        self.told.claimed.push((id.to_owned(), run["task_id"].as_str().unwrap().to_owned()));
        let mut is_unknown = false;
        loop {
            match self.ask("POST", &format!("/api/runs/{id}/finish"), &Value::Null) {
                Became::Done(_) => break,
                Became::NotDone => {}
                Became::Unknown => is_unknown = true,
                // Only what may have been done may be over.
                Became::Refused(answer) => {
                    assert!(is_unknown && answer.code() == "run_over", "{answer:?}");
                    break;
                }
            }
        }
        self.told.finished.push(id.to_owned());
        true
    }

    fn read(&mut self, agent: usize) {
        let path = match self.random.below(3) {
            0 => soul(agent),
            1 => format!("{}/history?limit=5", soul(agent)),
            _ => format!("/api/agent/context?agent=agent-{agent}"),
        };
        let begun = Instant::now();
        if let Became::Done(_) = self.ask("GET", &path, &Value::Null) {
            self.told.reads.push(begun.elapsed());
        }
    }
}
