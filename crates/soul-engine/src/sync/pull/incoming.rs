//! What is known of the remote during one integration.

use std::collections::{BTreeSet, HashMap};

use soul_core::digest::RawDigest;

use crate::sync::Error;
use crate::sync::item::ItemId;
use crate::sync::objects::{CommitInfo, Oid};
use crate::sync::repository::Repository;
use crate::sync::run::{Remote, RemoteText, Sync};

pub(super) struct Incoming<'r> {
    pub(super) repository: &'r Repository,
    pub(super) remote: &'r Remote,
    pub(super) tip: Oid,
    texts: HashMap<Oid, Vec<u8>>,
    authors: HashMap<String, CommitInfo>,
    latest: CommitInfo,
}

impl Incoming<'_> {
    /// The last commit that changed an item, as far as it was looked for.
    pub(super) fn info(&self, item: &ItemId) -> CommitInfo {
        self.authors.get(&item.path()).unwrap_or(&self.latest).clone()
    }

    pub(super) fn bytes(&self, text: &RemoteText) -> Result<Vec<u8>, Error> {
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
    pub(super) fn incoming<'r>(
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
    pub(super) fn theirs(
        &self,
        incoming: &Incoming<'_>,
        item: &ItemId,
    ) -> Result<Option<(RemoteText, RawDigest)>, Error> {
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
}
