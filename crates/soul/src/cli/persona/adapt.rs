use std::process::ExitCode;

use soul_engine::ops::persona::adapt;

use crate::cli::author::Actor;
use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Move a trait by a bounded step, with a reason, on record
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The trait, such as `openness`; honesty-humility has three spellings
    #[arg(long = "trait", value_name = "TRAIT")]
    of: String,
    /// How far, such as 0.05 or -0.05
    #[arg(long, allow_hyphen_values = true, value_parser = finite)]
    delta: f64,
    /// Why; it goes on record
    #[arg(long, allow_hyphen_values = true)]
    reason: String,
    /// Whose budget it is taken from; those who name no session share one
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, of, delta, reason, session, actor } = arguments;
    let asker = actor.asker("persona adapt");
    let request = adapt::Request { agent: agent(&name)?, of, delta, reason, session, asker };
    let response = global.ask(request)?;
    if global.json {
        output::json("persona.adapt", &response)?;
    } else {
        output::print(&persona::adapted(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A number that can be added to another, and sent.
pub(super) fn finite(typed: &str) -> Result<f64, String> {
    let number = typed.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "give a number such as 0.05 or -0.05".to_owned())
}
