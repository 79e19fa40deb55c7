//! What is to be done with each item, decided before anything is written.

use std::collections::{BTreeMap, HashMap};

use soul_core::merge::merge;

use super::incoming::Incoming;
use crate::ids::ProposalId;
use crate::store::ProposalState;
use crate::sync::Error;
use crate::sync::decide::{Decision, decide};
use crate::sync::item::ItemId;
use crate::sync::local::Local;
use crate::sync::result::SyncResult;
use crate::sync::run::{RemoteText, Sync, base_text};
use crate::sync::state::{Base, Intent};
use crate::sync::status::ConflictReason;

/// A change that is made here.
pub(super) enum Plan {
    /// The remote's text.
    Take { text: RemoteText, bytes: Vec<u8> },
    /// The changes of both sides in one text.
    Merge { text: RemoteText, theirs: Vec<u8>, merged: Vec<u8> },
    /// The item has another name now; its text is the remote's, or that merged with ours.
    Rename { to: ItemId, text: RemoteText, theirs: Vec<u8>, result: Vec<u8> },
    /// The item goes.
    Remove,
    /// A person is asked whether the item goes.
    Propose,
}

impl Plan {
    pub(super) const fn destination(&self) -> Option<&ItemId> {
        match self {
            Self::Rename { to, .. } => Some(to),
            _ => None,
        }
    }
}

