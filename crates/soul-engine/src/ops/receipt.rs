//! What a session was really given.

pub mod verify;

operations! { verify }

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Error, Hints, Operation, prompt};
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::ids::{ReceiptId, SessionId, SnapshotId};
use crate::sessions;
use crate::souls::Subject;
use crate::store::{Binding, EventFilter, EventKind, GivenPrompt, Party, PromptMaker, Session, StoredReceipt};

pub use crate::store::LayerReceipt;

/// The most receipts of one session that are read: one for each time that its soul was resolved.
const MOST: usize = 200;

/// Show what a session was given: the digests of its prompt and of every layer, when, and for whom. They were recorded
/// when its soul was resolved; for a session of an earlier version they are computed from its snapshot.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The session.
    pub session_id: SessionId,
}

/// What a session was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Receipt")]
pub struct Receipt {
    /// The receipt's id, if it was recorded when the soul was resolved; without one it was computed just now.
    pub id: Option<ReceiptId>,
    /// The session.
    pub session_id: SessionId,
    /// The agent's name; none if the session runs on a library soul alone.
    pub agent: Option<String>,
    /// When the soul was resolved for the session.
    pub captured_at: Time,
    /// Who started the session, or refreshed it.
    pub caller: Option<Party>,
    /// The snapshot that it is bound to.
    pub snapshot_id: Option<SnapshotId>,
    /// The digest of the soul.
    pub soul_digest: Option<Digest>,
    /// The prompt.
    #[serde(flatten)]
    pub prompt: GivenPrompt,
    /// What the session was given before it was refreshed, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierReceipt>,
}

/// What a session was given before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierReceipt {
    /// The receipt's id.
    pub id: ReceiptId,
    /// When the soul was resolved.
    pub captured_at: Time,
    /// The digest of the whole prompt.
    pub prompt_digest: RawDigest,
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
        let mut receipts = of(&session, context)?.into_iter();
        let newest = receipts.next().ok_or_else(|| sessions::Error::SessionNotFound(session.id.clone()))?;
        let earlier = receipts.filter_map(|receipt| {
            let (captured_at, prompt_digest) = (receipt.captured_at, receipt.prompt.prompt_digest);
            Some(EarlierReceipt { id: receipt.id?, captured_at, prompt_digest })
        });
        Ok(Receipt { earlier: earlier.collect(), ..newest })
    }
}

/// Every receipt of a session, newest first. What was bound by an earlier version has none on record, and is computed.
pub(super) fn of(session: &Session, context: &Context<'_>) -> Result<Vec<Receipt>, Error> {
    let stored = context.keeper.store()?.receipts(Some(&session.id), MOST)?;
    let is_current = stored.first().is_some_and(|newest| newest.captured_at == session.captured_at);
    let mut receipts = if is_current { Vec::new() } else { vec![computed(session, context)?] };
    receipts.extend(stored.into_iter().map(|stored| recorded(session, stored)));
    Ok(receipts)
}

/// A receipt of the store, with what its session says.
pub(super) fn recorded(session: &Session, stored: StoredReceipt) -> Receipt {
    Receipt {
        id: Some(stored.id),
        session_id: stored.session_id,
        agent: session.agent.clone(),
        captured_at: stored.captured_at,
        caller: Some(stored.caller),
        snapshot_id: stored.snapshot_id,
        soul_digest: stored.soul_digest,
        prompt: stored.prompt,
        earlier: Vec::new(),
    }
}

fn computed(session: &Session, context: &Context<'_>) -> Result<Receipt, Error> {
    let prompt = prompt::Request::new(Subject::Session(session.id.clone())).run(context)?;
    Ok(Receipt {
        id: None,
        session_id: session.id.clone(),
        agent: session.agent.clone(),
        captured_at: session.captured_at,
        caller: caller(session, context)?,
        snapshot_id: session.soul_snapshot_id.clone(),
        soul_digest: session.soul_digest,
        prompt: given(&prompt),
        earlier: Vec::new(),
    })
}

/// The digests of a prompt.
fn given(prompt: &prompt::Response) -> GivenPrompt {
    let layers = prompt.layers.iter().filter(|layer| !layer.omitted).map(|layer| LayerReceipt {
        name: layer.name.to_string(),
        source: layer.source.clone(),
        bytes: layer.bytes,
        digest: RawDigest::of(layer.text.as_bytes()),
    });
    GivenPrompt {
        runtime: format!("soul@{}", env!("CARGO_PKG_VERSION")),
        prompt_digest: RawDigest::of(prompt.text.as_bytes()),
        bytes: prompt.text.len(),
        layers: layers.collect(),
    }
}

/// A binding whose prompt is recorded with the session. A prompt that cannot be made is not given to anybody either.
pub(super) fn with_prompt(binding: Binding) -> Binding {
    let bound = binding.clone();
    let make = move |snapshot: Option<&_>| prompt::of_binding(&bound, snapshot).ok().map(|prompt| given(&prompt));
    Binding { prompt: PromptMaker::new(make), ..binding }
}

/// Who had the soul resolved, by the events of that time.
fn caller(session: &Session, context: &Context<'_>) -> Result<Option<Party>, Error> {
    let filter =
        EventFilter { kind: Some("session".to_owned()), since: Some(session.captured_at), ..EventFilter::default() };
    let events = context.keeper.store()?.events(&filter, 0, MOST)?;
    let resolves =
        |kind: EventKind| matches!(kind, EventKind::SessionStart | EventKind::SessionSpawn | EventKind::SessionRefresh);
    let found = events.into_iter().map(|event| event.event);
    let mut found = found.filter(|event| event.session.as_ref() == Some(&session.id) && resolves(event.kind));
    Ok(found.next().map(|event| event.actor))
}
