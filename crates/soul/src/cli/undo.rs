use std::process::ExitCode;

use soul_engine::fields::Limit;
use soul_engine::ops::undo::Request;
use soul_engine::ops::{diff, history, rollback};
use soul_engine::workspace::AgentName;

use super::Global;
use super::change::{Change, ChangeRequest, Conditions, Force, Guards, Yes, make};
use super::rollback::{agrees, planned};
use crate::output::{Failure, record};

/// Undo the last change of a soul
///
/// Restores the text before the last change, and records that too: nothing is lost. Run it again to go one
/// change further back. An unrecorded edit of the file is recorded first, then undone. At a terminal `soul
/// undo` shows what would change and asks.
///
/// To redo the change, restore the revision before the undo: `soul rollback AGENT @-`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul undo ada              undo the last change
  soul undo ada --dry-run    only show what would change
  soul undo ada --yes        do not ask
  soul rollback ada @-       redo the change")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
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
    const QUESTION: &'static str = "undo it?";

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

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, dry_run, yes, change, force } = arguments;
    // Without one, what is undone is what is there; someone who meant to name it must not get that.
    if change.has_blank_guard() {
        return Err(
            Failure::usage("the expected digest or revision is empty").hint("leave the option out, or give one")
        );
    }
    let invalid = format!("the text before the last change is invalid today; `soul rollback {agent}` restores another");
    let Conditions { expected_digest, expected_revision, idempotency_key, message } = change.conditions();
    let force = force.reason();
    let request = Request { agent, expected_digest, expected_revision, idempotency_key, message, force, dry_run: true };
    if dry_run {
        return global.answer(request, record::rolled_back);
    }
    // What is undone is what is shown: nobody has to type the digest of it.
    let plan = match global.ask(request.clone()) {
        // An agent whose directory is gone is found by its record alone.
        Err(failure) if failure.report().code == "agent_not_found" => None,
        Err(failure) if failure.report().code == "soul_invalid" => return Err(failure.hint(invalid)),
        Err(failure) => return Err(failure),
        Ok(rollback::Response::Plan(plan)) => Some(plan),
        Ok(rollback::Response::Done(_)) => None,
    };
    let page = history::Request {
        agent: request.agent.clone(),
        limit: Limit::new(1),
        cursor: None,
        bodies: false,
        diffs: false,
    };
    let edit = global.ask(page)?.unrecorded_change;
    if let Some(plan) = &plan
        && !agrees(global, yes.yes, &plan.diff, "undo it?")?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let mut request = Request { dry_run: false, ..request };
    request.guards().set_default(plan.as_ref().and_then(|plan| plan.diff.from.raw_digest));
    make(global, request, |response| record::undone(response, plan.as_ref().map(|plan| &plan.diff), edit.as_deref()))
}
