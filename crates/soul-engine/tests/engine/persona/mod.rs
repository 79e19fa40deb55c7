//! What becomes of a persona, where it shows, and how it is taken back.

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
use serde_json::json;
use soul_core::persona::{Clamp, Pad, Trait};
use soul_engine::Keeper;
use soul_engine::clock::Time;
use soul_engine::ids::SessionId;
use soul_engine::ops::persona::{adapt, drift, history, mood, overlay, revert, show};
use soul_engine::ops::session::{refresh, spawn, start};
use soul_engine::ops::{Error, Kind, Subject, boot, context, prompt};
use soul_engine::workspace::Target;

use super::{Home, asker, coder, digest};

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

    fn adapt(&self, of: &str, delta: f64, session: &str) -> adapt::Response {
        let (of, session) = (of.to_owned(), Some(session.to_owned()));
        let request = adapt::Request { agent: coder(), of, delta, reason: "because".into(), session, asker: asker() };
        adapt::run(&self.keeper(), request).unwrap()
    }

    fn mood(&self, change: mood::Change) -> Result<mood::Response, Error> {
        mood::run(&self.keeper(), mood::Request { agent: coder(), change: Some((change, asker())) })
    }

    fn revert(&self, to: Option<&str>) -> revert::Response {
        let to = to.map(|to| to.to_owned().into());
        revert::run(&self.keeper(), revert::Request { agent: coder(), to, asker: asker() }).unwrap()
    }

    fn show(&self) -> show::Response {
        show::run(&self.keeper(), show::Request { agent: coder() }).unwrap()
    }

    fn openness(&self) -> f64 {
        self.show().effective.get(Trait::Openness).unwrap()
    }

    fn history(&self) -> Vec<history::Entry> {
        let request = history::Request { agent: coder(), limit: 99, cursor: None };
        history::run(&self.keeper(), request).unwrap().mutations
    }

    fn prompt(&self, subject: Subject) -> prompt::Response {
        let part = prompt::Part::Full(Box::default());
        prompt::run(&self.keeper(), prompt::Request { subject, base: None, part }).unwrap()
    }

    /// The prompt of the agent as it is now.
    fn now_told(&self) -> prompt::Response {
        self.prompt(Subject::Target(Target::Agent(coder()), None))
    }

    fn begin(&self) -> SessionId {
        let request = start::Request { runs: start::Runs::Agent(coder()), asker: asker() };
        start::run(&self.keeper(), request).unwrap().response.session.id
    }
}
