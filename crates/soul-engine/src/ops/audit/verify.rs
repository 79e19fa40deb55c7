//! Verify that the record is complete and unchanged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use crate::caller::Grant;
use crate::context::{Context, Progress};
use crate::ids::{RevisionId, SnapshotId};
use crate::ops::{Error, Hints, Operation, Verdict};
use crate::store::{self, Problem, Repair, Revision, Store, check_link};
use crate::workspace::SoulKey;

/// How many revisions are read at a time.
const PAGE: usize = 500;

/// Verify the record: that every revision is bound to the one before it, that snapshots, sessions, runs and tokens are
/// as they were written, and that nothing that the home has noted is missing.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Heads that an earlier run printed and that must still be in their chains: a chain shows that nothing in it
    /// was changed; only a head that was kept elsewhere shows that nothing was cut off its end.
    #[serde(default)]
    pub expect_heads: Vec<Digest>,
}

/// Whether the record is intact, and the head of each chain.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AuditReport")]
pub struct Response {
    /// Whether everything is as it was written.
    pub ok: bool,
    /// How many revisions were verified.
    pub revisions: usize,
    /// The first revision that is broken.
    pub first_broken: Option<RevisionId>,
    /// How many snapshots were verified.
    pub snapshots: usize,
    /// The first snapshot that is not as it was taken.
    pub broken_snapshot: Option<SnapshotId>,
    /// What is wrong first of all.
    pub problem: Option<String>,
    /// Rows of other tables that are not as they were written, or that refer to what is not there, and heads that the
    /// home has noted and the store does not have.
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// The last revision of each soul.
    pub heads: Vec<Head>,
    /// Expected heads that are in no chain.
    pub missing_heads: Vec<String>,
    /// Broken links that `audit.repair` accepted, and that are still as they were then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<Repaired>,
}

/// A broken link that was accepted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AcceptedLink")]
pub struct Repaired {
    /// The soul.
    #[serde(flatten)]
    pub key: SoulKey,
    /// The link.
    #[serde(flatten)]
    pub link: Repair,
}

/// The end of a chain.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChainHead")]
pub struct Head {
    /// The soul.
    #[serde(flatten)]
    pub key: SoulKey,
    /// The last revision.
    pub revision: RevisionId,
    /// Its number.
    pub seq: i64,
    /// The digest that binds it and all before it.
    pub chain: Digest,
}

impl Operation for Request {
    const NAME: &'static str = "audit.verify";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let expect_heads = self.expect_heads.iter().map(ToString::to_string).collect();
        let Some(store) = context.keeper.existing_store()? else {
            let missing_heads: Vec<String> = expect_heads;
            return Ok(Response { ok: missing_heads.is_empty(), missing_heads, ..Response::default() });
        };
        let mut response = examine(store, expect_heads, context.progress)?;
        let noted = context.keeper.mark()?.read_of(store)?;
        let missing = noted.as_ref().map(|noted| noted.missing_heads(store)).transpose();
        for head in match missing {
            Err(store::Error::Damaged(_)) if response.problem.is_some() => Vec::new(),
            missing => missing?.unwrap_or_default(),
        } {
            let problem = format!("revision {} was recorded, but is missing or was changed", head.seq);
            response.problems.push(Problem { table: "keeper.mark".to_owned(), id: head.key.to_string(), problem });
        }
        response.conclude();
        Ok(response)
    }

    fn verdict(response: &Response) -> Verdict {
        if response.ok { Verdict::Passed } else { Verdict::Failed }
    }
}

/// Verifies everything that a store can show by itself.
pub(in crate::ops) fn examine(
    store: &dyn Store,
    expect_heads: Vec<String>,
    progress: &dyn Progress,
) -> Result<Response, Error> {
    let mut response = Response { missing_heads: expect_heads, ..Response::default() };
    match store.souls() {
        Ok(souls) => {
            for key in souls {
                let of = key.to_string();
                match walk(store, key, &mut response, progress) {
                    // One record that cannot be read says nothing about the others.
                    Err(Error::Store(store::Error::Damaged(why))) => {
                        response.problem.get_or_insert(format!("{of}: {why}"));
                    }
                    walked => walked?,
                }
            }
        }
        // A record whose key is unreadable was not written by us.
        Err(store::Error::Damaged(why) | store::Error::Failed(why)) => response.problem = Some(why.to_string()),
        Err(error) => return Err(error.into()),
    }
    snapshots(store, &mut response, progress)?;
    response.problems = store.problems()?;
    response.conclude();
    Ok(response)
}

