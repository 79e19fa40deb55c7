use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Party, Snapshot};
use crate::clock::Time;
use crate::ids::{ReceiptId, SessionId, SnapshotId};

/// A prompt that was given to a session, by its digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenPrompt {
    /// The runtime and its version.
    pub runtime: String,
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

/// What a session was given, as it was recorded when its soul was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReceipt {
    /// The receipt's id.
    pub id: ReceiptId,
    /// The session.
    pub session_id: SessionId,
    /// When the soul was resolved.
    pub captured_at: Time,
    /// Who had it resolved.
    pub caller: Party,
    /// The snapshot that the session was bound to.
    pub snapshot_id: Option<SnapshotId>,
    /// The digest of the soul.
    pub soul_digest: Option<Digest>,
    /// The prompt.
    pub prompt: GivenPrompt,
}

type Make = dyn Fn(Option<&Snapshot>) -> Option<GivenPrompt> + Send + Sync;

/// Makes the prompt of a session that is being bound. Which snapshot that is, perhaps one of an earlier version with its
/// own identity text, is known only in the transaction. The default makes none, and then nothing is recorded.
#[derive(Clone, Default)]
pub struct PromptMaker(Option<Arc<Make>>);

impl PromptMaker {
    #[allow(missing_docs)]
    #[must_use]
    pub fn new(make: impl Fn(Option<&Snapshot>) -> Option<GivenPrompt> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(make)))
    }

    pub(super) const fn is_none(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn make(&self, snapshot: Option<&Snapshot>) -> Option<GivenPrompt> {
        self.0.as_ref()?(snapshot)
    }
}

impl fmt::Debug for PromptMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PromptMaker").field(&self.0.is_some()).finish()
    }
}
