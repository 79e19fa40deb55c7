use std::process::ExitCode;

use soul_engine::ops::explain::Request;

use super::{Global, input};
use crate::output::{Failure, explain};

/// Explain a code that `soul check`, `validate`, `scan` or `test` reports
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul explain forbidden_field    a diagnostic
  soul explain SEC001             a rule of the scanner, by id or by name
  soul explain                    every code there is")]
pub(crate) struct Arguments {
    /// The code of a diagnostic, or the id or name of a scanner rule; lists all of them if absent
    code: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { code }: Arguments) -> Result<ExitCode, Failure> {
    let request = Request { code: input::non_blank(code) };
    let one = request.code.is_some();
    global.answer(request, |response| match &response.codes[..] {
        [code] if one => explain::code(code),
        codes => explain::groups(codes),
    })
}
