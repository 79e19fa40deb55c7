//! How a persona changes, where it shows, and how it is reverted.

mod moods;
mod proposals;
mod shown;
mod steps;

use std::fmt::Debug;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use soul_core::persona::{Clamp, Pad, Trait};
use soul_engine::Keeper;
use soul_engine::clock::Time;
use soul_engine::fault::Kind;
use soul_engine::fields::Limit;
use soul_engine::ids::SessionId;
use soul_engine::ops::persona::{adapt, drift, history, mood, overlay, revert, show};
use soul_engine::ops::session::{refresh, spawn, start};
use soul_engine::ops::{Error, Operation, boot, context, prompt};
use soul_engine::persona::Error as PersonaError;
use soul_engine::souls::{Error as SoulError, Subject, Target};

use super::{Home, coder, digest, non_blank, run};

const DAY: i64 = 86_400;

const SOUL: &str = "---\nname: Coder\nhexaco:\n  honesty: 0.9\n  openness: 0.6\ndefaultMood: neutral\n\
    allowedMoods: [neutral, focused, frustrated]\nhardLimits: [Never guess.]\n---\nYou code.\n";

/// A home whose agent has a persona, and a clock that is set by hand.
struct Place {
    home: Home,
    now: Arc<AtomicI64>,
}

impl Place {
    fn new() -> Self {
        let home = Home::new();
        fs::write(home.soul(), SOUL).unwrap();
        Self { home, now: Arc::new(AtomicI64::new(20_000 * DAY)) }
    }

    /// A keeper that knows nothing but what is on the disk.
    fn keeper(&self) -> Keeper {
        let now = Arc::clone(&self.now);
        self.home.keeper().with_clock(Arc::new(move || Time::of_seconds(now.load(Ordering::SeqCst))))
    }

    fn pass(&self, seconds: i64) {
        self.now.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Runs a request with a keeper that knows nothing but what is on the disk.
    fn run<O: Operation>(&self, request: O) -> Result<O::Response, Error> {
        run(&self.keeper(), request)
    }

    fn adapt(&self, of: &str, delta: f64, session: &str) -> adapt::Response {
        let (of, session) = (of.to_owned(), Some(non_blank(session)));
        self.run(adapt::Request { agent: coder(), of, delta, reason: "because".into(), session }).unwrap()
    }

    fn set_mood(&self, mood: &str) -> Result<mood::Response, Error> {
        self.run(mood::Request { agent: coder(), set: Some(non_blank(mood)), event: None })
    }

    fn move_mood(&self, event: Pad) -> Result<mood::Response, Error> {
        self.run(mood::Request { agent: coder(), set: None, event: Some(event) })
    }

    /// Evaluates rules and adds the overlays that apply.
    fn overlay(&self, rules: Value, context: Option<Value>, seconds: u32) -> Result<overlay::Response, Error> {
        self.run(overlay::Request { rules: Some(rules), context, seconds, ..overlays() })
    }

    fn revert(&self, to: Option<&str>) -> revert::Response {
        let to = to.map(|to| to.to_owned().into());
        self.run(revert::Request { agent: coder(), to }).unwrap()
    }

    fn show(&self) -> show::Response {
        self.run(show::Request { agent: coder() }).unwrap()
    }

    fn openness(&self) -> f64 {
        self.show().effective.get(Trait::Openness).unwrap()
    }

    fn history(&self) -> Vec<history::Entry> {
        self.run(history::Request { agent: coder(), limit: Limit::new(99), cursor: None }).unwrap().mutations
    }

    fn prompt(&self, subject: Subject) -> prompt::Response {
        self.run(prompt::Request::new(subject)).unwrap()
    }

    /// The prompt of the agent as it is now.
    fn current_prompt(&self) -> prompt::Response {
        self.prompt(Subject::Target(Target::Agent(coder())))
    }

    fn begin(&self) -> SessionId {
        self.run(start::Request { agent: Some(coder()), soul: None }).unwrap().response.session.id
    }
}

/// A request that only shows the overlays.
fn overlays() -> overlay::Request {
    overlay::Request { agent: coder(), rules: None, context: None, seconds: 3600, clear: false }
}

/// A request that proposes steps, and applies none.
fn drifting(traces: Value) -> drift::Request {
    drift::Request { agent: coder(), traces, relationship: None, config: None, apply: false, session: None }
}
