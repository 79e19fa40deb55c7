//! What the remote has comes here: new and changed texts, merges, renames; what cannot be decided becomes a conflict or a
//! proposal. Every step can be cut off: the next call finds the texts where they are and goes on from there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use soul_core::digest::RawDigest;
use soul_core::merge::merge;

use super::Error;
use super::decide::{Decision, decide};
use super::item::ItemId;
use super::local::Local;
use super::repository::{CommitInfo, Oid, Repository};
use super::result::{ItemError, Renamed, SyncResult, count};
use super::run::{Remote, RemoteText, Sync, is_unfit, refusal};
use super::state::{Base, Intent, Refused};
use super::status::{ConflictReason, ItemStatus, Refusal};
use crate::authoring;
use crate::proposals;
use crate::store::{EventKind, ProposalState};

/// The most refused paths that are remembered.
const MOST_REFUSED: usize = 1000;

/// A change that is made here.
enum Plan {
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

/// What is known of the remote during one integration.
struct Incoming<'r> {
    repository: &'r Repository,
    remote: &'r Remote,
    tip: Oid,
    texts: HashMap<Oid, Vec<u8>>,
    authors: HashMap<String, CommitInfo>,
    latest: CommitInfo,
}

impl Incoming<'_> {
    fn info(&self, item: &ItemId) -> CommitInfo {
        self.authors.get(&item.path()).unwrap_or(&self.latest).clone()
    }

    fn bytes(&self, text: &RemoteText) -> Result<Vec<u8>, Error> {
        match self.texts.get(&text.blob) {
            Some(bytes) => Ok(bytes.clone()),
            None => {
                let mut found = self.repository.blobs(std::slice::from_ref(&text.blob))?;
                found.remove(&text.blob).ok_or_else(|| Error::Damaged(format!("the object {} is missing", text.blob)))
            }
        }
    }
}

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
            (0, false) => "already up to date".to_owned(),
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
        let in_conflict = |(id, item): (&ItemId, &super::state::Tracked)| {
            (item.conflict.is_some() && names.contains(id)).then(|| id.clone())
        };
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

    fn incoming<'r>(
        &self,
        repository: &'r Repository,
        remote: &'r Remote,
        tip: Oid,
        names: &BTreeSet<ItemId>,
    ) -> Result<Incoming<'r>, Error> {
        let is_unknown = |(item, text): &(&ItemId, &RemoteText)| {
            let tracked = self.state.items.get(*item);
            let is_base = tracked.and_then(|item| item.base.as_ref()).is_some_and(|base| base.blob == text.blob);
            let theirs = tracked.and_then(|item| item.conflict.as_ref()?.theirs.as_ref());
            let is_refused = self.state.refused.get(&item.path()).is_some_and(|refused| refused.blob == text.blob);
            names.contains(*item) && !is_base && !is_refused && theirs.is_none_or(|theirs| theirs.blob != text.blob)
        };
        let wanted: Vec<&RemoteText> = remote.items.iter().filter(is_unknown).map(|(_, text)| text).collect();
        let texts = self.texts(repository, wanted.into_iter())?;
        let since = match &self.state.last_sync_commit {
            Some(last) if *last != tip && repository.has(last)? && repository.is_before(last, &tip)? => Some(last),
            _ => None,
        };
        let is_new = self.state.last_sync_commit.as_ref() != Some(&tip);
        let authors = if is_new { repository.authors(since, &tip)? } else { HashMap::new() };
        let latest = repository.about(&tip, None)?;
        Ok(Incoming { repository, remote, tip, texts, authors, latest })
    }

    /// The digest of the remote's text of an item, and the text if it had to be read.
    fn theirs(&self, incoming: &Incoming<'_>, item: &ItemId) -> Result<Option<(RemoteText, RawDigest)>, Error> {
        let Some(text) = incoming.remote.items.get(item) else { return Ok(None) };
        let tracked = self.state.items.get(item);
        let known = tracked.and_then(|item| item.base.as_ref()).filter(|base| base.blob == text.blob);
        let theirs = tracked.and_then(|item| item.conflict.as_ref()?.theirs.as_ref());
        let theirs = theirs.filter(|theirs| theirs.blob == text.blob);
        let hash = match (known, theirs, incoming.texts.get(&text.blob)) {
            (Some(base), ..) => base.hash,
            (None, Some(theirs), _) => theirs.hash,
            (None, None, Some(bytes)) => RawDigest::of(bytes),
            (None, None, None) => RawDigest::of(&incoming.bytes(text)?),
        };
        Ok(Some((text.clone(), hash)))
    }

    /// Decides about one item. What needs no change of a text is done at once.
    fn plan(
        &mut self,
        incoming: &Incoming<'_>,
        local: &Local,
        item: &ItemId,
        result: &mut SyncResult,
    ) -> Result<Option<Plan>, Error> {
        let remote_text = incoming.remote.items.get(item);
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
                    Some(base) => self.base_text(incoming.repository, item, base)?,
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

    fn is_rejected(&self, proposal: Option<&crate::ids::ProposalId>) -> Result<bool, Error> {
        let Some(id) = proposal else { return Ok(false) };
        let found = self.keeper.store()?.proposal(id)?;
        Ok(found.is_some_and(|(proposal, _)| proposal.state == ProposalState::Rejected))
    }

    /// Items that the remote has under another name now.
    fn renames(&self, incoming: &Incoming<'_>, local: &Local) -> Result<BTreeMap<ItemId, Plan>, Error> {
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
            let is_free = local.hash(to).is_none() && self.state.items.get(to).is_none_or(|item| item.base.is_none());
            let Some(ours) = local.hash(from).filter(|_| is_free) else { continue };
            if self.is_in_use(from)? {
                continue;
            }
            let theirs = incoming.bytes(text)?;
            let common = self.base_text(incoming.repository, from, base)?;
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

    fn carry_out(
        &mut self,
        incoming: &Incoming<'_>,
        local: &Local,
        item: &ItemId,
        plan: Plan,
        result: &mut SyncResult,
    ) -> Result<(), Error> {
        let (info, ours) = (incoming.info(item), local.hash(item));
        match plan {
            Plan::Take { text, bytes } => {
                let hash = RawDigest::of(&bytes);
                if self.arrive(incoming, item, &text, &bytes, bytes.clone(), ours, result)? {
                    self.agree(item, text.blob, hash, incoming.tip.clone());
                    result.synced.push(item.clone());
                }
            }
            Plan::Merge { text, theirs, merged } => {
                let (hash, is_theirs) = (RawDigest::of(&theirs), theirs == merged);
                if self.arrive(incoming, item, &text, &theirs, merged, ours, result)? {
                    self.agree(item, text.blob, hash, incoming.tip.clone());
                    if is_theirs { result.synced.push(item.clone()) } else { result.modified.push(item.clone()) }
                }
            }
            Plan::Rename { to, text, theirs, result: renamed } => {
                let hash = RawDigest::of(&theirs);
                if self.arrive(incoming, &to, &text, &theirs, renamed, None, result)? {
                    self.agree(&to, text.blob, hash, incoming.tip.clone());
                    if let Some(ours) = ours {
                        let author = self.sync_author(&info);
                        match self.remove(item, ours, author, &format!("renamed to {to}"), None) {
                            Ok(()) => {}
                            Err(error @ Error::Moved(_)) => {
                                note(result, item, &error);
                                return Ok(());
                            }
                            Err(error) => return Err(error),
                        }
                    }
                    self.state.items.remove(item);
                    result.renamed.push(Renamed { from: item.clone(), to });
                }
            }
            Plan::Remove => {
                if let Some(ours) = ours {
                    let author = self.author.clone();
                    match self.remove(item, ours, author, "deleted on both sides", None) {
                        Ok(()) => {}
                        Err(error @ Error::Moved(_)) => {
                            note(result, item, &error);
                            return Ok(());
                        }
                        Err(error) => return Err(error),
                    }
                }
                self.state.items.remove(item);
                result.removed.push(item.clone());
            }
            Plan::Propose => {
                let Some(subject) = self.subject(item)? else { return Ok(()) };
                let info = incoming.repository.about(&incoming.tip, Some(&item.path()))?;
                let line = info.message.lines().next().unwrap_or_default();
                let reason = format!("the remote deleted it in {}: {line}", info.commit.short());
                let author = self.sync_author(&info);
                let proposal = proposals::propose_deletion(&self.keeper, &*subject, &reason, &author)?;
                result.proposals.push(proposal.clone());
                self.conflict(item, ConflictReason::DeletedThere, None, None, &info, Some(proposal))?;
            }
        }
        Ok(())
    }

    /// Writes a text that arrives. False if it was not written: it is refused, or the file was changed meanwhile.
    #[allow(clippy::too_many_arguments)]
    fn arrive(
        &mut self,
        incoming: &Incoming<'_>,
        item: &ItemId,
        text: &RemoteText,
        theirs: &[u8],
        bytes: Vec<u8>,
        ours: Option<RawDigest>,
        result: &mut SyncResult,
    ) -> Result<bool, Error> {
        let info = incoming.info(item);
        let line = info.message.lines().next().unwrap_or_default();
        let message = format!("{line} ({}, {})", info.author, info.commit.short());
        let reason = match is_unfit(&bytes) {
            Some(reason) => reason.to_owned(),
            None => match self.put(item, bytes, ours, self.sync_author(&info), &message, None) {
                Ok(_) => {
                    self.state.refused.remove(&item.path());
                    return Ok(true);
                }
                Err(authoring::Error::Conflict { .. }) => {
                    note(result, item, &Error::Moved(item.clone()));
                    return Ok(false);
                }
                Err(error) => match refusal(&error) {
                    Some(reason) => reason,
                    None => return Err(error.into()),
                },
            },
        };
        self.tracked(item).intent = None;
        let is_known = ours.is_some() || self.state.items.get(item).is_some_and(|item| item.base.is_some());
        if is_known {
            let theirs = Some((&text.blob, theirs));
            self.conflict(item, ConflictReason::Refused, Some(reason.clone()), theirs, &info, None)?;
        } else {
            self.state.items.remove(item);
            self.state.refused.insert(item.path(), Refused { blob: text.blob.clone(), reason: reason.clone() });
        }
        result.refused.push(Refusal { path: item.path(), reason });
        Ok(false)
    }

    /// Remembers what of the remote is not taken, and says so.
    fn note_refused(&mut self, remote: &Remote, result: &mut SyncResult) {
        let texts: HashMap<String, &RemoteText> = remote.items.iter().map(|(item, text)| (item.path(), text)).collect();
        self.state.refused.retain(|path, refused| texts.get(path).is_some_and(|text| text.blob == refused.blob));
        for (path, (blob, reason)) in remote.refused.iter().take(MOST_REFUSED) {
            let refused = Refused { blob: blob.clone(), reason: (*reason).to_owned() };
            self.state.refused.insert(path.clone(), refused);
        }
        let shown = |(path, refused): (&String, &Refused)| Refusal {
            path: soul_core::text::visible(path),
            reason: refused.reason.clone(),
        };
        let known: BTreeSet<String> = result.refused.iter().map(|refused| refused.path.clone()).collect();
        let rest = self.state.refused.iter().map(shown).filter(|refused| !known.contains(&refused.path));
        result.refused.extend(rest);
    }
}

impl Plan {
    const fn destination(&self) -> Option<&ItemId> {
        match self {
            Self::Rename { to, .. } => Some(to),
            _ => None,
        }
    }
}

fn note(result: &mut SyncResult, item: &ItemId, error: &Error) {
    result.errors.push(ItemError { item_id: item.clone(), message: error.to_string() });
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
pub(super) fn is_renamed(local: &Local, base: Option<&Base>) -> bool {
    base.is_some_and(|base| local.texts.values().any(|text| text.hash == base.hash))
}

/// The changes of both sides in one text; none if they cannot be told apart.
pub(super) fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [Ok(base), Ok(ours), Ok(theirs)] = [base, ours, theirs].map(std::str::from_utf8) else { return None };
    merge(base, ours, theirs).text().map(String::into_bytes)
}

impl ItemStatus {
    /// Whether there is something to publish.
    pub(super) const fn is_pending(self) -> bool {
        matches!(self, Self::Modified | Self::Untracked)
    }
}
