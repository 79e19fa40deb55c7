//! Repair what earlier versions left in the record.

use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::{Author, Grant};
use crate::clock::Time;
use crate::context::Context;
use crate::files::PATIENCE;
use crate::ids::RevisionId;
use crate::ops::{Error, Hints, Operation, Verdict};
use crate::store::{self, LinkProblem, NewRepair, Repair, Revision, Store, check_link};
use crate::workspace::SoulKey;

/// How many revisions are read at a time.
const PAGE: usize = 500;

/// Explain and repair what earlier versions left in the record: revisions that two copies of a workspace wrote at the
/// same time, and changes that were interrupted between them. Nothing is deleted; each repair is recorded, and
/// `audit.verify` lists it from then on. What was changed after it was recorded is reported and never repaired.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only show what is wrong and what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// What is wrong with the record, and what was done about it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AuditRepair")]
pub struct Response {
    /// Whether nothing is wrong that could not be repaired.
    pub ok: bool,
    /// Whether nothing was changed because only a plan was asked for.
    pub dry_run: bool,
    /// What was repaired, or would be.
    pub repaired: Vec<Item>,
    /// What cannot be repaired.
    pub unrepairable: Vec<Item>,
}

/// A revision that has something wrong with it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AuditRepairItem")]
pub struct Item {
    /// The soul.
    #[serde(flatten)]
    pub key: SoulKey,
    /// The revision.
    pub revision: RevisionId,
    /// Its number, if it can be read.
    pub seq: Option<i64>,
    /// What is wrong, and how it came about if that is known.
    pub problem: String,
    /// What was done about it, or would be, or should be.
    pub action: String,
}

impl Operation for Request {
    const NAME: &'static str = "audit.repair";
    const HINTS: Hints = Hints::ADD.slow().idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let mut response = Response { ok: true, dry_run: self.dry_run, repaired: Vec::new(), unrepairable: Vec::new() };
        let Some(store) = context.keeper.existing_store()? else { return Ok(response) };
        let author = context.author(Self::NAME);
        for key in store.souls()? {
            let until = Instant::now() + PATIENCE;
            // Nobody changes the record between what is found and what is done.
            let lock = if self.dry_run { None } else { Some(store.lock_soul(&key, Some(until))?) };
            if matches!(lock, Some(None)) {
                return Err(store::Error::Busy.into());
            }
            let plan = Plan::of(store, &key, &author, context.keeper.now())?;
            if !self.dry_run && !plan.repair.is_empty() {
                store.repair(&plan.repair)?;
            }
            response.repaired.extend(plan.repaired);
            response.unrepairable.extend(plan.unrepairable);
        }
        response.ok = response.unrepairable.is_empty();
        Ok(response)
    }

    fn verdict(response: &Response) -> Verdict {
        if response.ok { Verdict::Passed } else { Verdict::Failed }
    }
}

/// What is wrong with the record of a soul, and what can be done.
struct Plan {
    repaired: Vec<Item>,
    unrepairable: Vec<Item>,
    repair: NewRepair,
}

impl Plan {
    fn of(store: &dyn Store, key: &SoulKey, author: &Author, now: Time) -> Result<Self, Error> {
        let Author { actor, origin } = author.clone();
        let repair = NewRepair { key: key.clone(), links: Vec::new(), stuck: Vec::new(), actor, origin, now };
        let mut plan = Self { repaired: Vec::new(), unrepairable: Vec::new(), repair };
        let mut stuck = store.tail(key)?.stuck.into_iter().peekable();
        let (repairs, dropped) = (store.repairs(key)?, store.dropped_revisions(key)?);
        let mut seen: Vec<Revision> = Vec::new();
        loop {
            let after = seen.iter().rev().map(|revision| revision.sealed.seq).next().unwrap_or(i64::MIN);
            let page = store.chain(key, after, PAGE)?;
            // A page may end early: it is bounded in bytes too.
            let is_last = page.is_empty();
            for row in page {
                let Ok(row) = row.map_err(|broken| plan.refuse(broken.0.into(), None, "a value was never written"))
                else {
                    return Ok(plan);
                };
                while let Some(earlier) = stuck.next_if(|stuck| stuck.sealed.seq < row.sealed.seq) {
                    plan.settle(&earlier);
                    plan.check(&earlier, &seen, &repairs, &dropped, now);
                    seen.push(Revision { body: None, ..earlier });
                }
                // What the soul inherited is repaired where it was recorded.
                if row.sealed.scope == key.scope {
                    plan.check(&row, &seen, &repairs, &dropped, now);
                }
                seen.push(Revision { body: None, ..row });
            }
            if is_last {
                return Ok(plan);
            }
        }
    }

