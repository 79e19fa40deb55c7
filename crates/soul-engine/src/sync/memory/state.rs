use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use crate::clock::Time;
use crate::sync::objects::Oid;
use crate::sync::remote::{Branch, RemoteUrl};
use crate::workspace::SoulKey;

/// The state of a memory's sync.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    /// Whose memory it is.
    pub(super) key: SoulKey,
    pub(super) repository: RemoteUrl,
    pub(super) branch: Branch,
    /// The commit of the remote that is part of what is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<Oid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_sync_at: Option<Time>,
    /// What both sides had last, by path.
    #[serde(default)]
    pub(super) files: BTreeMap<String, Common>,
    /// Texts that are about to be written, so that a write which was cut off can be told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) intents: BTreeMap<String, Intent>,
}

/// A text that both sides had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Common {
    pub(super) blob: Oid,
    pub(super) hash: RawDigest,
}

/// A text that is about to be written; then this is what both sides have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    pub(super) result: RawDigest,
    pub(super) common: Common,
}

impl State {
    pub(super) fn new(key: &SoulKey, repository: RemoteUrl, branch: Branch) -> Self {
        Self {
            version: 1,
            key: key.clone(),
            repository,
            branch,
            commit: None,
            last_sync_at: None,
            files: BTreeMap::new(),
            intents: BTreeMap::new(),
        }
    }
}
