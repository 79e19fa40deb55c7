//! What a session is bound to: the soul that is resolved once, when it starts, and again when it is refreshed.

mod behind;
mod error;

use soul_core::prompt::{Persona, Status};

pub(crate) use behind::Behind;
pub use error::Error;

use crate::Keeper;
use crate::authoring::{self, recover_if_idle};
use crate::ids::{RunId, SessionId};
use crate::library::chain::{self, Choice, Wanted};
use crate::persona;
use crate::places;
use crate::references;
use crate::souls::{Loader, Resolved, Text, capture, surroundings};
use crate::store::{Binding, PromptMaker, Session, Snapshot, SoulStatus, Store};
use crate::workspace::{Agent, AgentName, SoulKey};

/// Resolves an agent's soul for a session. An invalid soul is an error. An agent without one runs on one of
/// the library, if `[agents.soul] fallback` says so.
pub(crate) fn resolve(keeper: &Keeper, agent: &Agent, key: &SoulKey) -> Result<(Resolved, Binding), Error> {
    recover_if_idle(keeper, agent, key)?;
    let soul = Loader::chosen(keeper, keeper.chosen_dialect(agent)?).agent(agent, Text::OnDisk).valid()?;
    if let Some(choice) = chain::fallback(keeper, &soul)? {
        return bind(keeper, choice, Some(agent));
    }
    let status = match soul.status {
        Status::Valid => SoulStatus::Valid,
        Status::Inactive => SoulStatus::Inactive,
        Status::Missing | Status::Invalid => SoulStatus::Missing,
    };
    let has_soul = status == SoulStatus::Valid;
    let snapshot = has_soul.then(|| capture(keeper, Some(agent), key, &soul)).transpose()?;
    let surroundings = surroundings(keeper, Some(agent), has_soul)?;
    let persona = if has_soul { persona::effective(keeper, agent, &soul.soul)? } else { None };
    let binding = Binding {
        soul: snapshot.map(Box::new),
        status,
        surroundings,
        source: None,
        persona,
        prompt: PromptMaker::default(),
    };
    Ok((soul, binding))
}

/// Resolves a soul of the library for a session without an agent.
pub(crate) fn resolve_library(keeper: &Keeper, wanted: Wanted) -> Result<(Resolved, Binding), Error> {
    bind(keeper, chain::choose(keeper, wanted)?, None)
}

/// Binds a session to a soul of the library, with an agent that has none of its own, or without an agent.
fn bind(keeper: &Keeper, choice: Choice, agent: Option<&Agent>) -> Result<(Resolved, Binding), Error> {
    let Choice { soul, source, key } = choice;
    let snapshot = capture(keeper, agent, &key, &soul)?;
    let surroundings = surroundings(keeper, agent, true)?;
    let status = SoulStatus::Valid;
    let persona = match agent {
        Some(agent) => persona::effective(keeper, agent, &soul.soul)?,
        // Without an agent there is nobody whose persona could have adapted.
        None => Some(Persona::baseline(&soul.soul)).filter(|persona| !persona.is_empty()),
    };
    let (soul_of, source, prompt) = (Some(Box::new(snapshot)), Some(source), PromptMaker::default());
    let binding = Binding { soul: soul_of, status, surroundings, source, persona, prompt };
    Ok((soul, binding))
}

/// An agent, and the key of its soul.
pub(crate) fn agent(keeper: &Keeper, name: &AgentName) -> Result<(Agent, SoulKey), Error> {
    let agent = keeper.agent(name)?;
    let key = places::key(keeper, &agent).map_err(authoring::Error::from)?;
    Ok((agent, key))
}

/// A session that exists, by its id or the beginning of it.
pub(crate) fn find(keeper: &Keeper, id: &SessionId) -> Result<Session, Error> {
    let missing = || Error::SessionNotFound(id.clone());
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let id = references::session(store, id)??.ok_or_else(missing)?;
    store.session(&id)?.ok_or_else(missing)
}

/// The run that a caller means.
pub(crate) fn run_id(store: &dyn Store, id: &RunId) -> Result<RunId, Error> {
    references::run(store, id)??.ok_or_else(|| Error::RunNotFound(id.clone()))
}

/// The snapshot that a session is bound to, from the store alone.
pub(crate) fn snapshot(keeper: &Keeper, session: &Session) -> Result<Option<Snapshot>, Error> {
    let Some(id) = &session.soul_snapshot_id else { return Ok(None) };
    let lost =
        || crate::store::Error::Damaged(format!("the snapshot {id} of the session {} is missing", session.id).into());
    let snapshot = keeper.store()?.snapshot(id)?.ok_or_else(lost)?;
    if session.soul_digest != Some(snapshot.digest) {
        return Err(lost().into());
    }
    Ok(Some(snapshot))
}
