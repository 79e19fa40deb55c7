use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use super::item::ItemId;
use super::status::Refusal;
use crate::clock::Time;
use crate::ids::ProposalId;

/// What a sync did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncResult {
    /// Whether it was done. A conflict is not a failure: it is waiting for a person.
    pub success: bool,
    /// What was done, in one line.
    pub message: String,
    /// Items that are now the same on both sides, and were not.
    pub synced: Vec<ItemId>,
    /// Items whose changes of both sides were merged here, and are not published yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modified: Vec<ItemId>,
    /// Items that are in conflict.
    pub conflicts: Vec<ItemId>,
    /// Items that are gone on both sides, or are no longer tracked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<ItemId>,
    /// Items that were renamed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<Renamed>,
    /// Proposals to delete here what the remote has deleted; `soul review` decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalId>,
    /// What the remote has and was not taken, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// What could not be done with single items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ItemError>,
    /// The remote's commit now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether the history of the branch was rewritten since the last sync.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// When it was done.
    pub timestamp: Time,
}

/// An item that has another name now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SyncRename")]
pub struct Renamed {
    /// Its name before.
    pub from: ItemId,
    /// Its name now.
    pub to: ItemId,
}

/// Why an item was not synced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncItemError")]
pub struct ItemError {
    /// The item.
    pub item_id: ItemId,
    /// What happened.
    pub message: String,
}

impl SyncResult {
    pub(super) const fn new(timestamp: Time) -> Self {
        Self {
            success: true,
            message: String::new(),
            synced: Vec::new(),
            modified: Vec::new(),
            conflicts: Vec::new(),
            removed: Vec::new(),
            renamed: Vec::new(),
            proposals: Vec::new(),
            refused: Vec::new(),
            errors: Vec::new(),
            commit: None,
            rewritten: false,
            timestamp,
        }
    }

    /// Notes that an item was not synced, and why.
    pub(super) fn note(&mut self, item: &ItemId, error: &Error) {
        let message = match error {
            Error::Blocked(_, why) => why.clone(),
            error => error.to_string(),
        };
        self.errors.push(ItemError { item_id: item.clone(), message });
    }

    /// Whether anything here or there is not as it was.
    pub(super) fn is_change(&self) -> bool {
        !(self.synced.is_empty()
            && self.modified.is_empty()
            && self.conflicts.is_empty()
            && self.removed.is_empty()
            && self.renamed.is_empty())
    }
}

/// A number of things, in words.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
