use std::ffi::OsString;
use std::process::ExitCode;

use soul_engine::ops::persona::drift;

use crate::cli::author::Actor;
use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Propose steps from what happened, and take them with `--apply`
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// What happened, as JSON: a list of `{valence, arousal}`, or `{traces, relationship, config}`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    traces: OsString,
    /// How a relationship changed, as JSON: `{trustDelta, affectionDelta, tensionDelta, respectDelta}`
    #[arg(long, value_name = "FILE")]
    relationship: Option<OsString>,
    /// Take the steps too, with their evidence on record
    #[arg(long)]
    apply: bool,
    /// Whose budget they are taken from; those who name no session share one
    #[arg(long, value_name = "NAME", requires = "apply")]
    session: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, traces, relationship, apply, session, actor } = arguments;
    let request = drift::Request {
        agent: agent(&name)?,
        traces: super::json(global, &traces)?,
        relationship: relationship.map(|file| super::json(global, &file)).transpose()?,
        apply: apply.then(|| drift::Apply { session, asker: actor.asker("persona drift") }),
    };
    let response = global.ask(request)?;
    if global.json {
        output::json("persona.drift", &response)?;
    } else {
        output::print(&persona::drift(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
