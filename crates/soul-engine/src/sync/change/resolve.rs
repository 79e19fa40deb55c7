use std::collections::BTreeSet;

use crate::authoring;
use crate::fields::NonBlank;
use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::{ItemId, has_markers};
use crate::sync::result::SyncResult;
use crate::sync::run::Sync;
use crate::sync::status::ItemStatus;

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
}
