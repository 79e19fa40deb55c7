use std::process::ExitCode;

use soul_engine::ops::task::add;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::{Failure, live};

/// Add a task
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul task add --payload '{\"issue\": 7}'                for any session
  soul task add --agent ada --payload '{\"issue\": 7}'    for sessions of ada only")]
pub(crate) struct Arguments {
    /// The agent whose sessions may claim it; defaults to any session
    #[arg(long, value_name = "NAME")]
    agent: Option<AgentName>,
    /// What the task is about, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    payload: String,
}

pub(crate) fn run(global: &Global, Arguments { agent, payload }: Arguments) -> Result<ExitCode, Failure> {
    let payload = serde_json::from_str(&payload).map_err(|error| {
        let failure = Failure::usage(format!("the payload is not JSON: {error}"));
        failure.hint("put it in quotes, such as `--payload '{\"issue\": 7}'`")
    })?;
    global.answer(add::Request { agent, payload }, |response| live::task(&response.task))
}
