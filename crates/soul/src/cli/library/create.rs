use std::process::ExitCode;

use soul_engine::ops::library::create;
use soul_engine::souls;

use super::Content;
use crate::cli::Global;
use crate::cli::change::Force;
use crate::output::{Failure, library};

/// Add a soul to the library
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul library create --name Reviewer --file reviewer.md                  from a file
  soul library create --name Brief --content 'Answer in one sentence.'    from the command line")]
pub(crate) struct Arguments {
    /// Name of the soul
    #[arg(long, allow_hyphen_values = true)]
    name: String,
    /// Id of the soul; derived from the name if absent
    #[arg(long)]
    id: Option<String>,
    /// What the soul is for
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    description: String,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { name, id, description, content, force } = arguments;
    let id = id.filter(|id| !id.is_empty()).map(|id| id.parse().map_err(souls::Error::from)).transpose();
    let id = id.map_err(Failure::refused)?;
    let (content, force) = (content.text(global)?.unwrap_or_default(), force.reason());
    global.answer(create::Request { id, name, description, content, force }, |soul| library::changed(soul, "created"))
}
