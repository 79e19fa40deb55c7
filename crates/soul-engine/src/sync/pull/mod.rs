//! What the remote has comes here: new and changed texts, merges, renames; what cannot be decided becomes a conflict or a
//! proposal. Every step can be cut off: the next call finds the texts where they are and goes on from there.

mod carry_out;
mod incoming;
mod plan;

use std::collections::{BTreeMap, BTreeSet};

use soul_core::digest::RawDigest;

use super::Error;
use super::item::ItemId;
use super::local::Local;
use super::repository::Repository;
use super::result::{SyncResult, count};
use super::run::{Remote, Sync};
use super::state::{Base, Intent, Tracked};
use crate::store::EventKind;
use incoming::Incoming;
use plan::Plan;

impl Sync<'_> {
    /// Brings what the remote has here.
    pub(crate) fn pull(&mut self) -> Result<SyncResult, Error> {
        let result = self.pull_all();
        let is_change = result.as_ref().is_ok_and(SyncResult::is_change);
        self.end(EventKind::SyncPull, is_change, result)
    }

    fn pull_all(&mut self) -> Result<SyncResult, Error> {
        let repository = self.repository()?;
        let local = self.look()?;
        let known = self.state.known(&local);
        self.adopt(&local, known.into_iter())?;
        self.save()?;
        let remote = self.fetch(&repository)?;
        let mut result = SyncResult::new(self.keeper.now());
        let last = self.state.last_sync_commit.clone();
        result.rewritten = match (&last, &remote.tip) {
            (Some(last), Some(tip)) if last != tip => !repository.has(last)? || !repository.is_before(last, tip)?,
            _ => false,
        };
        self.integrate(&repository, &local, &remote, None, &mut result)?;
        self.note_refused(&remote, &mut result);
        self.state.rewritten = result.rewritten;
        self.state.last_sync_at = Some(result.timestamp);
        self.state.last_sync_commit = remote.tip.clone().or(last);
        result.commit = remote.tip.map(|tip| tip.to_string());
        result.message = match (result.conflicts.len(), result.is_change()) {
            (0, false) if result.errors.is_empty() => "already up to date".to_owned(),
            (0, false) => format!("{} could not be synced", count(result.errors.len(), "soul")),
            (0, true) => {
                let changed = result.synced.len() + result.modified.len() + result.removed.len() + result.renamed.len();
                format!("synced {}", count(changed, "soul"))
            }
            (conflicts, _) => format!("pulled with {}", count(conflicts, "conflict")),
        };
        Ok(result)
    }

    /// Decides about every item, or only some of them, and makes the changes here that follow from it.
    pub(super) fn integrate(
        &mut self,
        repository: &Repository,
        local: &Local,
        remote: &Remote,
        only: Option<&BTreeSet<ItemId>>,
        result: &mut SyncResult,
    ) -> Result<(), Error> {
        self.finish_merges(local);
        let mut names = self.state.known(local);
        names.extend(remote.items.keys().cloned());
        names.retain(|name| only.is_none_or(|only| only.contains(name)));
        let Some(tip) = remote.tip.clone() else { return Ok(()) };
        let incoming = self.incoming(repository, remote, tip, &names)?;
        let mut plans: BTreeMap<ItemId, Plan> = BTreeMap::new();
        let renames = if only.is_none() { self.renames(&incoming, local)? } else { BTreeMap::new() };
        let arriving: BTreeSet<ItemId> = renames.values().filter_map(Plan::destination).cloned().collect();
        plans.extend(renames);
        for item in &names {
            if !plans.contains_key(item)
                && !arriving.contains(item)
                && let Some(plan) = self.plan(&incoming, local, item, result)?
            {
                plans.insert(item.clone(), plan);
            }
        }
        self.announce(&incoming, &plans)?;
        let total = plans.len();
        for (item, plan) in plans {
            self.carry_out(&incoming, local, &item, plan, result)?;
            self.progress.advance("souls synced", 1, Some(total));
        }
        let in_conflict =
            |(id, item): (&ItemId, &Tracked)| (item.conflict.is_some() && names.contains(id)).then(|| id.clone());
        result.conflicts = self.state.items.iter().filter_map(in_conflict).collect();
        Ok(())
    }

    /// Ends merges that were cut off: if the merged text is in place, the remote's text is part of it.
    fn finish_merges(&mut self, local: &Local) {
        for (id, item) in &mut self.state.items {
            if let Some(Intent::Merge { result, base }) = &item.intent {
                if local.hash(id) == Some(*result) {
                    item.base = Some(base.clone());
                }
                item.intent = None;
            }
        }
    }

    /// Puts what is about to be written on record, so that a merge which is cut off is not merged again.
    fn announce(&mut self, incoming: &Incoming<'_>, plans: &BTreeMap<ItemId, Plan>) -> Result<(), Error> {
        let at = self.keeper.now();
        let mut is_any = false;
        for (item, plan) in plans {
            let (item, text, theirs, merged) = match plan {
                Plan::Merge { text, theirs, merged } => (item, text, theirs, merged),
                Plan::Rename { to, text, theirs, result } => (to, text, theirs, result),
                Plan::Take { .. } | Plan::Remove | Plan::Propose => continue,
            };
            let (blob, hash, commit) = (text.blob.clone(), RawDigest::of(theirs), incoming.tip.clone());
            let base = Base { blob, hash, commit, at };
            self.tracked(item).intent = Some(Intent::Merge { result: RawDigest::of(merged), base });
            is_any = true;
        }
        if is_any { self.save() } else { Ok(()) }
    }
}
