use std::process::ExitCode;

use soul_engine::ops::persona::adapt;
use soul_engine::workspace::AgentName;

use crate::cli::{Global, input};
use crate::output::{Failure, persona};

/// Move a trait by a bounded step, with a recorded reason
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona adapt ada --trait openness --delta 0.05 --reason 'asked good questions'")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The trait, such as `openness`; honesty-humility has three spellings
    #[arg(long = "trait", value_name = "TRAIT")]
    name: String,
    /// How far to move the score, such as 0.05 or -0.05
    #[arg(long, allow_hyphen_values = true, value_parser = finite)]
    delta: f64,
    /// Why to move it (recorded)
    #[arg(long, allow_hyphen_values = true)]
    reason: String,
    /// The session whose budget the step is taken from; steps without a session share one budget
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, name: of, delta, reason, session } = arguments;
    let name = agent.to_string();
    let request = adapt::Request { agent, of, delta, reason, session: input::non_blank(session) };
    global.answer(request, |response| persona::adapted(&name, response))
}

/// A number that can be added to another, and sent.
pub(super) fn finite(typed: &str) -> Result<f64, String> {
    let number = typed.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "give a number such as 0.05 or -0.05".to_owned())
}
