use std::process::ExitCode;

use soul_core::persona::radar;
use soul_engine::ops::persona::show;

use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Show what the author wrote, and what holds now
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// Draw the traits as SVG instead
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

pub(super) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, svg } = arguments;
    let response = global.ask(show::Request { agent: agent(name)? })?;
    if *svg {
        output::bytes(radar(name, &response.baseline, &response.effective).as_bytes())?;
    } else if global.json {
        output::json("persona.show", &response)?;
    } else {
        output::print(&persona::show(name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}
