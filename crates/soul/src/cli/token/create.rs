use std::process::ExitCode;

use soul_engine::Grant;
use soul_engine::ops::token::create;
use soul_engine::store::Role;

use crate::cli::Global;
use crate::cli::input::{non_blank, one_of};
use crate::output::{Failure, token};

/// Create a token; its secret is shown this once
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul token create --role viewer --name dashboard    may read
  soul token create --role author --name ci           may read and write")]
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
}

pub(crate) fn run(global: &Global, Arguments { role, grants, name }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(create::Request { role, grants, name: non_blank(name) }, token::created)
}
