//! Live agents, one file an operation.

pub mod list;
pub mod refresh;
pub mod resume;
pub mod show;
pub mod spawn;
pub mod start;
pub mod stop;

use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::Profile;
use soul_core::prompt::Persona;

use super::inspect::{self, respond};
use super::load::{self, Text};
use super::{Error, payload, persona};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::ids::SessionId;
use crate::library::chain::{self, Taken, Wanted};
use crate::sessions::{capture, surroundings};
use crate::store::{Binding, Session, Snapshot, SoulStatus};
use crate::workspace::{Agent, AgentName, SoulKey};

/// A session and what it runs on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The session.
    pub session: Session,
    /// What the agent is to read at the turn that was made. Nothing of it is ever run by us.
    #[serde(default, skip_serializing_if = "Hooks::is_empty")]
    pub hooks: Hooks,
}

/// The Markdown of `hooks/`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Hooks {
    /// For the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<String>,
    /// For the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teardown: Option<String>,
}

impl Hooks {
    const fn is_empty(&self) -> bool {
        self.bootstrap.is_none() && self.teardown.is_none()
    }
}

/// Which end of a session's life.
#[derive(Clone, Copy)]
enum Turn {
    Begin,
    End,
}

impl Response {
    /// The session with the hook for its turn, from the snapshot that it is bound to.
    fn new(keeper: &Keeper, session: Session, turn: Turn) -> Result<Self, Error> {
        let snapshot = snapshot(keeper, &session)?;
        // A session that is bound to nothing has the hooks that the agent has.
        let key = session.key().filter(|_| snapshot.is_none());
        let agent = key.and_then(|key| keeper.agent_of(&key).ok());
        let hook = |name: &str| match &snapshot {
            Some(snapshot) => snapshot.text(name),
            None => {
                let bytes = agent.as_ref()?.directory.read(name).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let hooks = match turn {
            Turn::Begin => Hooks { bootstrap: hook("hooks/bootstrap.md"), teardown: None },
            Turn::End => Hooks { bootstrap: None, teardown: hook("hooks/teardown.md") },
        };
        Ok(Self { session, hooks })
    }
}

/// Resolves an agent's soul once: what a session will be bound to. An invalid soul is an error. An agent
/// without one takes one of the library, if it is told to.
fn resolve(keeper: &Keeper, agent: &Agent, key: &SoulKey) -> Result<(inspect::Response, Binding), Error> {
    recover_if_idle(keeper, agent, key)?;
    let loaded = load::of_agent(keeper, agent, keeper.pinned_dialect(agent)?, Profile::Lenient, Text::OnDisk);
    let soul = respond(keeper, loaded);
    if !soul.valid {
        return Err(Error::Invalid(Box::new(soul)));
    }
    if let Some(taken) = chain::in_place_of(keeper, &soul)? {
        return bind(keeper, taken, Some(agent));
    }
    let status = match (soul.present, soul.active) {
        (true, true) => SoulStatus::Valid,
        (true, false) => SoulStatus::Inactive,
        (false, _) => SoulStatus::Missing,
    };
    let has_soul = status == SoulStatus::Valid;
    let snapshot = has_soul.then(|| capture(keeper, Some(agent), key, &soul)).transpose()?;
    let surroundings = surroundings(keeper, agent, has_soul)?;
    let persona = if has_soul { persona::of_agent(keeper, agent, &soul.soul)? } else { None };
    let binding = Binding { soul: snapshot.map(Box::new), status, surroundings, source: None, persona };
    Ok((soul, binding))
}

/// Resolves a soul of the library, for nobody.
fn resolve_library(keeper: &Keeper, wanted: Wanted) -> Result<(inspect::Response, Binding), Error> {
    bind(keeper, chain::take(keeper, wanted)?, None)
}

/// What a session is bound to that takes a soul of the library, of an agent that has none or of nobody.
fn bind(keeper: &Keeper, taken: Taken, agent: Option<&Agent>) -> Result<(inspect::Response, Binding), Error> {
    let Taken { soul, source, key } = taken;
    let snapshot = capture(keeper, agent, &key, &soul)?;
    let surroundings = agent.map(|agent| surroundings(keeper, agent, true)).transpose()?.unwrap_or_default();
    let status = SoulStatus::Valid;
    let persona = match agent {
        Some(agent) => persona::of_agent(keeper, agent, &soul.soul)?,
        // What nobody runs on as itself, nobody adapts.
        None => Some(Persona::baseline(&soul.soul)).filter(|persona| !persona.is_empty()),
    };
    let binding = Binding { soul: Some(Box::new(snapshot)), status, surroundings, source: Some(source), persona };
    Ok((soul, binding))
}

/// An agent and what names its soul.
fn agent(keeper: &Keeper, name: &AgentName) -> Result<(Agent, SoulKey), Error> {
    let agent = keeper.agent(name)?;
    let key = agent.key().map_err(Error::workspace)?;
    Ok((agent, key))
}

/// A session that is there.
pub(super) fn find(keeper: &Keeper, id: &SessionId) -> Result<Session, Error> {
    let missing = || Error::SessionNotFound(id.clone());
    keeper.existing_store()?.ok_or_else(missing)?.session(id)?.ok_or_else(missing)
}

/// What a session is bound to, from the store alone.
pub(super) fn snapshot(keeper: &Keeper, session: &Session) -> Result<Option<Snapshot>, Error> {
    let Some(id) = &session.soul_snapshot_id else { return Ok(None) };
    let lost = || crate::store::Error::Damaged(format!("the snapshot {id} of the session {} is gone", session.id));
    let snapshot = keeper.store()?.snapshot(id)?.ok_or_else(lost)?;
    if session.soul_digest != Some(snapshot.digest) {
        return Err(lost().into());
    }
    Ok(Some(snapshot))
}

/// A session with the soul that was resolved for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Resolved {
    /// The session, and its hook.
    #[serde(flatten)]
    pub response: Response,
    /// The soul that it is bound to.
    pub soul: payload::Soul,
}

/// A soul, and the session that is bound to it from here on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refreshed {
    /// The soul.
    #[serde(flatten)]
    pub soul: payload::Soul,
    /// The session.
    pub session: Session,
}

impl Resolved {
    /// The same, as those know it who ask for the soul of a session.
    #[must_use]
    pub fn turned(self) -> Refreshed {
        Refreshed { soul: self.soul, session: self.response.session }
    }

    fn new(keeper: &Keeper, session: Session, soul: inspect::Response) -> Result<Self, Error> {
        let snapshot_id = session.soul_snapshot_id.clone();
        let agent_name = session.agent.clone();
        let soul = payload::Soul { agent_name, snapshot_id, ..payload::Soul::unnamed(keeper, soul) };
        Ok(Self { response: Response::new(keeper, session, Turn::Begin)?, soul })
    }
}
