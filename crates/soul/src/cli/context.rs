use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;

use super::Global;
use crate::output::{self, Failure, live};

/// Show which soul it is in a few hundred bytes, never its body
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// The soul that this session is bound to, whatever its file says now
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Read it in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let subject = super::subject(arguments.target.as_deref(), arguments.session, arguments.dialect)?;
    let response = global.ask(subject)?;
    if global.json {
        output::json("context", &response)?;
    } else {
        output::print(&live::context(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}
