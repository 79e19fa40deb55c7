//! The steps that a persona took, and what is left of them.

use serde::{Deserialize, Serialize};
use soul_core::persona::{self, RemainingEffect};
use soul_core::search::Day;

use crate::Keeper;
use crate::ops::{Error, Grant};
use crate::store::Mutation;
use crate::workspace::AgentName;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose history, and which part of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The most steps.
    pub limit: usize,
    /// Where the last page ended.
    pub cursor: Option<String>,
}

/// A page of steps, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The steps.
    pub mutations: Vec<Entry>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// One step of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What is recorded.
    #[serde(flatten)]
    pub mutation: Mutation,
    /// Whether it still counts.
    pub status: Status,
    /// How much of it is left, from 1 down: `delta` times it is `effect`.
    pub strength: f64,
    /// How far it moves the trait now.
    pub effect: f64,
}

/// Whether a step still counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It does.
    Standing,
    /// Too long ago.
    Faded,
    /// It was taken back.
    Reverted,
}

/// Reads a page of the steps of an agent. An agent that is gone still has them.
///
/// # Errors
/// When there is no such agent and never was, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, limit, cursor } = request;
    let before = cursor.map(|cursor| cursor.parse::<i64>().map_err(|_| Error::BadCursor(cursor))).transpose()?;
    let Some((key, store)) = keeper.known_key(&agent)?.zip(keeper.existing_store()?) else {
        return Ok(Response { mutations: Vec::new(), next_cursor: None });
    };
    // One more than was asked for shows whether there is a next page.
    let wanted = limit.saturating_add(1);
    let mut found = store.mutations(&key, before, wanted)?;
    let more = found.len() == wanted;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|last| last.seq.to_string());
    let counting = store.persona(&key)?.mutations;
    let today = Day::of_seconds(keeper.now().seconds());
    let standing = persona::remaining_effects(&counting, keeper.settings.persona.tempo.decay_rate, today);
    let entry = |mutation: Mutation| {
        let left =
            counting.iter().zip(&standing).find(|(step, _)| step.seq == mutation.seq).and_then(|(_, left)| *left);
        let status = match (&mutation.reverted_at, left) {
            (Some(_), _) => Status::Reverted,
            (None, Some(_)) => Status::Standing,
            (None, None) => Status::Faded,
        };
        let RemainingEffect { strength, effect } = left.unwrap_or(RemainingEffect { strength: 0.0, effect: 0.0 });
        Entry { mutation, status, strength, effect }
    };
    Ok(Response { mutations: found.into_iter().map(entry).collect(), next_cursor })
}
