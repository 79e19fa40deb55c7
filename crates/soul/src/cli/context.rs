use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ids::SessionId;
use soul_engine::ops::context;

use super::{Global, input};
use crate::output::{Failure, live};

/// Show a summary of a soul in a few hundred bytes, without its body
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul context ada                     the soul in a few lines
  soul context --session sess_01M7HE    the soul of a running session")]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// Use the soul that this session is bound to, even if its file has changed
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, Arguments { target, session, dialect }: Arguments) -> Result<ExitCode, Failure> {
    let subject = input::subject(target.as_deref(), session)?;
    global.answer(context::Request { subject, dialect }, live::context)
}
