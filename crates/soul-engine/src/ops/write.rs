//! Write an agent's soul.

use soul_core::model::Dialect;

use super::payload::{Authorship, Changed};
use super::{Error, Grant};
use crate::Keeper;
use crate::authoring::{self, Change, Intent};
use crate::files;
use crate::workspace::AgentName;

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// Whose soul, and the text.
#[derive(Debug, Clone)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The new text.
    pub body: Vec<u8>,
    /// The dialect that holds from here on, if it is not to be the one that the text shows.
    pub dialect: Option<Dialect>,
    /// Whether an agent that is not there is made.
    pub create: bool,
    /// Who asks for it, having seen what.
    pub authorship: Authorship,
}

/// Puts the text in place of the agent's SOUL.md.
///
/// # Errors
/// When the soul is not what the asker believed, the text is invalid, or it could not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Changed, Error> {
    let Authorship { expected_digest, idempotency_key, asker } = request.authorship;
    let agent = match keeper.agent(&request.agent) {
        Err(Error::AgentNotFound(name)) if request.create => keeper
            .roots
            .create_agent(&name)
            .map_err(|error| Error::Unwritable(format!("the directory of {name}"), files::plain(&error)))?,
        found => found?,
    };
    let change = Change {
        intent: Intent::Put(request.body),
        expected: expected_digest,
        idempotency_key,
        dialect: request.dialect,
        actor: asker.actor,
        origin: asker.origin,
    };
    Ok(Changed::new(keeper, &request.agent, authoring::apply(keeper, &agent, change)?))
}
