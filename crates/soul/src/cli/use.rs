use std::process::ExitCode;

use soul_engine::ops::r#use::Request;
use soul_engine::registry::PackageName;
use soul_engine::store::Message;
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::{Failure, packages};

/// Use an installed package for an agent
///
/// The soul becomes a recorded revision. IDENTITY.md, STYLE.md, RULES.md, skills, tools and hooks are placed beside it;
/// AGENTS.md gets a part of its own between markers. USER.md and the memory are never overwritten. `soul restore` takes all
/// of it back.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul use soulkeeper/harbour-pilot                an agent named harbour-pilot
  soul use soulkeeper/harbour-pilot --agent ada    for this agent
  soul restore ada                                 take it back")]
pub(crate) struct Arguments {
    /// OWNER/NAME
    #[arg(value_name = "PACKAGE")]
    package: PackageName,
    /// The agent, created if there is none [default: the name of the package]
    #[arg(long, value_name = "AGENT")]
    agent: Option<AgentName>,
    /// Record why it is used
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
}

pub(crate) fn run(global: &Global, Arguments { package, agent, message }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(Request { package, agent, message }, packages::used)
}
