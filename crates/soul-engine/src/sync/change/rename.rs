use soul_core::digest::RawDigest;

use crate::fields::NonBlank;
use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::ItemId;
use crate::sync::local::Local;
use crate::sync::objects::TreeChange;
use crate::sync::publish::check_sendable;
use crate::sync::result::{Renamed, SyncResult};
use crate::sync::retry::until_pushed;
use crate::sync::run::Sync;
use crate::sync::status::ItemStatus;

impl Sync<'_> {
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
        until_pushed(|| {
            let local = self.look_and_adopt()?;
            self.check_movable(from, to, &local, force)?;
            let remote = self.fetch(&repository)?;
            if remote.items.contains_key(to) {
                return Err(Error::Taken(to.clone()));
            }
            let base = self.state.items.get(from).and_then(|item| item.base.as_ref());
            let is_moved_on = remote.items.get(from).map(|text| &text.blob) != base.map(|base| &base.blob);
            if is_moved_on && force.is_none() {
                return Err(Error::Conflict { items: vec![from.clone()], detail: String::new() });
            }
            let bytes = self.copied(from, to, force)?;
            let hash = RawDigest::of(&bytes);
            let changes = [TreeChange::Remove(from.path()), TreeChange::Put(to.path(), bytes)];
            let changes = if remote.items.contains_key(from) { &changes[..] } else { &changes[1..] };
            let usual = format!("Move {from} to {to}");
            let pushed = self.commit_and_push(&repository, &remote, changes, message.unwrap_or(&usual))?;
            let Some(commit) = pushed else { return Ok(None) };
            if let Some(text) = self.remote(&repository, Some(commit.clone()))?.items.get(to) {
                self.agree(to, text.blob.clone(), hash, commit.clone());
            }
            if let Some(old) = local.hash(from) {
                self.remove(from, old, self.author.clone(), &format!("moved to {to}"), force.cloned())?;
            }
            self.state.items.remove(from);
            let mut result = SyncResult::new(self.keeper.now());
            result.renamed.push(Renamed { from: from.clone(), to: to.clone() });
            result.message = format!("moved {from} to {to}");
            result.commit = Some(commit.to_string());
            Ok(Some(result))
        })
    }

    fn check_movable(&self, from: &ItemId, to: &ItemId, local: &Local, force: Option<&NonBlank>) -> Result<(), Error> {
        match self.state.status(from, local) {
            None => return Err(Error::Unknown(from.clone())),
            Some(ItemStatus::Untracked) => return Err(Error::Untracked(from.clone())),
            Some(ItemStatus::Conflict) if force.is_none() => return Err(self.conflict_error(vec![from.clone()])),
            Some(_) => {}
        }
        self.check_unused(from, force)?;
        let is_tracked = self.state.items.get(to).is_some_and(|item| item.base.is_some() || item.conflict.is_some());
        let (old, new) = (local.hash(from), local.hash(to));
        if is_tracked || (old.is_some() && new.is_some() && old != new) {
            return Err(Error::Taken(to.clone()));
        }
        Ok(())
    }

    /// The text under its new name: written here, unless it is there already.
    fn copied(&mut self, from: &ItemId, to: &ItemId, force: Option<&NonBlank>) -> Result<Vec<u8>, Error> {
        let bytes = match (self.read(from)?, self.read(to)?) {
            (Some(bytes), None) => {
                let moved = format!("moved from {from}");
                self.put(to, bytes.clone(), None, self.author.clone(), &moved, force.cloned())?;
                bytes
            }
            (_, Some(bytes)) => bytes,
            (None, None) => return Err(Error::Missing(from.clone())),
        };
        check_sendable(to, &bytes)?;
        Ok(bytes)
    }
}
