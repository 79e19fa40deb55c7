//! Options that commands which change a soul have in common, and what happens at a terminal when someone else was
//! faster.

use std::process::ExitCode;

use soul_core::digest::RawDigest;
use soul_engine::fault::Kind;
use soul_engine::fields::{ExpectedDigest, IdempotencyKey, Limit, NonBlank, Unusable};
use soul_engine::ids::RevisionId;
use soul_engine::ops::{Operation, diff, history};
use soul_engine::store::Message;
use soul_engine::workspace::AgentName;

use super::{Global, ask, input};
use crate::output::{self, Failure, record};

/// What the change replaces, a key to make it once, and why it is made.
#[derive(clap::Args)]
pub(super) struct Change {
    /// Digest of the soul as you have seen it, canonical or raw, or its first six characters or more; required if
    /// there is one
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
    /// Refuse if anything was changed since this revision; may stand for the digest
    #[arg(long, value_name = "REVISION")]
    expected_revision: Option<String>,
    /// Make this change once, however often it is requested with this key
    #[arg(long, value_name = "KEY", value_parser = idempotency_key)]
    idempotency_key: Option<String>,
    /// Record why the change is made, in at most 1024 bytes
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
}

/// The same, as requests have it.
pub(super) struct Conditions {
    pub(super) expected_digest: Option<ExpectedDigest>,
    pub(super) expected_revision: Option<RevisionId>,
    pub(super) idempotency_key: Option<IdempotencyKey>,
    pub(super) message: Option<Message>,
}

/// What the change of a library soul replaces.
#[derive(clap::Args)]
pub(super) struct Seen {
    /// Digest of the soul as you have seen it, canonical or raw; refuses to change any other
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
}

/// Why to write what the scanner refuses.
#[derive(clap::Args)]
pub(super) struct Force {
    /// Write the text even if the scanner refuses it, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

/// Whether to ask.
#[derive(clap::Args)]
pub(super) struct Yes {
    /// Do not ask at a terminal
    #[arg(short, long)]
    pub(super) yes: bool,
}

/// A key that is too long must not be taken for none: the change would be made twice.
fn idempotency_key(typed: &str) -> Result<String, Unusable> {
    match IdempotencyKey::try_from(typed.to_owned()) {
        Err(error @ Unusable::TooLong(_)) => Err(error),
        _ => Ok(typed.to_owned()),
    }
}

impl Change {
    /// Whether a guard was given that guards nothing, such as a variable of the shell that is not set.
    pub(super) fn has_blank_guard(&self) -> bool {
        [&self.expected_digest, &self.expected_revision].into_iter().flatten().any(|typed| typed.trim().is_empty())
    }

    pub(super) fn conditions(self) -> Conditions {
        let expected_revision = self.expected_revision.filter(|typed| !typed.trim().is_empty());
        Conditions {
            expected_digest: input::digest(self.expected_digest),
            expected_revision: expected_revision.map(Into::into),
            idempotency_key: input::non_blank(self.idempotency_key),
            message: self.message,
        }
    }
}

impl Seen {
    pub(super) fn digest(self) -> Option<ExpectedDigest> {
        input::digest(self.expected_digest)
    }
}

impl Force {
    pub(super) fn reason(self) -> Option<NonBlank> {
        input::non_blank(self.force)
    }
}

/// A request that changes an agent's soul.
pub(super) trait ChangeRequest: Operation + Clone {
    /// What is asked before it is made.
    const QUESTION: &'static str;
    fn guards(&mut self) -> Guards<'_>;
    /// What it would change now, if it does not bring its text.
    fn difference(&self, _: &Global) -> Result<Option<diff::Response>, Failure> {
        Ok(None)
    }
    /// The text that it writes, if it brings one.
    fn text(&self) -> Option<&[u8]> {
        None
    }
}

/// Whose soul a request changes, and what the caller has seen of it.
pub(super) struct Guards<'a> {
    pub(super) agent: &'a AgentName,
    pub(super) expected_digest: &'a mut Option<ExpectedDigest>,
    pub(super) expected_revision: &'a mut Option<RevisionId>,
}

impl Guards<'_> {
    /// Expects this digest, whatever was expected before.
    pub(super) fn set(self, digest: Option<ExpectedDigest>) {
        (*self.expected_digest, *self.expected_revision) = (digest, None);
    }

    /// Expects what was shown, if nothing else is expected.
    pub(super) fn set_default(self, shown: Option<RawDigest>) {
        if self.expected_digest.is_none() && self.expected_revision.is_none() {
            self.set(shown.map(Into::into));
        }
    }
}

/// How often another change may come first before a person is no longer asked.
const ROUNDS: usize = 5;

/// Has a change made and prints the response. At a terminal, a digest that is missing or stale is answered by showing
/// who changed what, and asking.
pub(super) fn make<O: ChangeRequest>(
    global: &Global,
    mut request: O,
    render: impl Fn(&O::Response) -> String,
) -> Result<ExitCode, Failure> {
    for _ in 0..ROUNDS {
        let failure = match global.ask(request.clone()) {
            Ok(response) => return global.show::<O>(response, render),
            Err(failure) => failure,
        };
        if !is_unseen(&failure) || !ask::is_possible(global) {
            return Err(failure);
        }
        let Some(Shown { digest, is_same }) = shown(global, &mut request)? else { return Err(failure) };
        if is_same {
            request.guards().set(Some(digest));
            continue;
        }
        if let Some(diff) = request.difference(global)? {
            output::note(&record::difference(&output::visible_response(diff)))?;
        }
        if !ask::confirm(O::QUESTION) {
            return Err(Failure::new(Kind::Conflict, "soul_conflict", "nothing was changed"));
        }
        request.guards().set(Some(digest));
    }
    global.answer(request, render)
}

/// Whether a change was refused because of what is there now.
fn is_unseen(failure: &Failure) -> bool {
    let report = failure.report();
    report.code == "soul_conflict" && matches!(report.current_digest, Some(Some(_)))
}

/// What was shown.
struct Shown {
    digest: ExpectedDigest,
    /// Whether the request would write what is there already.
    is_same: bool,
}

/// Shows what the soul is now and how it came to be so. Returns the digest of what was shown.
fn shown(global: &Global, request: &mut impl ChangeRequest) -> Result<Option<Shown>, Failure> {
    let Guards { agent, expected_digest, .. } = request.guards();
    let (agent, seen, limit) = (agent.clone(), expected_digest.clone(), Limit::new(10));
    // What was in the file is on record by now.
    let page = history::Request { agent: agent.clone(), limit, cursor: None, bodies: true, diffs: false };
    let page = output::visible_response(global.ask(page)?);
    let is_seen = |entry: &&history::Entry| {
        let sealed = &entry.revision.sealed;
        seen.as_ref().is_some_and(|seen| seen.matches(sealed.new_digest, sealed.raw_digest))
    };
    let since = page.revisions.iter().take_while(|entry| !is_seen(entry)).count();
    let entries = seen.as_ref().map(|_| &page.revisions[..since]);
    let Some(current) = page.revisions.first() else { return Ok(None) };
    let is_same = request.text().is_some_and(|text| Some(RawDigest::of(text)) == current.revision.sealed.raw_digest);
    if !is_same {
        output::note(&record::conflict(agent.as_str(), entries, current, request.text()))?;
    }
    Ok(current.revision.sealed.raw_digest.map(|digest| Shown { digest: digest.into(), is_same }))
}
