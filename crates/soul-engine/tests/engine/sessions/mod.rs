//! What a session is bound to, and what changes that.

mod binding;
mod receipts;
mod tasks;

use std::fs;

use serde_json::json;
use soul_engine::Keeper;
use soul_engine::authoring::{self, Conflict};
use soul_engine::fields::{ExpectedDigest, Lease};
use soul_engine::ids::SessionId;
use soul_engine::ops::session::{Bound, refresh, resume, spawn, start, stop};
use soul_engine::ops::task::{add, claim, finish, renew};
use soul_engine::ops::{Error, audit, context, prompt};
use soul_engine::sessions::Error as SessionError;
use soul_engine::souls::{Error as SoulError, Subject, Target};
use soul_engine::store::{Run, RunState};
use soul_engine::workspace::Roots;

use super::{Home, coder, digest, put, run};

const ONE: &str = "---\nrole: One\ntone: [calm]\n---\nFirst body.\n";
const TWO: &str = "---\nrole: Two\n---\nSecond body.\n";

fn start(keeper: &Keeper) -> Result<Bound, Error> {
    run(keeper, start::Request { agent: Some(coder()), soul: None })
}

fn begin(keeper: &Keeper) -> Bound {
    start(keeper).unwrap()
}

fn refresh(keeper: &Keeper, id: &SessionId, expected: Option<&str>) -> Result<Bound, Error> {
    let expected_digest = expected.map(ExpectedDigest::new);
    run(keeper, refresh::Request { session_id: id.clone(), expected_digest })
}

fn prompt(keeper: &Keeper, subject: Subject, layer: prompt::Part) -> Result<prompt::Response, Error> {
    run(keeper, prompt::Request { layer, ..prompt::Request::new(subject) })
}

/// The identity text of a session.
fn identity(keeper: &Keeper, id: &SessionId) -> String {
    prompt(keeper, Subject::Session(id.clone()), prompt::Part::Identity).unwrap().text
}

fn compact(keeper: &Keeper, id: &SessionId) -> context::Response {
    run(keeper, context::Request { subject: Subject::Session(id.clone()), dialect: None }).unwrap()
}

fn is_invalid(result: Result<impl Sized, Error>) -> bool {
    matches!(result, Err(Error::Soul(SoulError::Invalid(_))))
}

fn add_task(keeper: &Keeper, agent: Option<&str>, payload: serde_json::Value) -> Result<add::Response, Error> {
    run(keeper, add::Request { agent: agent.map(|agent| agent.parse().unwrap()), payload })
}

fn claim(keeper: &Keeper, id: &SessionId, lease_seconds: Lease) -> Result<Option<Run>, Error> {
    Ok(run(keeper, claim::Request { session_id: id.clone(), lease_seconds })?.run)
}
