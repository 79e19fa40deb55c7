use std::process::ExitCode;

use soul_engine::ops::rule;

use super::Global;
use crate::output::{self, Failure, findings};

/// Explain what the scanner looks for
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The id or the name of a rule; all of them if none is given
    id: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let one = arguments.id.is_some();
    let response = rule::run(&rule::Request { id: arguments.id })?;
    match &response.rules[..] {
        _ if global.json => output::json("rule", &response)?,
        [rule] if one => output::print(&findings::rule(rule))?,
        rules => output::print(&findings::rules(rules))?,
    }
    Ok(ExitCode::SUCCESS)
}
