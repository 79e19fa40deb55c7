//! Something to look at in a home that has nothing.

use serde::Serialize;

use super::payload::{Asker, Authorship};
use super::{Error, Grant, library, write};
use crate::Keeper;
use crate::store::Party;
use crate::workspace::{AgentName, Kind};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// The example: a soul that says what a soul is.
pub(crate) const GUIDE: &str = include_str!("seed/guide.md");

/// What was made.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// The agent, if there was none.
    pub agent: Option<String>,
}

/// Makes the default soul of the library, if that is empty, and one agent, if the home has neither
/// agents nor a record of any.
///
/// # Errors
/// When the home cannot be written.
pub fn run(keeper: &Keeper) -> Result<Response, Error> {
    let Some(home) = &keeper.roots.home else { return Ok(Response { agent: None }) };
    let souls = keeper.existing_store()?.map(|store| store.souls()).transpose()?.unwrap_or_default();
    let is_known = home.join("agents").exists() || souls.iter().any(|key| key.kind == Kind::Agent);
    let asker = Asker { actor: Party::new("system", "soul"), origin: Party::new("seed", "serve") };
    library::seed::run(keeper, asker.clone())?;
    if is_known {
        return Ok(Response { agent: None });
    }
    let agent: AgentName = "guide".parse()?;
    let authorship = Authorship { expected_digest: None, idempotency_key: None, force: None, asker };
    let only_home =
        Keeper::new(crate::workspace::Roots { workspace: None, ..keeper.roots.clone() }, keeper.settings.clone());
    let request = write::Request { agent: agent.clone(), body: GUIDE.into(), dialect: None, create: true, authorship };
    write::run(&only_home, request)?;
    Ok(Response { agent: Some(agent.to_string()) })
}