    fn item(&self, revision: RevisionId, seq: Option<i64>, problem: &str, action: &str) -> Item {
        let (problem, action) = (problem.to_owned(), action.to_owned());
        Item { key: self.repair.key.clone(), revision, seq, problem, action }
    }

    fn refuse(&mut self, revision: RevisionId, seq: Option<i64>, problem: &str) {
        let action = "it was changed after it was recorded; compare the store with a backup";
        self.unrepairable.push(self.item(revision, seq, problem, action));
    }

    fn settle(&mut self, revision: &Revision) {
        let problem = "the change was interrupted, and others were recorded after it";
        let action = "keep it on record as done, with its text";
        self.repaired.push(self.item(revision.sealed.id.clone(), Some(revision.sealed.seq), problem, action));
        self.repair.stuck.push(revision.clone());
    }

    fn check(&mut self, revision: &Revision, seen: &[Revision], repairs: &[Repair], dropped: &[RevisionId], now: Time) {
        let last = seen.last();
        let Err(problem) = check_link(revision, last, repairs) else { return };
        let (id, seq) = (revision.sealed.id.clone(), Some(revision.sealed.seq));
        let explained = match problem {
            // What was accepted before was changed since.
            _ if repairs.iter().any(|repair| repair.revision == id) => None,
            LinkProblem::Forked => Some(forked(revision, seen)),
            LinkProblem::Missing => was_dropped(revision, last, dropped),
            LinkProblem::Changed | LinkProblem::Text => None,
        };
        let Some(explained) = explained else { return self.refuse(id, seq, problem.message()) };
        let action = "accept the link as it is, and list it in `soul audit verify`";
        self.repaired.push(self.item(id.clone(), seq, &explained, action));
        let previous_chain = last.map(|last| last.chain);
        self.repair.links.push(Repair {
            revision: id,
            seq: revision.sealed.seq,
            problem,
            previous_chain,
            chain: revision.chain,
            content: revision.sealed.chain(previous_chain),
            actor: self.repair.actor.clone(),
            origin: self.repair.origin.clone(),
            created_at: now,
        });
    }
}

/// How a revision came to follow from an earlier one than the one before it. Its chain is intact, so that is how it
/// was written.
fn forked(revision: &Revision, seen: &[Revision]) -> String {
    let previous = revision.sealed.previous_digest;
    let over = seen.iter().rev().find(|earlier| earlier.sealed.new_digest == previous);
    let before = seen.last().map_or(0, |last| last.sealed.seq);
    match over {
        Some(over) => format!(
            "two directories with one record wrote at the same time: it was written over revision {}, not {before}",
            over.sealed.seq
        ),
        None => format!("it was written without having seen revision {before}"),
    }
}

/// How revisions before one came to be missing, if there is a sign that we dropped them ourselves.
fn was_dropped(revision: &Revision, last: Option<&Revision>, dropped: &[RevisionId]) -> Option<String> {
    // The first part of an id is its time.
    let time = |id: &RevisionId| id.as_str().get(..14).map(str::to_owned);
    let (from, to) = (last.and_then(|last| time(&last.sealed.id)), time(&revision.sealed.id));
    let between = dropped.iter().filter(|id| time(id) >= from && time(id) <= to).count();
    let missing = revision.sealed.seq - last.map_or(0, |last| last.sealed.seq) - 1;
    (missing > 0 && usize::try_from(missing).is_ok_and(|missing| missing <= between)).then(|| {
        "two directories with one record wrote at the same time: the change that it was chained onto was dropped, \
         because its text never came into place"
            .to_owned()
    })
}
