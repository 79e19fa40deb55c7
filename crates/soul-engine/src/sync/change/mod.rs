//! Decisions of a person about single items, one file each.

mod delete;
mod discard;
mod forget;
mod rename;
mod resolve;

use super::Error;
use super::item::ItemId;
use super::local::Local;
use super::repository::Repository;
use super::run::{Remote, Sync};
use super::status::ItemStatus;
use crate::fields::NonBlank;
use crate::ids::ProposalId;
use crate::library;
use crate::proposals;
use crate::store::{Message, ProposalState};

pub(crate) use resolve::Resolution;

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

    /// Decides a pending proposal to delete an item in the way that its conflict was resolved.
    pub(in crate::sync) fn settle_proposal(&self, proposal: Option<&ProposalId>, accept: bool) -> Result<(), Error> {
        let Some(id) = proposal else { return Ok(()) };
        let Some((found, _)) = self.keeper.store()?.proposal(id)? else { return Ok(()) };
        if found.state != ProposalState::Pending {
            return Ok(());
        }
        let message = Message::try_from("resolved by `soul sync`".to_owned()).ok();
        Ok(proposals::settle(&self.keeper, id, accept, message, &self.author)?)
    }
}