impl Response {
    /// Sums up what was found.
    fn conclude(&mut self) {
        if let (None, Some(Problem { table, id, problem })) = (&self.problem, self.problems.first()) {
            self.problem = Some(format!("{table} {id}: {problem}"));
        }
        self.ok = self.problem.is_none() && self.missing_heads.is_empty();
    }
}

/// What sessions are bound to must be what was taken.
fn snapshots(store: &dyn Store, response: &mut Response, progress: &dyn Progress) -> Result<(), Error> {
    let mut after = None;
    loop {
        let page = store.snapshot_ids(after.as_ref(), PAGE)?;
        for id in &page {
            progress.check_awaited()?;
            response.snapshots += 1;
            match store.snapshot(id) {
                Ok(_) => {}
                Err(store::Error::Damaged(why)) => {
                    response.broken_snapshot.get_or_insert_with(|| id.clone());
                    response.problem.get_or_insert(why.to_string());
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

fn walk(store: &dyn Store, key: SoulKey, response: &mut Response, progress: &dyn Progress) -> Result<(), Error> {
    let mut last: Option<Revision> = None;
    // The record of a forked workspace begins with that of another, whose own walk counts and lists what is in it.
    let mut forked = store.forked_from(&key)?.map(|(_, link)| link);
    let (mut scope, mut repairs) = (key.scope.clone(), store.repairs(&key)?);
    loop {
        let after = last.as_ref().map_or(i64::MIN, |revision| revision.sealed.seq);
        progress.check_awaited()?;
        let page = store.chain(&key, after, PAGE)?;
        let is_last = page.is_empty();
        for revision in page {
            let revision = match revision {
                Ok(revision) => revision,
                Err(broken) => {
                    response.revisions += 1;
                    response.break_at(&key, broken.0.into(), "it has an invalid value");
                    return Ok(());
                }
            };
            if revision.sealed.scope != scope {
                scope.clone_from(&revision.sealed.scope);
                repairs = store.repairs(&revision.sealed.key())?;
            }
            let is_own = scope == key.scope;
            if is_own && forked.take().is_some_and(|link| last.as_ref().map(Revision::link) != Some(link)) {
                response.break_at(&key, revision.sealed.id.clone(), OTHER_PARENT);
            }
            match check_link(&revision, last.as_ref(), &repairs) {
                Ok(Some(link)) if is_own => {
                    response.repaired.push(Repaired { key: key.clone(), link: link.clone() });
                }
                Ok(_) => {}
                Err(problem) => response.break_at(&key, revision.sealed.id.clone(), problem.message()),
            }
            if is_own {
                progress.advance("revisions checked", 1, None);
                response.revisions += 1;
            }
            response.missing_heads.retain(|head| *head != revision.chain.to_string());
            last = Some(Revision { body: None, ..revision });
        }
        if is_last {
            break;
        }
    }
    if forked.is_some_and(|link| last.as_ref().map(Revision::link) != Some(link)) {
        let id = last.as_ref().map(|last| last.sealed.id.clone()).unwrap_or_else(|| String::new().into());
        response.break_at(&key, id, OTHER_PARENT);
    }
    response.heads.extend(last.map(|last| Head {
        key,
        revision: last.sealed.id,
        seq: last.sealed.seq,
        chain: last.chain,
    }));
    Ok(())
}

const OTHER_PARENT: &str = "the record that it continues has changed since the fork";

impl Response {
    /// Keeps the first problem.
    fn break_at(&mut self, key: &SoulKey, id: RevisionId, problem: &str) {
        if self.first_broken.is_none() {
            self.first_broken = Some(id);
            self.problem = Some(format!("{key}: {problem}"));
        }
    }
}
