//! How the items stand, from what is in the files and what was synced last. Nothing is fetched.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

use super::auto::AutoSync;
use super::item::ItemId;
use super::local::{self, Local, Text};
use super::state::{Conflict, Home, Missing, State, Tracked};
use super::{Error, auto};
use crate::Keeper;
use crate::clock::Time;
use crate::ids::ProposalId;

/// How an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SyncItemStatus", transform = soul_core::schema::spellings)]
pub enum ItemStatus {
    /// Here as it was synced last.
    Synced,
    /// Changed here since it was synced last.
    Modified,
    /// Here, and never synced.
    Untracked,
    /// Changed on both sides; it stays so until it is resolved.
    Conflict,
    /// Synced once, and gone here.
    Missing,
}

impl ItemStatus {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Synced => "synced",
            Self::Modified => "modified",
            Self::Untracked => "untracked",
            Self::Conflict => "conflict",
            Self::Missing => "missing",
        }
    }

    /// Whether there is something to publish.
    pub(super) const fn is_pending(self) -> bool {
        matches!(self, Self::Modified | Self::Untracked)
    }
}

/// How all items stand: the first of these that is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SyncSummary", transform = soul_core::schema::spellings)]
pub enum Summary {
    /// The last sync failed.
    Error,
    /// An item is in conflict.
    Conflict,
    /// An item is missing here.
    Missing,
    /// An item is modified or untracked.
    Pending,
    /// Everything is as it was synced last.
    Synced,
}

impl Summary {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Conflict => "conflict",
            Self::Missing => "missing",
            Self::Pending => "pending",
            Self::Synced => "synced",
        }
    }
}

/// What kind of conflict it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SyncConflictReason", transform = soul_core::schema::spellings)]
pub enum ConflictReason {
    /// Both sides changed the same passage.
    BothChanged,
    /// Both sides added it, each with its own text.
    BothAdded,
    /// The remote deleted it; a proposal to delete it here is pending, or it was changed here.
    DeletedThere,
    /// It was deleted here, and changed on the remote.
    DeletedHere,
    /// The remote's text is invalid, or the scanner refuses it.
    Refused,
}

/// One item, as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncItem")]
pub struct Item {
    /// Id of the item: `souls/ID`, or `agents/NAME`.
    pub item_id: ItemId,
    /// Path in the repository.
    pub file_path: String,
    /// What to call it; the path.
    pub display_name: String,
    /// `soul`.
    pub kind: String,
    /// How it stands.
    pub status: ItemStatus,
    /// The commit that both sides had in common last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    /// SHA-256 of the text that both sides had in common last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_synced_hash: Option<String>,
    /// When both sides were the same last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_synced_at: Option<Time>,
    /// SHA-256 of the local text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_hash: Option<String>,
    /// When the local file was modified, if it is not as it was synced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_at: Option<Time>,
    /// The remote's commit of a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_commit: Option<String>,
    /// Author of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_author: Option<String>,
    /// Message of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_message: Option<String>,
    /// When the conflict was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_detected_at: Option<Time>,
    /// What kind of conflict it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_reason: Option<ConflictReason>,
    /// Why the remote's text is not taken, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_detail: Option<String>,
    /// The pending proposal to delete it here, as the remote did: `soul review` decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// How it stood before it went missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_status: Option<ItemStatus>,
    /// Since when it is known to be missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_at: Option<Time>,
}

/// How many items stand how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SyncCounts")]
pub struct Counts {
    /// As synced last.
    pub synced: usize,
    /// Changed here.
    pub modified: usize,
    /// Never synced.
    pub untracked: usize,
    /// Changed on both sides.
    pub conflict: usize,
    /// Gone here.
    pub missing: usize,
}

/// Something that is not synced, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SyncRefusal")]
pub struct Refusal {
    /// The path in the repository, or of the local file.
    pub path: String,
    /// Why it is not synced.
    pub reason: String,
}

