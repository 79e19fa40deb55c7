use crate::fields::NonBlank;
use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::ItemId;
use crate::sync::local::Local;
use crate::sync::objects::TreeChange;
use crate::sync::result::{SyncResult, count};
use crate::sync::retry::until_pushed;
use crate::sync::run::{Remote, Sync};
use crate::sync::state::Intent;
use crate::sync::status::ItemStatus;

impl Sync<'_> {
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
        until_pushed(|| {
            let local = self.look_and_adopt()?;
            let items = self.named_or_missing(items, all_missing, &local)?;
            for item in &items {
                self.check_deletable(item, &local, force)?;
            }
            let remote = self.fetch(&repository)?;
            let changes = self.removals(&items, &remote, force)?;
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
                let Some(commit) = pushed else { return Ok(None) };
                result.commit = Some(commit.to_string());
            }
            result.message = format!("deleted {}", count(items.len(), "soul"));
            for item in items {
                self.delete_here(&item, &local, force)?;
                result.removed.push(item);
            }
            Ok(Some(result))
        })
    }

    /// What is to be deleted on the remote, if nobody has changed it there.
    fn removals(&self, items: &[ItemId], remote: &Remote, force: Option<&NonBlank>) -> Result<Vec<TreeChange>, Error> {
        let mut changes = Vec::new();
        for item in items {
            let Some(text) = remote.items.get(item) else { continue };
            let base = self.state.items.get(item).and_then(|item| item.base.as_ref());
            if force.is_none() && base.is_some_and(|base| base.blob != text.blob) {
                return Err(Error::Conflict { items: vec![item.clone()], detail: String::new() });
            }
            changes.push(TreeChange::Remove(item.path()));
        }
        Ok(changes)
    }

    fn delete_here(&mut self, item: &ItemId, local: &Local, force: Option<&NonBlank>) -> Result<(), Error> {
        if let Some(ours) = local.hash(item) {
            self.remove(item, ours, self.author.clone(), "deleted on both sides", force.cloned())?;
        }
        let conflict = self.state.items.get(item).and_then(|item| item.conflict.as_ref());
        let proposal = conflict.and_then(|conflict| conflict.proposal.clone());
        self.settle_proposal(proposal.as_ref(), true)?;
        self.state.items.remove(item);
        Ok(())
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
}
