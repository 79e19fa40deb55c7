use std::process::ExitCode;

use soul_engine::ops::library::create;

use super::{Content, Forced};
use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, library};

/// Add a soul to the library
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What people call it
    #[arg(long, allow_hyphen_values = true)]
    name: String,
    /// Its id, if it is not to follow from the name
    #[arg(long)]
    id: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    description: String,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    forced: Forced,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { name, id, description, content, forced, actor } = arguments;
    let id = id.filter(|id| !id.is_empty()).map(|id| super::id(&id)).transpose()?;
    let asker = actor.asker("library create");
    super::begin(global, &asker)?;
    let content = content.text(global)?.unwrap_or_default();
    let soul = global.ask(create::Request { id, name, description, content, force: forced.reason(), asker })?;
    if global.json {
        output::json("library.create", &soul)?;
    } else {
        output::print(&library::changed(&soul, "created"))?;
    }
    Ok(ExitCode::SUCCESS)
}
