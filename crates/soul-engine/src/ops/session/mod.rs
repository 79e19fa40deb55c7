//! Live agents, one file an operation.

pub mod list;
pub mod refresh;
pub mod resume;
pub mod show;
pub mod spawn;
pub mod start;
pub mod stop;

use serde::Serialize;
use soul_core::formats::soulspec::Profile;

use super::inspect::{self, respond};
use super::load::{self, Text};
use super::{Error, payload};
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::files::SOUL_FILE;
use crate::ids::SessionId;
use crate::library::chain::{self, Taken, Wanted};
use crate::sessions::{capture, layers};
use crate::settings::Fallback;
use crate::store::{Binding, Session, Snapshot};
use crate::workspace::{Agent, AgentName, SoulKey};

/// A session and what it runs on.
#[derive(Debug, Clone, Serialize)]
pub struct Response {
    /// The session.
    pub session: Session,
    /// What the agent is to read at the turn that was made. Nothing of it is ever run by us.
    #[serde(skip_serializing_if = "Hooks::is_empty")]
    pub hooks: Hooks,
}

/// The Markdown of `hooks/`.
#[derive(Debug, Clone, Default, Serialize)]
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
        let hook = |name: &str| snapshot.as_ref().and_then(|snapshot| snapshot.text(name));
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
    let settings = &keeper.settings.soul;
    if !soul.present && settings.enabled && settings.fallback == Fallback::Library {
        return resolve_library(keeper, Wanted::Chain, Some(agent));
    }
    let binding = match soul.present && soul.active {
        // The bytes that were read are the bytes that are kept, whatever became of the file since.
        true => {
            let is_soul_file = soul.source_path.ends_with(SOUL_FILE);
            let mut files = layers(agent)?;
            files.extend(read(&soul).filter(|_| is_soul_file).map(|bytes| (SOUL_FILE.to_owned(), bytes)));
            Binding::Soul(Box::new(capture(keeper, key.clone(), &soul, files)?))
        }
        false => Binding::Nothing,
    };
    Ok((soul, binding))
}

/// Resolves a soul of the library, for an agent that has none or for nobody.
fn resolve_library(
    keeper: &Keeper,
    wanted: Wanted,
    agent: Option<&Agent>,
) -> Result<(inspect::Response, Binding), Error> {
    let Taken { soul, source, key, file } = chain::take(keeper, wanted)?;
    let mut files = agent.map(layers).transpose()?.unwrap_or_default();
    files.extend(read(&soul).map(|bytes| (file, bytes)));
    let snapshot = capture(keeper, key, &soul, files)?;
    Ok((soul, Binding::Library(Box::new(snapshot), source)))
}

/// The bytes that were read.
fn read(soul: &inspect::Response) -> Option<Vec<u8>> {
    soul.parsed.as_ref().map(|document| document.source().bytes().to_vec())
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
    if session.soul_digest.as_deref() != Some(snapshot.digest.to_string().as_str()) {
        return Err(lost().into());
    }
    Ok(Some(snapshot))
}

/// A session with the soul that was resolved for it.
#[derive(Debug, Clone, Serialize)]
pub struct Resolved {
    /// The session, and its hook.
    #[serde(flatten)]
    pub response: Response,
    /// The soul that it is bound to.
    pub soul: payload::Soul,
}

impl Resolved {
    fn new(keeper: &Keeper, session: Session, soul: inspect::Response) -> Result<Self, Error> {
        let snapshot_id = session.soul_snapshot_id.clone();
        let agent_name = session.agent.clone();
        let soul = payload::Soul { agent_name, snapshot_id, ..payload::Soul::unnamed(keeper, soul) };
        Ok(Self { response: Response::new(keeper, session, Turn::Begin)?, soul })
    }
}
