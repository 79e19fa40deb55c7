use std::ffi::OsString;
use std::process::ExitCode;

use soul_engine::ops::persona::drift;
use soul_engine::workspace::AgentName;

use crate::cli::{Global, input};
use crate::output::{Failure, persona};

/// Propose trait changes from what happened, and apply them with `--apply`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona drift ada --traces traces.json            show the proposed steps
  soul persona drift ada --traces traces.json --apply    apply them")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// What happened, as JSON: a list of `{valence, arousal}`, or `{traces, relationship, config}`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    traces: OsString,
    /// How a relationship changed, as JSON: `{trustDelta, affectionDelta, tensionDelta, respectDelta}`
    #[arg(long, value_name = "FILE")]
    relationship: Option<OsString>,
    /// Apply the proposed steps, and record their evidence
    #[arg(long)]
    apply: bool,
    /// The session whose budget the steps are taken from; steps without a session share one budget
    #[arg(long, value_name = "NAME", requires = "apply")]
    session: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, traces, relationship, apply, session } = arguments;
    let (name, session) = (agent.to_string(), input::non_blank(session));
    let traces = super::json(global, &traces)?;
    let relationship = relationship.map(|file| super::json(global, &file)).transpose()?;
    let request = drift::Request { agent, traces, relationship, config: None, apply, session };
    global.answer(request, |response| persona::drift(&name, response))
}
