use std::process::ExitCode;

use soul_engine::ops::explain::Explained;
use soul_engine::ops::rule;

use super::{Global, input};
use crate::output::{Failure, explain};

/// Explain a rule of the scanner, or list all rules
///
/// `soul explain` does the same for the codes of diagnostics too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul rule           every rule of the scanner
  soul rule SEC001    one rule, with examples")]
pub(crate) struct Arguments {
    /// The id or the name of a rule; lists all rules if absent
    id: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { id }: Arguments) -> Result<ExitCode, Failure> {
    let request = rule::Request { id: input::non_blank(id) };
    let one = request.id.is_some();
    global.answer(request, |response| {
        let rules: Vec<Explained> = response.rules.iter().cloned().map(Explained::from).collect();
        match &rules[..] {
            [rule] if one => explain::code(rule),
            rules => explain::codes(rules),
        }
    })
}
