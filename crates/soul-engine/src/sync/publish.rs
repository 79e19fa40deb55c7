//! What was changed here goes to the remote: one commit on top of what the remote has. If someone else was first, their
//! changes are merged and it is tried again.

use std::collections::{BTreeMap, BTreeSet};

use soul_core::digest::RawDigest;

use super::Error;
use super::item::{ItemId, has_markers};
use super::local::Local;
use super::objects::{Oid, TreeChange};
use super::repository::{MAX_BLOB, Pushed, Repository};
use super::result::{Renamed, SyncResult, count};
use super::retry::until_pushed;
use super::run::{Remote, Sync};
use super::status::{ItemStatus, Refusal};
use crate::store::EventKind;

/// Which items are published.
pub(crate) enum Which {
    /// Everything that is modified or untracked.
    All,
    /// These.
    Items(Vec<ItemId>),
}

impl Sync<'_> {
    /// Publishes local changes. With `force`, those of items in conflict too: ours win.
    pub(crate) fn publish(&mut self, which: &Which, message: Option<&str>, force: bool) -> Result<SyncResult, Error> {
        let result = self.try_publish(which, message, force);
        let is_change = result.as_ref().is_ok_and(SyncResult::is_change);
        self.end(EventKind::SyncPublish, is_change, result)
    }

    fn try_publish(&mut self, which: &Which, message: Option<&str>, force: bool) -> Result<SyncResult, Error> {
        let repository = self.repository()?;
        let mut wanted: Option<BTreeSet<ItemId>> = None;
        until_pushed(|| {
            let local = self.look()?;
            let known = self.state.known(&local);
            self.adopt(&local, known.into_iter())?;
            let selected = match wanted.take() {
                Some(selected) => selected,
                None => self.selected(which, &local, force)?,
            };
            self.save()?;
            let remote = self.fetch(&repository)?;
            if force {
                self.override_conflicts(&repository, &remote, &selected)?;
            }
            let mut result = SyncResult::new(self.keeper.now());
            self.integrate(&repository, &local, &remote, Some(&selected), &mut result)?;
            self.save()?;
            if !result.conflicts.is_empty() {
                return Err(self.conflict_error(result.conflicts));
            }
            let pushed = self.push(&repository, &remote, &selected, matches!(which, Which::All), message, result)?;
            wanted = Some(selected);
            Ok(pushed)
        })
    }

    /// The items that are to be published, if each of them can be.
    fn selected(&self, which: &Which, local: &Local, force: bool) -> Result<BTreeSet<ItemId>, Error> {
        let ids = match which {
            Which::Items(ids) if ids.is_empty() => return Err(Error::NoItems),
            Which::Items(ids) => ids,
            Which::All => {
                let known = self.state.known(local).into_iter();
                let pending = |item: &ItemId| {
                    local.blocked(item).is_none() && self.state.status(item, local).is_some_and(ItemStatus::is_pending)
                };
                let selected: BTreeSet<ItemId> = known.filter(pending).collect();
                return if selected.is_empty() { Err(Error::NothingToPublish) } else { Ok(selected) };
            }
        };
        let mut conflicts = Vec::new();
        for item in ids {
            if let Some(why) = local.blocked(item) {
                return Err(Error::Blocked(item.clone(), why.to_owned()));
            }
            match self.state.status(item, local) {
                None => return Err(Error::Unknown(item.clone())),
                Some(ItemStatus::Missing) => return Err(Error::Missing(item.clone())),
                Some(ItemStatus::Synced) => return Err(Error::Unmodified(item.clone())),
                Some(ItemStatus::Conflict) if force && local.hash(item).is_none() => {
                    return Err(Error::Missing(item.clone()));
                }
                Some(ItemStatus::Conflict) if !force => conflicts.push(item.clone()),
                Some(_) => {}
            }
        }
        if conflicts.is_empty() { Ok(ids.iter().cloned().collect()) } else { Err(self.conflict_error(conflicts)) }
    }

    pub(super) fn conflict_error(&self, items: Vec<ItemId>) -> Error {
        let conflict = items.first().and_then(|item| self.state.items.get(item)?.conflict.as_ref());
        let detail = conflict.map(|conflict| format!("{} by {}", conflict.commit.short(), conflict.author));
        Error::Conflict { items, detail: detail.unwrap_or_default() }
    }

    /// Decides conflicts for our side: what the remote has now is what both had.
    pub(super) fn override_conflicts(
        &mut self,
        repository: &Repository,
        remote: &Remote,
        items: &BTreeSet<ItemId>,
    ) -> Result<(), Error> {
        for item in items {
            let Some(conflict) = self.state.items.get(item).and_then(|item| item.conflict.clone()) else { continue };
            self.settle_proposal(conflict.proposal.as_ref(), false)?;
            match (remote.items.get(item), &remote.tip) {
                (Some(text), Some(tip)) => {
                    let bytes =
                        repository.blobs(std::slice::from_ref(&text.blob))?.remove(&text.blob).unwrap_or_default();
                    self.agree(item, text.blob.clone(), RawDigest::of(&bytes), tip.clone());
                }
                _ => {
                    let tracked = self.tracked(item);
                    (tracked.base, tracked.conflict) = (None, None);
                }
            }
        }
        Ok(())
    }

    /// Commits and pushes; none if someone else was first.
    fn push(
        &mut self,
        repository: &Repository,
        remote: &Remote,
        selected: &BTreeSet<ItemId>,
        is_all: bool,
        message: Option<&str>,
        mut result: SyncResult,
    ) -> Result<Option<SyncResult>, Error> {
        // A merge may have changed the files.
        let local = self.look()?;
        self.adopt(&local, selected.iter().cloned())?;
        let mut published: BTreeMap<ItemId, RawDigest> = BTreeMap::new();
        let mut changes = Vec::new();
        for item in selected {
            let Some(bytes) = self.read(item)? else { continue };
            let hash = RawDigest::of(&bytes);
            if local.hash(item) != Some(hash) {
                return Err(Error::Moved(item.clone()));
            }
            match why_unsendable(&bytes) {
                // One text that nobody would take does not hold up the others.
                Some(why) if is_all => {
                    result.refused.push(Refusal { path: item.path(), reason: why.to_owned() });
                    continue;
                }
                _ => check_sendable(item, &bytes)?,
            }
            let tracked = self.state.items.get(item);
            let is_there = remote.items.contains_key(item);
            if is_there && tracked.and_then(|item| item.base.as_ref()).is_some_and(|base| base.hash == hash) {
                result.synced.push(item.clone());
                continue;
            }
            published.insert(item.clone(), hash);
            changes.push(TreeChange::Put(item.path(), bytes));
        }
        let mut renamed = Vec::new();
        if is_all {
            renamed = self.local_renames(&local, remote, &published)?;
            changes.extend(renamed.iter().map(|renamed| TreeChange::Remove(renamed.from.path())));
        }
        if changes.is_empty() {
            result.message = match result.refused.len() {
                0 => "already up to date".to_owned(),
                _ => "nothing was published".to_owned(),
            };
            result.commit = remote.tip.as_ref().map(ToString::to_string);
            return Ok(Some(result));
        }
        let usual = match published.keys().next() {
            Some(item) if published.len() == 1 => format!("Update {item}"),
            _ => format!("Update {}", count(published.len(), "soul")),
        };
        let commit = self.commit_and_push(repository, remote, &changes, message.unwrap_or(&usual))?;
        let Some(commit) = commit else { return Ok(None) };
        let pushed = self.remote(repository, Some(commit.clone()))?;
        for (item, hash) in published {
            if let Some(text) = pushed.items.get(&item) {
                self.agree(&item, text.blob.clone(), hash, commit.clone());
                result.synced.push(item);
            }
        }
        for renamed in &renamed {
            self.state.items.remove(&renamed.from);
        }
        result.modified.clear();
        result.message = match result.synced.as_slice() {
            [item] => format!("published {item}"),
            items => format!("published {}", count(items.len(), "soul")),
        };
        result.renamed = renamed;
        result.commit = Some(commit.to_string());
        Ok(Some(result))
    }

    /// Commits on top of what was fetched, and pushes; none if someone else was first.
    pub(super) fn commit_and_push(
        &mut self,
        repository: &Repository,
        remote: &Remote,
        changes: &[TreeChange],
        message: &str,
    ) -> Result<Option<Oid>, Error> {
        let now = self.keeper.now();
        let commit = repository.commit(remote.tip.as_ref(), changes, message, now)?;
        let (to, branch) = (&self.state.repository, &self.state.branch);
        match repository.push(to, branch, &commit, remote.tip.as_ref())? {
            Pushed::Rejected => Ok(None),
            Pushed::Done => {
                // What others have done since the last pull is still to come.
                if self.state.last_sync_commit == remote.tip {
                    self.state.last_sync_commit = Some(commit.clone());
                }
                self.state.last_sync_at = Some(now);
                Ok(Some(commit))
            }
        }
    }

    /// Files that have another name here, with the text that was synced: the old name goes on the remote too.
    fn local_renames(
        &self,
        local: &Local,
        remote: &Remote,
        published: &BTreeMap<ItemId, RawDigest>,
    ) -> Result<Vec<Renamed>, Error> {
        let mut renamed = Vec::new();
        let mut taken = BTreeSet::new();
        for (from, tracked) in &self.state.items {
            let Some(base) = tracked.base.as_ref().filter(|_| tracked.conflict.is_none()) else { continue };
            let is_unchanged = remote.items.get(from).is_some_and(|text| text.blob == base.blob);
            let is_here = local.hash(from).is_some() || local.blocked(from).is_some();
            if is_here || !is_unchanged || self.is_deleted(from)? {
                continue;
            }
            let is_it = |(item, hash): &(&ItemId, &RawDigest)| **hash == base.hash && !taken.contains(*item);
            let found = published.iter().filter(|(item, _)| item.is_like(from)).find(is_it);
            if let Some((to, _)) = found {
                taken.insert(to.clone());
                renamed.push(Renamed { from: from.clone(), to: to.clone() });
            }
        }
        Ok(renamed)
    }
}

/// Refuses a text that no home would take from the remote.
pub(super) fn check_sendable(item: &ItemId, bytes: &[u8]) -> Result<(), Error> {
    match why_unsendable(bytes) {
        None => Ok(()),
        Some(_) if has_markers(bytes) => Err(Error::Markers(item.clone())),
        Some(why) => Err(Error::Unsendable(item.clone(), why)),
    }
}

fn why_unsendable(bytes: &[u8]) -> Option<&'static str> {
    if has_markers(bytes) {
        Some("it has conflict markers")
    } else if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BLOB) {
        Some("it is larger than 1 MiB")
    } else {
        std::str::from_utf8(bytes).is_err().then_some("it is not UTF-8 text")
    }
}
