use std::process::ExitCode;

use soul_engine::Grant;
use soul_engine::ops::token::create;
use soul_engine::store::Role;
use soul_engine::workspace::AgentName;

use crate::cli::Global;
use crate::cli::input::{non_blank, one_of};
use crate::output::{Failure, token};

/// Create a token; its secret is shown this once
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul token create --role viewer --name dashboard    may read
  soul token create --role author --name ci           may read and write
  soul token create --role author --agent ada         for an agent, which cannot change its own soul")]
pub(crate) struct Arguments {
    /// What the token may do
    #[arg(long, value_parser = one_of::<Role>(&[
        ("viewer", "Read"),
        ("author", "Read and write"),
        ("admin", "Read, write, and administer the keeper"),
    ]))]
    role: Role,
    /// Grant only this of what the role has; repeatable
    #[arg(long = "grant", value_name = "GRANT", value_parser = one_of::<Grant>(&[
        ("soul.read", "Read souls, sessions, memory and the record"),
        ("soul.write", "Change them"),
        ("soul.admin", "Administer the keeper: tokens, backups, workspaces"),
    ]))]
    grants: Vec<Grant>,
    /// A name for people
    #[arg(long)]
    name: Option<String>,
    /// Bind the token to this agent: it acts as the agent, and proposes changes of its own soul
    #[arg(long, value_name = "AGENT")]
    agent: Option<AgentName>,
}

pub(crate) fn run(global: &Global, Arguments { role, grants, name, agent }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(create::Request { role, grants, name: non_blank(name), agent }, token::created)
}