/// How everything stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncStatus")]
pub struct SyncStatus {
    /// Whether a remote was named.
    pub enabled: bool,
    /// How all items stand.
    pub summary: Summary,
    /// The remote, without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Whether souls of agents are synced too.
    #[serde(default)]
    pub agents: bool,
    /// When the remote was fetched last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync_at: Option<Time>,
    /// The remote's commit at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync_commit: Option<String>,
    /// `success`, or `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync_status: Option<String>,
    /// Why the last sync failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Whether the last sync found the history of the branch rewritten.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// How many items stand how.
    pub counts: Counts,
    /// The items, by path.
    pub items: Vec<Item>,
    /// What is not synced, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// What the service does by itself.
    pub auto_sync: AutoSync,
}

/// SHA-256 of a text, as it is written in the state of the sync.
pub(super) fn hash_text(hash: &RawDigest) -> String {
    hash.to_string().trim_start_matches("raw:").to_owned()
}

impl Tracked {
    /// How an item with this local text stands.
    pub(super) fn status(&self, ours: Option<RawDigest>) -> Option<ItemStatus> {
        match (&self.conflict, &self.base, ours) {
            (Some(_), ..) => Some(ItemStatus::Conflict),
            (None, None, None) => None,
            (None, None, Some(_)) => Some(ItemStatus::Untracked),
            (None, Some(_), None) => Some(ItemStatus::Missing),
            (None, Some(base), Some(ours)) if base.hash == ours => Some(ItemStatus::Synced),
            (None, Some(_), Some(_)) => Some(ItemStatus::Modified),
        }
    }
}

impl State {
    /// How an item stands; none if nothing is known of it.
    pub(super) fn status(&self, item: &ItemId, local: &Local) -> Option<ItemStatus> {
        let ours = local.hash(item);
        match self.items.get(item) {
            // Something is there, so it is not missing.
            Some(Tracked { conflict: None, base, .. }) if local.blocked(item).is_some() => {
                base.as_ref().map(|_| ItemStatus::Modified)
            }
            Some(tracked) => tracked.status(ours),
            None => ours.map(|_| ItemStatus::Untracked),
        }
    }

    /// Every item that is known here, in order.
    pub(super) fn known(&self, local: &Local) -> BTreeSet<ItemId> {
        self.items.keys().chain(local.texts.keys()).cloned().collect()
    }
}

/// How everything stands.
pub(crate) fn status(keeper: &Keeper) -> Result<SyncStatus, Error> {
    let Some(_) = keeper.home() else { return Ok(disabled(AutoSync::default())) };
    let home = Home::souls(keeper)?;
    let auto_sync = auto::read(keeper, &home);
    let Some(mut state) = home.load::<State>()? else { return Ok(disabled(auto_sync)) };
    let local = local::look(keeper, &home, state.agents)?;
    note_missing(keeper, &home, &mut state, &local);
    let mut counts = Counts::default();
    let mut items = Vec::new();
    for id in state.known(&local) {
        let tracked = state.items.get(&id);
        let text = local.texts.get(&id);
        let Some(status) = state.status(&id, &local) else { continue };
        *match status {
            ItemStatus::Synced => &mut counts.synced,
            ItemStatus::Modified => &mut counts.modified,
            ItemStatus::Untracked => &mut counts.untracked,
            ItemStatus::Conflict => &mut counts.conflict,
            ItemStatus::Missing => &mut counts.missing,
        } += 1;
        items.push(item(id, status, tracked, text));
    }
    let summary = match counts {
        _ if state.last_error.is_some() => Summary::Error,
        Counts { conflict: 1.., .. } => Summary::Conflict,
        Counts { missing: 1.., .. } => Summary::Missing,
        Counts { modified: 1.., .. } | Counts { untracked: 1.., .. } => Summary::Pending,
        _ => Summary::Synced,
    };
    let refused = state.refused.iter().map(|(path, refused)| (path.clone(), refused.reason.clone()));
    // What is wrong with the file here matters more than what is wrong with the remote's.
    let refused: BTreeMap<String, String> = refused.chain(local.unreadable).collect();
    let shown = |(path, reason): (String, String)| Refusal { path: soul_core::text::visible(&path), reason };
    Ok(SyncStatus {
        enabled: true,
        summary,
        repository: Some(state.repository.to_string()),
        branch: Some(state.branch.to_string()),
        agents: state.agents,
        last_sync_at: state.last_sync_at,
        last_sync_commit: state.last_sync_commit.as_ref().map(ToString::to_string),
        last_sync_status: state
            .last_sync_at
            .map(|_| if state.last_error.is_some() { "error" } else { "success" }.into()),
        last_error: state.last_error,
        rewritten: state.rewritten,
        counts,
        items,
        refused: refused.into_iter().map(shown).collect(),
        auto_sync,
    })
}

