//! Take adaptations back: to a step, or to what the author wrote.

use serde::{Deserialize, Serialize};
use soul_core::persona::Traits;

use super::{Found, Mood};
use crate::Keeper;
use crate::ids::MutationId;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::Revert;
use crate::workspace::AgentName;

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// How far back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The last step that stays; without one, all that has become of the persona goes: steps, mood and
    /// overlays.
    pub to: Option<MutationId>,
    /// Who asks.
    pub asker: Asker,
}

/// What holds afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The steps that were taken back, newest first.
    pub reverted: Vec<MutationId>,
    /// The scores that the author wrote.
    pub baseline: Traits,
    /// The scores that hold now.
    pub effective: Traits,
    /// The mood.
    pub mood: Mood,
}

/// Takes steps back. What a session has spent stays spent.
///
/// # Errors
/// When there is no such step or agent, or the soul is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, to, asker } = request;
    let found = Found::new(keeper, &agent)?;
    let revert = Revert {
        key: found.key()?,
        to: to.clone(),
        now: keeper.now(),
        actor: asker.actor.clone(),
        origin: asker.origin.clone(),
    };
    let reverted = match (keeper.store()?.revert_persona(&revert)?, to) {
        (None, Some(to)) => return Err(Error::MutationNotFound(to)),
        (reverted, _) => reverted.unwrap_or_default(),
    };
    let effective = found.effective(keeper, &found.state(keeper)?);
    let mood = found.mood(keeper, &effective);
    Ok(Response { reverted, baseline: found.baseline, effective: effective.traits, mood })
}
