//! Decisions of a person about single items: discard, resolve, forget, delete, move.

use std::collections::BTreeSet;
use std::time::Duration;

use soul_core::digest::RawDigest;

use super::Error;
use super::item::{ItemId, has_markers};
use super::local::Local;
use super::publish::TRIES;
use super::repository::{CommitInfo, Repository, TreeChange};
use super::result::{Renamed, SyncResult, count};
use super::run::{Remote, Sync};
use super::state::Intent;
use super::status::ItemStatus;
use crate::authoring;
use crate::fields::NonBlank;
use crate::ids::ProposalId;
use crate::library;
use crate::proposals;
use crate::store::{EventKind, Message, ProposalState};

/// How a conflict is resolved.
pub(crate) enum Resolution {
    /// The local text stays.
    Ours,
    /// The remote's text comes here.
    Theirs,
    /// This text.
    Text(Vec<u8>),
}

impl Sync<'_> {
    /// The remote as it was fetched last; it is fetched if the clone is gone.
    fn last_remote(&self, repository: &Repository) -> Result<Remote, Error> {
        match repository.fetched()? {
            Some(tip) => self.remote(repository, Some(tip)),
            None => self.fetch(repository),
        }
    }

    /// The local texts, all of them on record.
    fn look_and_adopt(&mut self) -> Result<Local, Error> {
        let local = self.look()?;
        let known = self.state.known(&local);
        self.adopt(&local, known.into_iter())?;
        self.save()?;
        Ok(local)
    }

    /// Replaces local texts by those of the remote. What was here stays on record.
    pub(crate) fn discard(&mut self, items: &[ItemId], force: Option<&NonBlank>) -> Result<SyncResult, Error> {
        let result = self.discard_each(items, force);
        self.end(EventKind::SyncDiscard, result.is_ok(), result)
    }

    fn discard_each(&mut self, items: &[ItemId], force: Option<&NonBlank>) -> Result<SyncResult, Error> {
        let repository = self.repository()?;
        let local = self.look_and_adopt()?;
        let remote = self.last_remote(&repository)?;
        let mut result = SyncResult::new(self.keeper.now());
        for item in items {
            match self.state.status(item, &local) {
                Some(ItemStatus::Untracked) => return Err(Error::Untracked(item.clone())),
                None => return Err(Error::Unknown(item.clone())),
                Some(_) => {}
            }
            self.take_theirs(&repository, &remote, &local, item, force)?;
            result.synced.push(item.clone());
        }
        result.message = format!("discarded the changes of {}", count(items.len(), "soul"));
        Ok(result)
    }

    /// Makes an item here what it is on the remote.
    fn take_theirs(
        &mut self,
        repository: &Repository,
        remote: &Remote,
        local: &Local,
        item: &ItemId,
        force: Option<&NonBlank>,
    ) -> Result<(), Error> {
        let (ours, tip) = (local.hash(item), remote.tip.as_ref().ok_or_else(|| Error::Unknown(item.clone()))?);
        let proposal = self.state.items.get(item).and_then(|item| item.conflict.as_ref()?.proposal.clone());
        let info = repository.about(tip, Some(&item.path()))?;
        let Some(text) = remote.items.get(item) else {
            if let Some(ours) = ours {
                self.check_unused(item, force)?;
                let message = format!("deleted on the remote in {}", info.commit.short());
                self.remove(item, ours, self.author.clone(), &message, force.cloned())?;
            }
            self.settle_proposal(proposal.as_ref(), true)?;
            self.state.items.remove(item);
            return Ok(());
        };
        let bytes = repository.blobs(std::slice::from_ref(&text.blob))?.remove(&text.blob).unwrap_or_default();
        if has_markers(&bytes) {
            return Err(Error::Markers(item.clone()));
        }
        let hash = RawDigest::of(&bytes);
        if ours != Some(hash) {
            self.write_theirs(item, bytes, ours, &info, force)?;
        }
        self.agree(item, text.blob.clone(), hash, tip.clone());
        self.state.refused.remove(&item.path());
        Ok(())
    }

    fn write_theirs(
        &mut self,
        item: &ItemId,
        bytes: Vec<u8>,
        ours: Option<RawDigest>,
        info: &CommitInfo,
        force: Option<&NonBlank>,
    ) -> Result<(), Error> {
        // The text is somebody else's, whoever asks for it.
        let author = self.sync_author(info);
        let asked = &self.author;
        let message = format!("taken from {} by {}:{}", info.commit.short(), asked.actor.kind, asked.actor.name);
        match self.put(item, bytes, ours, author, &message, force.cloned()) {
            Ok(_) => Ok(()),
            Err(authoring::Error::Conflict { .. }) => Err(Error::Moved(item.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses to take away the soul that sessions get when they have no other.
    fn check_unused(&self, item: &ItemId, force: Option<&NonBlank>) -> Result<(), Error> {
        match item {
            ItemId::Soul(id) if force.is_none() && self.is_in_use(item)? => Err(Error::Library(if id.is_default() {
                library::Error::Default(id.clone())
            } else {
                library::Error::Selected(id.clone())
            })),
            _ => Ok(()),
        }
    }

    /// Ends a conflict.
    pub(crate) fn resolve(
        &mut self,
        item: &ItemId,
        resolution: Resolution,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        let result = self.resolve_one(item, resolution, force);
        self.end(EventKind::SyncResolve, result.is_ok(), result)
    }

    fn resolve_one(
        &mut self,
        item: &ItemId,
        resolution: Resolution,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        let repository = self.repository()?;
        let local = self.look_and_adopt()?;
        let remote = self.last_remote(&repository)?;
        let is_refused = self.state.refused.contains_key(&item.path()) && remote.items.contains_key(item);
        let is_conflict = self.state.status(item, &local) == Some(ItemStatus::Conflict);
        match self.state.status(item, &local) {
            _ if is_conflict || is_refused => {}
            None => return Err(Error::Unknown(item.clone())),
            Some(_) => return Err(Error::NotInConflict(item.clone())),
        }
        let mut result = SyncResult::new(self.keeper.now());
        let only = BTreeSet::from([item.clone()]);
        match resolution {
            Resolution::Theirs => {
                self.take_theirs(&repository, &remote, &local, item, force)?;
                if remote.items.contains_key(item) {
                    result.synced.push(item.clone());
                } else {
                    result.removed.push(item.clone());
                }
                result.message = format!("{item} is now what the remote has");
            }
            Resolution::Ours => {
                self.override_conflicts(&repository, &remote, &only)?;
                if local.hash(item).is_some() {
                    result.modified.push(item.clone());
                    result.message = format!("{item} stays as it is here; publish it to tell others");
                } else {
                    result.message = format!("{item} stays deleted here; `soul sync delete` tells others");
                }
            }
            Resolution::Text(bytes) => {
                if has_markers(&bytes) {
                    return Err(Error::Markers(item.clone()));
                }
                match self.put(
                    item,
                    bytes,
                    local.hash(item),
                    self.author.clone(),
                    "resolved a conflict",
                    force.cloned(),
                ) {
                    Ok(_) => {}
                    Err(authoring::Error::Conflict { .. }) => return Err(Error::Moved(item.clone())),
                    Err(error) => return Err(error.into()),
                }
                self.override_conflicts(&repository, &remote, &only)?;
                result.modified.push(item.clone());
                result.message = format!("{item} is resolved; publish it to tell others");
            }
        }
        Ok(result)
    }

    /// Decides a pending proposal to delete an item in the way that its conflict was resolved.
    pub(super) fn settle_proposal(&self, proposal: Option<&ProposalId>, accept: bool) -> Result<(), Error> {
        let Some(id) = proposal else { return Ok(()) };
        let Some((found, _)) = self.keeper.store()?.proposal(id)? else { return Ok(()) };
        if found.state != ProposalState::Pending {
            return Ok(());
        }
        let message = Message::try_from("resolved by `soul sync`".to_owned()).ok();
        Ok(proposals::settle(&self.keeper, id, accept, message, &self.author)?)
    }

    /// Drops what is known of items that are missing, untracked or in conflict. No text changes.
    pub(crate) fn forget(&mut self, items: &[ItemId], all_missing: bool) -> Result<SyncResult, Error> {
        let result = self.forget_each(items, all_missing);
        self.end(EventKind::SyncForget, result.is_ok(), result)
    }

    fn forget_each(&mut self, items: &[ItemId], all_missing: bool) -> Result<SyncResult, Error> {
        let local = self.look_and_adopt()?;
        let items = self.named_or_missing(items, all_missing, &local)?;
        for item in &items {
            match self.state.status(item, &local) {
                None => return Err(Error::Unknown(item.clone())),
                Some(status @ (ItemStatus::Synced | ItemStatus::Modified)) => {
                    return Err(Error::NotForgettable(item.clone(), status.as_str()));
                }
                Some(_) => {}
            }
        }
        let mut result = SyncResult::new(self.keeper.now());
        result.message = format!("forgot {}", count(items.len(), "item"));
        for item in items {
            self.state.items.remove(&item);
            result.removed.push(item);
        }
        Ok(result)
    }

    /// The items that a request names, or all that are missing.
    fn named_or_missing(&self, items: &[ItemId], all_missing: bool, local: &Local) -> Result<Vec<ItemId>, Error> {
        match (items, all_missing) {
            ([], false) => Err(Error::NoItems),
            ([_, ..], _) => Ok(items.to_vec()),
            ([], true) => {
                let is_missing = |item: &ItemId| self.state.status(item, local) == Some(ItemStatus::Missing);
                Ok(self.state.items.keys().filter(|item| is_missing(item)).cloned().collect())
            }
        }
    }

    /// Deletes items on the remote, then here. Their texts stay on record, and in the history of the remote.
    pub(crate) fn delete(
        &mut self,
        items: &[ItemId],
        all_missing: bool,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        let result = self.try_delete(items, all_missing, message, force);
        self.end(EventKind::SyncDelete, result.is_ok(), result)
    }

    fn try_delete(
        &mut self,
        items: &[ItemId],
        all_missing: bool,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        let repository = self.repository()?;
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(Duration::from_millis(20 << attempt.min(6)));
            }
            let local = self.look_and_adopt()?;
            let items = self.named_or_missing(items, all_missing, &local)?;
            for item in &items {
                self.check_deletable(item, &local, force)?;
            }
            let remote = self.fetch(&repository)?;
            let mut changes = Vec::new();
            for item in &items {
                let Some(text) = remote.items.get(item) else { continue };
                let base = self.state.items.get(item).and_then(|item| item.base.as_ref());
                if force.is_none() && base.is_some_and(|base| base.blob != text.blob) {
                    return Err(Error::Conflict { items: vec![item.clone()], detail: String::new() });
                }
                changes.push(TreeChange::Remove(item.path()));
            }
            for item in &items {
                if let Some(text) = local.hash(item) {
                    self.tracked(item).intent = Some(Intent::Delete { text });
                }
            }
            self.save()?;
            let mut result = SyncResult::new(self.keeper.now());
            if !changes.is_empty() {
                let usual = match items.as_slice() {
                    [item] => format!("Delete {item}"),
                    items => format!("Delete {}", count(items.len(), "soul")),
                };
                let pushed = self.commit_and_push(&repository, &remote, &changes, message.unwrap_or(&usual))?;
                let Some(commit) = pushed else { continue };
                result.commit = Some(commit.to_string());
            }
            result.message = format!("deleted {}", count(items.len(), "soul"));
            for item in items {
                if let Some(ours) = local.hash(&item) {
                    self.remove(&item, ours, self.author.clone(), "deleted on both sides", force.cloned())?;
                }
                let conflict = self.state.items.get(&item).and_then(|item| item.conflict.as_ref());
                let proposal = conflict.and_then(|conflict| conflict.proposal.clone());
                self.settle_proposal(proposal.as_ref(), true)?;
                self.state.items.remove(&item);
                result.removed.push(item);
            }
            return Ok(result);
        }
        Err(Error::KeepsMoving(TRIES))
    }

    fn check_deletable(&self, item: &ItemId, local: &Local, force: Option<&NonBlank>) -> Result<(), Error> {
        match self.state.status(item, local) {
            None => return Err(Error::Unknown(item.clone())),
            Some(ItemStatus::Untracked) => return Err(Error::Untracked(item.clone())),
            Some(ItemStatus::Modified) if force.is_none() => return Err(Error::Modified(item.clone())),
            Some(ItemStatus::Conflict) if force.is_none() => return Err(self.conflict_error(vec![item.clone()])),
            Some(_) => {}
        }
        if local.hash(item).is_some() { self.check_unused(item, force) } else { Ok(()) }
    }

    /// Gives an item another name, here and on the remote. If its file has the new name already, only there.
    pub(crate) fn rename(
        &mut self,
        from: &ItemId,
        to: &ItemId,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        let result = self.try_rename(from, to, message, force);
        self.end(EventKind::SyncMove, result.is_ok(), result)
    }

    fn try_rename(
        &mut self,
        from: &ItemId,
        to: &ItemId,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<SyncResult, Error> {
        if !from.is_like(to) {
            return Err(Error::OtherKind(from.clone(), to.clone()));
        }
        if from == to {
            return Err(Error::Taken(to.clone()));
        }
        let repository = self.repository()?;
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(Duration::from_millis(20 << attempt.min(6)));
            }
            let local = self.look_and_adopt()?;
            match self.state.status(from, &local) {
                None => return Err(Error::Unknown(from.clone())),
                Some(ItemStatus::Untracked) => return Err(Error::Untracked(from.clone())),
                Some(ItemStatus::Conflict) if force.is_none() => return Err(self.conflict_error(vec![from.clone()])),
                Some(_) => {}
            }
            self.check_unused(from, force)?;
            let is_tracked =
                self.state.items.get(to).is_some_and(|item| item.base.is_some() || item.conflict.is_some());
            let (old, new) = (local.hash(from), local.hash(to));
            if is_tracked || (old.is_some() && new.is_some() && old != new) {
                return Err(Error::Taken(to.clone()));
            }
            let remote = self.fetch(&repository)?;
            if remote.items.contains_key(to) {
                return Err(Error::Taken(to.clone()));
            }
            let base = self.state.items.get(from).and_then(|item| item.base.clone());
            let is_moved_on = remote.items.get(from).map(|text| &text.blob) != base.as_ref().map(|base| &base.blob);
            if is_moved_on && force.is_none() {
                return Err(Error::Conflict { items: vec![from.clone()], detail: String::new() });
            }
            let bytes = match (self.read(from)?, self.read(to)?) {
                (Some(bytes), None) => {
                    let moved = format!("moved from {from}");
                    self.put(to, bytes.clone(), None, self.author.clone(), &moved, force.cloned())?;
                    bytes
                }
                (_, Some(bytes)) => bytes,
                (None, None) => return Err(Error::Missing(from.clone())),
            };
            let hash = RawDigest::of(&bytes);
            let changes = [TreeChange::Remove(from.path()), TreeChange::Put(to.path(), bytes)];
            let changes = if remote.items.contains_key(from) { &changes[..] } else { &changes[1..] };
            let usual = format!("Move {from} to {to}");
            let pushed = self.commit_and_push(&repository, &remote, changes, message.unwrap_or(&usual))?;
            let Some(commit) = pushed else { continue };
            if let Some(text) = self.remote(&repository, Some(commit.clone()))?.items.get(to) {
                self.agree(to, text.blob.clone(), hash, commit.clone());
            }
            if let Some(old) = old {
                self.remove(from, old, self.author.clone(), &format!("moved to {to}"), force.cloned())?;
            }
            self.state.items.remove(from);
            let mut result = SyncResult::new(self.keeper.now());
            result.renamed.push(Renamed { from: from.clone(), to: to.clone() });
            result.message = format!("moved {from} to {to}");
            result.commit = Some(commit.to_string());
            return Ok(result);
        }
        Err(Error::KeepsMoving(TRIES))
    }
}
