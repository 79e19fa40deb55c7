//! Whether the record is whole: every revision bound to the one before it.

use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};

use super::{Error, Grant};
use crate::Keeper;
use crate::ids::{RevisionId, SnapshotId};
use crate::store::{self, Revision, Store};
use crate::workspace::SoulKey;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// How many revisions are held at a time.
const PAGE: usize = 500;

/// Which heads must still be there.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {
    /// Chains that were heads once. A chain shows that nothing in it was changed; only a head that
    /// was kept elsewhere shows that nothing was cut off its end.
    pub expect_heads: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// Whether everything is as it was written.
    pub ok: bool,
    /// How many revisions were looked at.
    pub revisions: usize,
    /// The first revision that does not hold, by id.
    pub first_broken: Option<RevisionId>,
    /// How many snapshots were looked at.
    pub snapshots: usize,
    /// The first snapshot that is not what was taken, by id.
    pub broken_snapshot: Option<SnapshotId>,
    /// What is wrong.
    pub problem: Option<String>,
    /// The last revision of each soul.
    pub heads: Vec<Head>,
    /// Expected heads that are nowhere.
    pub missing_heads: Vec<String>,
}

/// The end of a chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Head {
    /// Whose.
    #[serde(flatten)]
    pub key: SoulKey,
    /// The last revision.
    pub revision: RevisionId,
    /// Its number.
    pub seq: i64,
    /// What binds it and all before it.
    pub chain: Digest,
}

/// Walks every chain; `progress` hears of each revision.
///
/// # Errors
/// When the store does not answer.
pub fn run(keeper: &Keeper, request: Request, progress: &dyn Fn()) -> Result<Response, Error> {
    let mut response = Response {
        ok: true,
        revisions: 0,
        first_broken: None,
        snapshots: 0,
        broken_snapshot: None,
        problem: None,
        heads: Vec::new(),
        missing_heads: request.expect_heads,
    };
    if let Some(store) = keeper.existing_store()? {
        match store.souls() {
            Ok(souls) => souls.into_iter().try_for_each(|key| walk(store, key, &mut response, progress))?,
            // A record whose owner is unreadable was not written by us.
            Err(store::Error::Damaged(why) | store::Error::Failed(why)) => response.problem = Some(why),
            Err(error) => return Err(error.into()),
        }
        snapshots(store, &mut response)?;
    }
    response.ok = response.problem.is_none() && response.missing_heads.is_empty();
    Ok(response)
}

/// What sessions are bound to must be what was taken.
fn snapshots(store: &dyn Store, response: &mut Response) -> Result<(), Error> {
    let mut after = None;
    loop {
        let page = store.snapshot_ids(after.as_ref(), PAGE)?;
        for id in &page {
            response.snapshots += 1;
            match store.snapshot(id) {
                Ok(_) => {}
                Err(store::Error::Damaged(why)) => {
                    response.broken_snapshot.get_or_insert_with(|| id.clone());
                    response.problem.get_or_insert(why);
                }
                Err(error) => return Err(error.into()),
            }
        }
        after = page.last().cloned();
        if page.len() < PAGE {
            return Ok(());
        }
    }
}

fn walk(store: &dyn Store, key: SoulKey, response: &mut Response, progress: &dyn Fn()) -> Result<(), Error> {
    let mut last: Option<Revision> = None;
    loop {
        let after = last.as_ref().map_or(i64::MIN, |revision| revision.sealed.seq);
        let page = store.chain(&key, after, PAGE)?;
        let full = page.len() == PAGE;
        for revision in page {
            progress();
            response.revisions += 1;
            let (id, problem) = match &revision {
                Ok(revision) => (revision.sealed.id.clone(), problem(revision, last.as_ref())),
                Err(broken) => (broken.0.clone().into(), Some("a value is not one that was ever written")),
            };
            if let (Some(problem), None) = (problem, &response.first_broken) {
                response.first_broken = Some(id);
                response.problem = Some(format!("{key}: {problem}"));
            }
            let Ok(mut revision) = revision else { return Ok(()) };
            response.missing_heads.retain(|head| *head != revision.chain.to_string());
            revision.body = None;
            last = Some(revision);
        }
        if !full {
            break;
        }
    }
    response.heads.extend(last.map(|last| Head {
        key,
        revision: last.sealed.id,
        seq: last.sealed.seq,
        chain: last.chain,
    }));
    Ok(())
}

/// What is wrong with a revision, given the one before it.
fn problem(revision: &Revision, last: Option<&Revision>) -> Option<&'static str> {
    let expected = last.map_or(0, |last| last.sealed.seq) + 1;
    if revision.sealed.seq != expected {
        return Some("a revision before this one is missing");
    }
    if revision.sealed.chain(last.map(|last| last.chain)) != revision.chain {
        return Some("it, or one before it, is not what was recorded");
    }
    if revision.body.as_deref().map(RawDigest::of) != revision.sealed.raw_digest {
        return Some("its text is not the one that was recorded");
    }
    let before = last.and_then(|last| last.sealed.new_digest);
    (revision.sealed.previous_digest != before).then_some("it does not follow from the one before it")
}
