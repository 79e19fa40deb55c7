//! Start a session of an agent on its soul as it is now, or of nobody on a soul of the library.

use super::{Resolved, agent, resolve, resolve_library};
use crate::Keeper;
use crate::library::chain::Wanted;
use crate::library::{SoulId, member};
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::NewSession;
use crate::workspace::AgentName;
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Whose session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Who runs.
    pub runs: Runs,
    /// Who asks.
    pub asker: Asker,
}

/// Who runs in a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Runs {
    /// An agent, on its own soul.
    Agent(AgentName),
    /// This soul of the library.
    Soul(SoulId),
    /// The soul of the library that is selected, else `default`, else the built-in one.
    Selected,
}

/// Starts the session.
///
/// # Errors
/// When there is no such agent or soul, or the soul is invalid: then there is no session.
pub fn run(keeper: &Keeper, request: Request) -> Result<Resolved, Error> {
    let (key, (soul, binding)) = match request.runs {
        Runs::Agent(name) => {
            let (agent, key) = agent(keeper, &name)?;
            let resolved = resolve(keeper, &agent, &key)?;
            (key, resolved)
        }
        Runs::Soul(id) => (member::key(&id), resolve_library(keeper, Wanted::Soul(id))?),
        Runs::Selected => (member::key(&SoulId::DEFAULT.parse()?), resolve_library(keeper, Wanted::Chain)?),
    };
    let Asker { actor, origin } = request.asker;
    let session =
        keeper.store()?.start_session(&NewSession { key, parent: None, actor, origin, now: keeper.now() }, &binding)?;
    Resolved::new(keeper, session, soul)
}
