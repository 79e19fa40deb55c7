//! The changes here that were planned, one item after the other. Each can be cut off.

use std::collections::{BTreeSet, HashMap};

use soul_core::digest::RawDigest;

use super::incoming::Incoming;
use super::plan::Plan;
use crate::authoring;
use crate::proposals;
use crate::sync::Error;
use crate::sync::item::ItemId;
use crate::sync::local::Local;
use crate::sync::result::{Renamed, SyncResult};
use crate::sync::run::{Refused, Remote, RemoteText, Sync, is_unfit, refusal};
use crate::sync::state;
use crate::sync::status::{ConflictReason, Refusal};

/// The most refused paths that are remembered.
const MOST_REFUSED: usize = 1000;

impl Sync<'_> {
    pub(super) fn carry_out(
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
                                result.note(item, &error);
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
                            result.note(item, &error);
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
                    result.note(item, &Error::Moved(item.clone()));
                    return Ok(false);
                }
                Err(error) => match refusal(&error) {
                    Some(Refused::Text(reason)) => reason,
                    Some(Refused::Place(why)) => {
                        self.tracked(item).intent = None;
                        result.note(item, &Error::Blocked(item.clone(), why));
                        return Ok(false);
                    }
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
            self.state.refused.insert(item.path(), state::Refused { blob: text.blob.clone(), reason: reason.clone() });
        }
        result.refused.push(Refusal { path: item.path(), reason });
        Ok(false)
    }

    /// Remembers what of the remote is not taken, and says so.
    pub(super) fn note_refused(&mut self, remote: &Remote, result: &mut SyncResult) {
        let texts: HashMap<String, &RemoteText> = remote.items.iter().map(|(item, text)| (item.path(), text)).collect();
        self.state.refused.retain(|path, refused| texts.get(path).is_some_and(|text| text.blob == refused.blob));
        for (path, (blob, reason)) in remote.refused.iter().take(MOST_REFUSED) {
            let refused = state::Refused { blob: blob.clone(), reason: (*reason).to_owned() };
            self.state.refused.insert(path.clone(), refused);
        }
        let shown = |(path, refused): (&String, &state::Refused)| Refusal {
            path: soul_core::text::visible(path),
            reason: refused.reason.clone(),
        };
        let known: BTreeSet<String> = result.refused.iter().map(|refused| refused.path.clone()).collect();
        let rest = self.state.refused.iter().map(shown).filter(|refused| !known.contains(&refused.path));
        result.refused.extend(rest);
    }
}
