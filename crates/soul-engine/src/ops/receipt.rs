//! What a session was really given.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Error, Hints, Operation, prompt};
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::ids::{SessionId, SnapshotId};
use crate::sessions;
use crate::souls::Subject;
use crate::store::{EventFilter, EventKind, Party, Session};

/// Show what a session was given: the digests of its prompt and of every layer, when, and for whom. The prompt is made
/// of the snapshot and the surroundings that are stored with the session, which never change; no file is read.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
}

/// What a session was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Receipt")]
pub struct Receipt {
    /// The session.
    pub session_id: SessionId,
    /// The agent's name; none if the session runs on a library soul alone.
    pub agent: Option<String>,
    /// The runtime and its version.
    pub runtime: String,
    /// When the soul was resolved for the session.
    pub captured_at: Time,
    /// Who started the session, or refreshed it.
    pub caller: Option<Party>,
    /// The snapshot that it is bound to.
    pub snapshot_id: Option<SnapshotId>,
    /// The digest of the soul.
    pub soul_digest: Option<Digest>,
    /// The digest of the whole prompt.
    pub prompt_digest: RawDigest,
    /// The size of the whole prompt in bytes.
    pub bytes: usize,
    /// Every layer of the prompt, in its order.
    pub layers: Vec<LayerReceipt>,
}

/// A layer of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayerReceipt {
    /// Its name.
    pub name: String,
    /// Where its text comes from.
    pub source: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// The digest of its text.
    pub digest: RawDigest,
}

impl Operation for Request {
    const NAME: &'static str = "receipt";
    const HINTS: Hints = Hints::READ;
    type Response = Receipt;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Receipt, Error> {
        let session = sessions::find(context.keeper, &self.session_id)?;
        Ok(of(&session, context)?.0)
    }
}

/// The receipt of a session, and its prompt.
pub(super) fn of(session: &Session, context: &Context<'_>) -> Result<(Receipt, String), Error> {
    let prompt = prompt::Request::new(Subject::Session(session.id.clone())).run(context)?;
    let layers = prompt.layers.iter().filter(|layer| !layer.omitted).map(|layer| LayerReceipt {
        name: layer.name.to_string(),
        source: layer.source.clone(),
        bytes: layer.bytes,
        digest: RawDigest::of(layer.text.as_bytes()),
    });
    let receipt = Receipt {
        session_id: session.id.clone(),
        agent: session.agent.clone(),
        runtime: format!("soul@{}", env!("CARGO_PKG_VERSION")),
        captured_at: session.captured_at,
        caller: caller(session, context)?,
        snapshot_id: session.soul_snapshot_id.clone(),
        soul_digest: session.soul_digest,
        prompt_digest: RawDigest::of(prompt.text.as_bytes()),
        bytes: prompt.text.len(),
        layers: layers.collect(),
    };
    Ok((receipt, prompt.text))
}

/// Who had the soul resolved, by the events of that time.
fn caller(session: &Session, context: &Context<'_>) -> Result<Option<Party>, Error> {
    const MOST: usize = 200;
    let filter =
        EventFilter { kind: Some("session".to_owned()), since: Some(session.captured_at), ..EventFilter::default() };
    let events = context.keeper.store()?.events(&filter, 0, MOST)?;
    let resolves =
        |kind: EventKind| matches!(kind, EventKind::SessionStart | EventKind::SessionSpawn | EventKind::SessionRefresh);
    let found = events.into_iter().map(|event| event.event);
    let mut found = found.filter(|event| event.session.as_ref() == Some(&session.id) && resolves(event.kind));
    Ok(found.next().map(|event| event.actor))
}