impl Sync<'_> {
    /// Decides about one item. What needs no change of a text is done at once.
    pub(super) fn plan(
        &mut self,
        incoming: &Incoming<'_>,
        local: &Local,
        item: &ItemId,
        result: &mut SyncResult,
    ) -> Result<Option<Plan>, Error> {
        let remote_text = incoming.remote.items.get(item);
        if let Some(why) = local.blocked(item) {
            let base = self.state.items.get(item).and_then(|item| item.base.as_ref());
            if remote_text.map(|text| &text.blob) != base.map(|base| &base.blob) {
                result.note(item, &Error::Blocked(item.clone(), why.to_owned()));
            }
            return Ok(None);
        }
        let tracked = self.state.items.get(item).cloned().unwrap_or_default();
        let is_refused = remote_text
            .is_some_and(|text| self.state.refused.get(&item.path()).is_some_and(|refused| refused.blob == text.blob));
        if is_refused && tracked.base.is_none() && local.hash(item).is_none() {
            return Ok(None);
        }
        let theirs = self.theirs(incoming, item)?;
        let (base, ours) = (tracked.base.as_ref(), local.hash(item));
        let decision = decide(base.map(|base| base.hash), ours, theirs.as_ref().map(|(_, hash)| *hash));
        if let Some(conflict) = &tracked.conflict {
            let is_same =
                conflict.theirs.as_ref().map(|theirs| &theirs.blob) == theirs.as_ref().map(|(text, _)| &text.blob);
            let stays = match decision {
                Decision::Same | Decision::Gone => false,
                // The remote has what both had: only our change is left.
                Decision::Keep => base.is_none(),
                Decision::Take => is_same && conflict.reason == ConflictReason::Refused,
                Decision::DeletedThere | Decision::DeletedThereChangedHere => {
                    is_same && !self.is_rejected(conflict.proposal.as_ref())?
                }
                _ => is_same,
            };
            if stays {
                return Ok(None);
            }
            if matches!(decision, Decision::DeletedThere | Decision::DeletedThereChangedHere) && is_same {
                // A person decided to keep it: the remote does not have it, and it is nobody's but ours.
                let tracked = self.tracked(item);
                (tracked.base, tracked.conflict) = (None, None);
                return Ok(None);
            }
            let is_changed = matches!(decision, Decision::Merge | Decision::BothAdded);
            if is_changed && conflict.reason != ConflictReason::Refused {
                // A conflict lasts until a person ends it, whatever else the remote does.
                let (text, _) = theirs.as_ref().ok_or_else(|| Error::Unknown(item.clone()))?;
                let bytes = incoming.bytes(text)?;
                let (info, reason) = (incoming.info(item), conflict.reason);
                self.conflict(item, reason, None, Some((&text.blob, &bytes)), &info, None)?;
                return Ok(None);
            }
            self.tracked(item).conflict = None;
        }
        let info = || incoming.info(item);
        match (decision, theirs) {
            (Decision::Same, Some((text, hash))) => {
                let is_new = base.is_none_or(|base| base.blob != text.blob) || tracked.conflict.is_some();
                self.agree(item, text.blob, hash, incoming.tip.clone());
                result.synced.extend(is_new.then(|| item.clone()));
            }
            (Decision::Gone, _) => {
                self.state.items.remove(item);
                result.removed.extend(base.map(|_| item.clone()));
            }
            (Decision::Take, Some((text, _))) => {
                let bytes = incoming.bytes(&text)?;
                return Ok(Some(Plan::Take { text, bytes }));
            }
            (Decision::DeletedHere, Some(_)) if self.is_deleted(item)? || is_renamed(local, base) => {}
            (Decision::DeletedHere, Some((text, _))) => {
                let bytes = incoming.bytes(&text)?;
                return Ok(Some(Plan::Take { text, bytes }));
            }
            (Decision::DeletedHereChangedThere, Some((text, _))) => {
                let bytes = incoming.bytes(&text)?;
                if !self.is_deleted(item)? {
                    return Ok(Some(Plan::Take { text, bytes }));
                }
                self.conflict(item, ConflictReason::DeletedHere, None, Some((&text.blob, &bytes)), &info(), None)?;
            }
            (Decision::Merge, Some((text, _))) => {
                let bytes = incoming.bytes(&text)?;
                let ours = self.read(item)?.unwrap_or_default();
                let common = match base {
                    Some(base) => base_text(&self.keeper, incoming.repository, item, base)?,
                    None => None,
                };
                match common.and_then(|common| merged(&common, &ours, &bytes)) {
                    Some(merged) => return Ok(Some(Plan::Merge { text, theirs: bytes, merged })),
                    None => {
                        let theirs = Some((&text.blob, bytes.as_slice()));
                        self.conflict(item, ConflictReason::BothChanged, None, theirs, &info(), None)?;
                    }
                }
            }
            (Decision::BothAdded, Some((text, _))) => {
                let bytes = incoming.bytes(&text)?;
                self.conflict(item, ConflictReason::BothAdded, None, Some((&text.blob, &bytes)), &info(), None)?;
            }
            (Decision::DeletedThere, _) => {
                let is_meant = matches!(&tracked.intent, Some(Intent::Delete { text }) if Some(*text) == ours);
                return Ok(Some(if is_meant { Plan::Remove } else { Plan::Propose }));
            }
            (Decision::DeletedThereChangedHere, _) => {
                self.conflict(item, ConflictReason::DeletedThere, None, None, &info(), None)?;
            }
            _ => {}
        }
        Ok(None)
    }

    fn is_rejected(&self, proposal: Option<&ProposalId>) -> Result<bool, Error> {
        let Some(id) = proposal else { return Ok(false) };
        let found = self.keeper.store()?.proposal(id)?;
        Ok(found.is_some_and(|(proposal, _)| proposal.state == ProposalState::Rejected))
    }

    /// Items that the remote has under another name now.
    pub(super) fn renames(&self, incoming: &Incoming<'_>, local: &Local) -> Result<BTreeMap<ItemId, Plan>, Error> {
        let mut found = BTreeMap::new();
        let is_gone = |item: &ItemId| !incoming.remote.items.contains_key(item);
        if !self.state.items.iter().any(|(item, tracked)| tracked.base.is_some() && is_gone(item)) {
            return Ok(found);
        }
        let Some(last) = &self.state.last_sync_commit else { return Ok(found) };
        if !incoming.repository.has(last)? {
            return Ok(found);
        }
        let by_path: HashMap<String, &ItemId> =
            self.state.items.keys().chain(incoming.remote.items.keys()).map(|item| (item.path(), item)).collect();
        for (from, to) in incoming.repository.renames(last, &incoming.tip)? {
            let (Some(from), Some(to)) = (by_path.get(&from), by_path.get(&to)) else { continue };
            let (from, to) = (*from, *to);
            let Some(text) = incoming.remote.items.get(to).filter(|_| is_gone(from) && from.is_like(to)) else {
                continue;
            };
            let tracked = self.state.items.get(from);
            let (Some(base), None) =
                (tracked.and_then(|item| item.base.as_ref()), tracked.and_then(|item| item.conflict.as_ref()))
            else {
                continue;
            };
            let is_here = local.hash(to).is_some() || local.blocked(to).is_some();
            let is_free = !is_here && self.state.items.get(to).is_none_or(|item| item.base.is_none());
            let Some(ours) = local.hash(from).filter(|_| is_free) else { continue };
            if self.is_in_use(from)? {
                continue;
            }
            let theirs = incoming.bytes(text)?;
            let common = base_text(&self.keeper, incoming.repository, from, base)?;
            let is_same = text.blob == base.blob || common.as_ref().is_some_and(|common| is_same_soul(common, &theirs));
            let result = match (common.filter(|_| is_same), self.read(from)?) {
                (Some(_), Some(_)) if ours == base.hash => Some(theirs.clone()),
                (Some(common), Some(ours)) => merged(&common, &ours, &theirs),
                _ => None,
            };
            if let Some(result) = result {
                found.insert(from.clone(), Plan::Rename { to: to.clone(), text: text.clone(), theirs, result });
            }
        }
        Ok(found)
    }
}

/// Whether two texts are of one soul: they have the same name. Souls from one template are alike in everything else.
fn is_same_soul(one: &[u8], other: &[u8]) -> bool {
    let name = |text: &[u8]| -> Option<Vec<u8>> {
        let mut lines = text.split(|byte| *byte == b'\n').take(20);
        lines.find(|line| line.starts_with(b"name:")).map(|line| line.trim_ascii().to_vec())
    };
    name(one).is_some_and(|one| Some(one) == name(other))
}

/// Whether the text of a missing file is here under another name.
fn is_renamed(local: &Local, base: Option<&Base>) -> bool {
    base.is_some_and(|base| local.texts.values().any(|text| text.hash == base.hash))
}

/// The changes of both sides in one text; none if they cannot be told apart.
fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [Ok(base), Ok(ours), Ok(theirs)] = [base, ours, theirs].map(std::str::from_utf8) else { return None };
    merge(base, ours, theirs).text().map(String::into_bytes)
}
