//! Both sides of an item.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::merge::merge;
use soul_core::text::{DiffBudget, unified_diff};

use super::Error;
use super::item::ItemId;
use super::local;
use super::repository::Repository;
use super::run::base_text;
use super::state::{Home, State};
use super::status::ItemStatus;
use crate::Keeper;
use crate::files::Directory;

/// Both sides of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncDiff {
    /// Id of the item.
    pub item_id: ItemId,
    /// Path in the repository.
    pub file_path: String,
    /// How it stands.
    pub status: ItemStatus,
    /// The local text; empty if there is none.
    pub local_content: String,
    /// The other text: the remote's of a conflict, else the one that was synced last; empty if there is none.
    pub remote_content: String,
    /// The text that both sides had last; empty if there is none. With a conflict only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_content: Option<String>,
    /// The remote's commit of a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_commit: Option<String>,
    /// Author of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_author: Option<String>,
    /// Message of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_message: Option<String>,
    /// From the other text to the local one, as a unified diff.
    pub diff: String,
    /// The passages that both sides changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Passage>,
}

/// A passage that both sides changed, each in its own way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SyncPassage")]
pub struct Passage {
    /// The field or section that it is in.
    pub place: String,
    /// What both sides had.
    pub base: String,
    /// What it is here.
    pub ours: String,
    /// What it is on the remote.
    pub theirs: String,
}

/// Shows both sides of an item, without fetching.
pub(crate) fn diff(keeper: &Keeper, item: &ItemId) -> Result<SyncDiff, Error> {
    let home = Home::souls(keeper)?;
    let state: State = home.load()?.ok_or(Error::NotConfigured)?;
    let local = local::look(keeper, &home, state.agents)?;
    let status = state.status(item, &local).ok_or_else(|| Error::Unknown(item.clone()))?;
    let ours = read(keeper, item)?;
    let tracked = state.items.get(item);
    let conflict = tracked.and_then(|item| item.conflict.as_ref());
    let repository = Repository::at(&home.clone_path());
    let blob = |blob| -> Option<Vec<u8>> {
        let found = repository.has(blob).ok()?.then(|| repository.blobs(std::slice::from_ref(blob)).ok())?;
        found?.remove(blob)
    };
    let base = match tracked.and_then(|tracked| tracked.base.as_ref()) {
        Some(base) => base_text(keeper, &repository, item, base)?,
        None => None,
    };
    let theirs = match (conflict.map(|conflict| conflict.theirs.as_ref()), status) {
        (Some(Some(theirs)), _) => home.read_theirs(&theirs.hash).or_else(|| blob(&theirs.blob)),
        (Some(None), _) | (None, ItemStatus::Untracked) => None,
        (None, _) => base.clone(),
    };
    let text = |bytes: Option<Vec<u8>>| String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
    let (base, ours, theirs) = (text(base), text(ours), text(theirs));
    let conflicts = match conflict {
        Some(_) => merge(&base, &ours, &theirs)
            .conflicts()
            .map(|conflict| Passage {
                place: conflict.place.to_string(),
                base: conflict.base.clone(),
                ours: conflict.ours.clone(),
                theirs: conflict.theirs.clone(),
            })
            .collect(),
        None => Vec::new(),
    };
    Ok(SyncDiff {
        item_id: item.clone(),
        file_path: item.path(),
        status,
        diff: unified_diff(&theirs, &ours, &mut DiffBudget::ONE.clone()),
        local_content: ours,
        remote_content: theirs,
        base_content: conflict.map(|_| base),
        remote_commit: conflict.map(|conflict| conflict.commit.to_string()),
        remote_author: conflict.map(|conflict| conflict.author.clone()),
        remote_message: conflict.map(|conflict| conflict.message.clone()),
        conflicts,
    })
}

fn read(keeper: &Keeper, item: &ItemId) -> Result<Option<Vec<u8>>, Error> {
    let (folder, file) = match item {
        ItemId::Soul(id) => (keeper.library_path()?, id.file()),
        ItemId::Agent(name) => (local::agents_path(keeper)?.join(name.as_str()), crate::files::SOUL_FILE.to_owned()),
    };
    Ok(Directory::open_unlinked(&folder).and_then(|folder| folder.read(file)).ok())
}
