use soul_core::digest::RawDigest;

use crate::authoring;
use crate::fields::NonBlank;
use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::{ItemId, has_markers};
use crate::sync::local::Local;
use crate::sync::objects::CommitInfo;
use crate::sync::repository::Repository;
use crate::sync::result::{SyncResult, count};
use crate::sync::run::{Remote, Sync};
use crate::sync::status::ItemStatus;

impl Sync<'_> {
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
    pub(super) fn take_theirs(
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
        // The text is someone else's, no matter who asks for it.
        let author = self.sync_author(info);
        let asked = &self.author;
        let message = format!("taken from {} by {}:{}", info.commit.short(), asked.actor.kind, asked.actor.name);
        match self.put(item, bytes, ours, author, &message, force.cloned()) {
            Ok(_) => Ok(()),
            Err(authoring::Error::Conflict { .. }) => Err(Error::Moved(item.clone())),
            Err(error) => Err(error.into()),
        }
    }
}
