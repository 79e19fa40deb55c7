use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use soul_engine::ops::Grant;
use soul_engine::ops::token::create;
use soul_engine::store::Role;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, token};

/// Make a token; what proves it is shown this once
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What it is for: a viewer reads, an author writes too, an admin makes tokens too
    #[arg(long, value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)).try_map(|role| role.parse::<Role>()))]
    role: Role,
    /// Grant only this of what the role has; may be given more than once
    #[arg(long = "grant", value_name = "GRANT", value_parser = PossibleValuesParser::new(Grant::ALL.map(Grant::as_str)).try_map(|grant| grant.parse::<Grant>()))]
    grants: Vec<Grant>,
    /// What people call it
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { role, grants, name, actor } = arguments;
    let request = create::Request { role, grants, name, asker: actor.asker("token create") };
    let response = global.ask(request)?;
    if global.json {
        output::json("token.create", &response)?;
    } else {
        output::print(&token::created(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
