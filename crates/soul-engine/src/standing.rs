//! How agents stand: their files to the record, and live sessions to the files.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use crate::Keeper;
use crate::clock::Time;
use crate::files;
use crate::ids::{RevisionId, SessionId};
use crate::sessions::Behind;
use crate::souls;
use crate::store::{self, Action, Message, Party, Revision, SessionState};
use crate::workspace::{Agent, SoulKey};

/// How the file of a soul stands to its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordState {
    /// Nothing of it is on record.
    Unrecorded,
    /// The file is as it was recorded.
    Recorded,
    /// The file was changed outside since, or there is one again.
    Changed,
    /// The file is gone, and no recorded change removed it.
    Missing,
    /// There is something that cannot be read, so nobody knows.
    Unreadable,
}

/// The last recorded change of a soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct LastChange {
    /// The revision.
    pub revision_id: RevisionId,
    /// What was done.
    pub action: Action,
    /// Who did it.
    pub actor: Party,
    /// Through what: the transport and the operation.
    pub origin: Party,
    /// When.
    pub created_at: Time,
    /// Why, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// What it meant, in a line, if the request asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// The record of an agent's soul, and how its file stands to it.
pub(crate) struct Standing {
    pub(crate) key: Option<SoulKey>,
    pub(crate) record: RecordState,
    pub(crate) last: Option<Revision>,
}

impl Standing {
    pub(crate) fn of(keeper: &Keeper, agent: &Agent) -> Result<Self, souls::Error> {
        let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
        let last = match (keeper.existing_store()?, &key) {
            (Some(store), Some(key)) => store.tail(key)?.last,
            _ => None,
        };
        let recorded = last.as_ref().map(|last| last.sealed.raw_digest);
        let record = match (recorded, agent.directory.read(agent.soul_file())) {
            (None, _) => RecordState::Unrecorded,
            (Some(recorded), Ok(bytes)) if recorded == Some(RawDigest::of(&bytes)) => RecordState::Recorded,
            (Some(None), Err(files::Error::NotFound)) => RecordState::Recorded,
            (Some(Some(_)), Err(files::Error::NotFound)) => RecordState::Missing,
            (Some(_), Ok(_)) => RecordState::Changed,
            (Some(_), Err(_)) => RecordState::Unreadable,
        };
        Ok(Self { key, record, last })
    }

    /// The last change, without its text.
    pub(crate) fn last_change(&self) -> Option<LastChange> {
        let sealed = &self.last.as_ref()?.sealed;
        Some(LastChange {
            revision_id: sealed.id.clone(),
            action: sealed.action,
            actor: sealed.actor.clone(),
            origin: sealed.origin.clone(),
            created_at: sealed.created_at,
            message: sealed.message.clone(),
            summary: None,
        })
    }
}

/// The live sessions of an agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct LiveSessions {
    pub(crate) count: usize,
    /// Those that are bound to an older soul.
    pub(crate) behind: Vec<SessionId>,
}

/// How many sessions are read at once.
const PAGE: usize = 500;

/// The live sessions of every agent, by the key of its soul; of one agent if it is named.
pub(crate) fn live_sessions(
    keeper: &Keeper,
    agent: Option<&str>,
) -> Result<HashMap<SoulKey, LiveSessions>, store::Error> {
    let mut live: HashMap<SoulKey, LiveSessions> = HashMap::new();
    let mut behind = Behind::new(keeper);
    let Some(store) = keeper.existing_store()? else { return Ok(live) };
    let mut before = None;
    loop {
        let page = store.sessions(agent, Some(SessionState::Active), before.as_ref(), PAGE)?;
        before = page.last().map(|session| session.id.clone());
        let is_last = page.len() < PAGE;
        for session in page {
            let Some(key) = session.key() else { continue };
            let is_behind = behind.of(&session)? == Some(true);
            let of_agent = live.entry(key).or_default();
            of_agent.count += 1;
            of_agent.behind.extend(Some(session.id).filter(|_| is_behind));
        }
        if is_last {
            return Ok(live);
        }
    }
}
