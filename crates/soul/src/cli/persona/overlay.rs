use std::ffi::OsString;
use std::process::ExitCode;

use soul_engine::ops::persona::overlay;
use soul_engine::persona::MAX_OVERLAY_SECONDS;
use soul_engine::workspace::AgentName;

use crate::cli::{Global, input};
use crate::output::{Failure, persona};

/// Show an agent's active overlays, evaluate rules and add those that apply, or remove all
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona overlay ada                                what is active
  soul persona overlay ada --rules rules.json --for 2h    add what applies
  soul persona overlay ada --clear                        remove all")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Rules to evaluate, as JSON: a list of `{id, trigger, patch}`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    rules: Option<OsString>,
    /// The situation to evaluate the rules in, as JSON: `{roleId, metadata, reasoningSignals}`
    #[arg(long, value_name = "FILE", requires = "rules")]
    context: Option<OsString>,
    /// How long the overlays last: `90s`, `5m`, `2h` or `3d`
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = seconds, requires = "rules")]
    seconds: u32,
    /// Remove all overlays
    #[arg(long, conflicts_with = "rules")]
    clear: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, rules, context, seconds, clear } = arguments;
    let name = agent.to_string();
    let json = |file: Option<OsString>| file.map(|file| super::json(global, &file)).transpose();
    let request = overlay::Request { agent, rules: json(rules)?, context: json(context)?, seconds, clear };
    global.answer(request, |response| persona::overlays(&name, response))
}

fn seconds(typed: &str) -> Result<u32, String> {
    let seconds = input::seconds(typed).and_then(|seconds| u32::try_from(seconds).ok());
    let seconds = seconds.filter(|seconds| (1..=MAX_OVERLAY_SECONDS).contains(seconds));
    seconds.ok_or_else(|| "give a time such as `90s`, `5m`, `2h` or `3d`, up to a year".to_owned())
}
