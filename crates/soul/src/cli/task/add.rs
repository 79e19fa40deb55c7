use std::process::ExitCode;

use soul_engine::ops::task::add;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Add something to do
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// For this agent; any session may take it if nothing is said
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// What it is about, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    payload: String,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let agent = arguments.agent.as_deref().map(crate::cli::agent).transpose()?;
    let payload = serde_json::from_str(&arguments.payload).map_err(|error| {
        let failure = Failure::message("usage", &format!("the payload is not JSON: {error}"), 2);
        failure.hint("put it in quotes, such as `--payload '{\"issue\": 7}'`")
    })?;
    let request = add::Request { agent, payload, asker: arguments.actor.asker("task add") };
    let response = global.ask(request)?;
    if global.json {
        output::json("task.add", &response)?;
    } else {
        output::print(&live::task(&response.task))?;
    }
    Ok(ExitCode::SUCCESS)
}
