use std::process::ExitCode;

use soul_engine::ops::rule;

use super::{Global, input};
use crate::output::{Failure, findings};

/// Explain a rule of the scanner, or list all rules
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The id or the name of a rule; lists all rules if absent
    id: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    let request = rule::Request { id: input::non_blank(id) };
    let one = request.id.is_some();
    global.answer(request, |response| match &response.rules[..] {
        [rule] if one => findings::rule(rule),
        rules => findings::rules(rules),
    })
}
