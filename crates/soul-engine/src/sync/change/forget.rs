use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::ItemId;
use crate::sync::result::{SyncResult, count};
use crate::sync::run::Sync;
use crate::sync::status::ItemStatus;

impl Sync<'_> {
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
}