fn disabled(auto_sync: AutoSync) -> SyncStatus {
    SyncStatus {
        enabled: false,
        summary: Summary::Synced,
        repository: None,
        branch: None,
        agents: false,
        last_sync_at: None,
        last_sync_commit: None,
        last_sync_status: None,
        last_error: None,
        rewritten: false,
        counts: Counts::default(),
        items: Vec::new(),
        refused: Vec::new(),
        auto_sync,
    }
}

/// Remembers since when items are missing, if nobody else changes the state now.
fn note_missing(keeper: &Keeper, home: &Home, state: &mut State, local: &Local) {
    let is_missing = |id: &ItemId, item: &Tracked| {
        local.blocked(id).is_none() && item.status(local.hash(id)) == Some(ItemStatus::Missing)
    };
    if state.items.iter().all(|(id, item)| is_missing(id, item) == item.missing.is_some()) {
        return;
    }
    let now = keeper.now();
    let lock = home.try_lock(None).ok().flatten();
    if lock.is_some()
        && let Ok(Some(fresh)) = home.load()
    {
        *state = fresh;
    }
    for (id, item) in &mut state.items {
        item.missing = match is_missing(id, item) {
            true => {
                let before = if item.recorded.is_none() || item.recorded == item.base.as_ref().map(|base| base.hash) {
                    ItemStatus::Synced
                } else {
                    ItemStatus::Modified
                };
                Some(item.missing.take().unwrap_or(Missing { at: now, before }))
            }
            false => None,
        };
    }
    if lock.is_some() {
        let _ = home.save(state);
    }
}

fn item(id: ItemId, status: ItemStatus, tracked: Option<&Tracked>, text: Option<&Text>) -> Item {
    let base = tracked.and_then(|tracked| tracked.base.as_ref());
    let conflict: Option<&Conflict> = tracked.and_then(|tracked| tracked.conflict.as_ref());
    let missing = tracked.and_then(|tracked| tracked.missing.as_ref()).filter(|_| status == ItemStatus::Missing);
    let modified = text.filter(|_| status != ItemStatus::Synced);
    let path = id.path();
    Item {
        item_id: id,
        display_name: path.clone(),
        file_path: path,
        kind: "soul".to_owned(),
        status,
        base_commit: base.map(|base| base.commit.to_string()),
        last_synced_hash: base.map(|base| hash_text(&base.hash)),
        last_synced_at: base.map(|base| base.at),
        local_hash: text.map(|text| hash_text(&text.hash)),
        modified_at: modified.map(|text| Time::of_seconds(text.modified.div_euclid(1_000_000_000))),
        remote_commit: conflict.map(|conflict| conflict.commit.to_string()),
        remote_author: conflict.map(|conflict| conflict.author.clone()),
        remote_message: conflict.map(|conflict| conflict.message.clone()),
        conflict_detected_at: conflict.map(|conflict| conflict.at),
        conflict_reason: conflict.map(|conflict| conflict.reason),
        conflict_detail: conflict.and_then(|conflict| conflict.detail.clone()),
        proposal: conflict.and_then(|conflict| conflict.proposal.clone()),
        previous_status: missing.map(|missing| missing.before),
        missing_at: missing.map(|missing| missing.at),
    }
}
