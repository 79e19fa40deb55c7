use std::process::ExitCode;

use soul_engine::fields::Limit;
use soul_engine::ids::RevisionId;
use soul_engine::ops::rollback::{self, Request};
use soul_engine::ops::{diff, history};
use soul_engine::workspace::AgentName;

use super::change::{Change, ChangeRequest, Conditions, Force, Guards, Yes, make};
use super::{Global, ask};
use crate::output::{self, Failure, record};

/// Restore an earlier text of a soul
///
/// The text is checked like any other: what today's rules forbid cannot come back. At a terminal `soul rollback`
/// offers a list of revisions, shows what would change, and asks.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul rollback ada                  choose from a list
  soul rollback ada @-2              the text two changes ago
  soul rollback ada rev_01M7HEDC99NQ --dry-run
  soul rollback ada @- --expected-digest 4a4fa2")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The revision to restore: an id or the beginning of one, `@` for the last, `@-` for the one before, `@-2`, …
    #[arg(value_name = "REVISION")]
    revision: Option<RevisionId>,
    /// The same as an option
    #[arg(long = "revision", id = "revision_option", value_name = "REVISION", conflicts_with = "revision")]
    revision_option: Option<RevisionId>,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: Yes,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    force: Force,
}

impl ChangeRequest for Request {
    const QUESTION: &'static str = "restore it?";

    fn guards(&mut self) -> Guards<'_> {
        let Self { agent, expected_digest, expected_revision, .. } = self;
        Guards { agent, expected_digest, expected_revision }
    }

    fn difference(&self, global: &Global) -> Result<Option<diff::Response>, Failure> {
        let mut plan = Self { dry_run: true, ..self.clone() };
        plan.guards().set(None);
        planned(global.ask(plan)?)
    }
}

/// What a dry run says.
pub(super) fn planned(response: rollback::Response) -> Result<Option<diff::Response>, Failure> {
    match response {
        rollback::Response::Plan(plan) => Ok(Some(plan.diff)),
        rollback::Response::Done(_) => Ok(None),
    }
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, revision, revision_option, dry_run, yes, change, force } = arguments;
    let Conditions { expected_digest, expected_revision, idempotency_key, message } = change.conditions();
    let revision_id = match revision.or(revision_option) {
        Some(revision) => revision,
        None if ask::is_possible(global) => match chosen(global, &agent)? {
            Some(revision) => revision,
            None => return Ok(ExitCode::SUCCESS),
        },
        None => {
            return Err(Failure::usage("name the revision to restore")
                .hint(format!("`soul history {agent}` lists them; `@-` is the one before the last")));
        }
    };
    let force = force.reason();
    let request =
        Request { agent, revision_id, expected_digest, expected_revision, idempotency_key, message, force, dry_run };
    if dry_run {
        return make(global, request, record::rolled_back);
    }
    let mut request = request;
    // A name such as `@-` counts from the last revision, and an edit that is found is recorded first. What is restored is
    // what the name meant when it was typed.
    if let Ok(Some(diff)) = request.difference(global) {
        request.revision_id = diff.to.name.into();
    }
    if !ask::is_possible(global) {
        let (agent, revision) = (request.agent.clone(), request.revision_id.clone());
        return make(global, request, record::rolled_back).map_err(|failure| match &failure.report().current_digest {
            Some(Some(digest)) => {
                let next = format!("`soul rollback {agent} {revision} --expected-digest {digest}`");
                failure.hint(format!("look at the current soul, then run {next}"))
            }
            _ => failure,
        });
    }
    if let rollback::Response::Plan(plan) = global.ask(Request { dry_run: true, ..request.clone() })? {
        if !agrees(global, yes.yes, &plan.diff, "restore it?")? {
            return Ok(ExitCode::SUCCESS);
        }
        request.guards().set_default(plan.diff.from.raw_digest);
    }
    make(global, request, record::rolled_back)
}

/// Whether a change may be made: it is shown to a person, who is asked; nobody else is.
pub(super) fn agrees(global: &Global, yes: bool, diff: &diff::Response, question: &str) -> Result<bool, Failure> {
    if yes || !ask::is_possible(global) || diff.text.is_empty() {
        return Ok(true);
    }
    output::note(&record::difference(&output::visible_response(diff.clone())))?;
    let agrees = ask::confirm(question);
    if !agrees {
        output::note("nothing was changed\n")?;
    }
    Ok(agrees)
}

/// The revision that a person chooses from the last ones.
fn chosen(global: &Global, agent: &AgentName) -> Result<Option<RevisionId>, Failure> {
    let limit = Limit::new(20);
    let page = history::Request { agent: agent.clone(), limit, cursor: None, bodies: false, diffs: false };
    let page = output::visible_response(global.ask(page)?);
    // One that removed the soul has no text; the last one is what is there, unless the file was edited.
    let skip = usize::from(page.unrecorded_change.is_none());
    let entries = page.revisions.iter().skip(skip).filter(|entry| entry.revision.sealed.raw_digest.is_some());
    let entries: Vec<_> = entries.collect();
    if entries.is_empty() {
        return Err(Failure::usage(format!("`{agent}` has no earlier text to restore")));
    }
    let (list, names) = record::choices(&entries);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(ask::choose("which one?", &list, &names).map(|index| entries[index].revision.sealed.id.clone()))
}
