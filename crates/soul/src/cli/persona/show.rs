use std::process::ExitCode;

use soul_core::persona::radar;
use soul_engine::ops::persona::show;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::output::{self, Failure, persona};

/// Show the traits and mood that the author wrote, and those that apply now
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona show ada                    traits, mood and limits
  soul persona show ada --svg > ada.svg    a drawing of the traits")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Draw the traits as SVG instead
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

pub(crate) fn run(global: &Global, Arguments { agent, svg }: Arguments) -> Result<ExitCode, Failure> {
    let name = agent.to_string();
    global.answer_with(show::Request { agent }, |response| match svg {
        true => output::bytes(radar(&name, &response.baseline, &response.effective).as_bytes()),
        false => output::print(&persona::show(&name, response)),
    })
}
