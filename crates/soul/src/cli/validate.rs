use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;
use soul_engine::checks::FailOn;
use soul_engine::ops::validate::{Request, Response};
use soul_engine::ops::{Operation, inspect};
use soul_engine::souls::Target;

use super::global::exit;
use super::scan::Format;
use super::{Global, input};
use crate::output::{self, Failure, concise, github, sarif, terminal};

/// Check souls and exit with 1 if any is invalid
///
/// In a directory, checks every SOUL.md below it and every file of a `souls` folder; `.git`, `node_modules` and
/// Cargo's `target` are skipped. A target that does not exist does not stop the others, and the exit code is 4.
/// `soul check` scans and tests souls too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul validate                            every soul below the current directory
  soul validate ada --file draft.md        a text as if it were ada's SOUL.md
  soul validate --fail-on warning souls    warnings fail too")]
pub(crate) struct Arguments {
    /// Files, directories or agents' names; defaults to the current directory
    #[arg(value_name = "TARGET")]
    targets: Vec<OsString>,
    /// Check this file, or `-` for standard input, as if it were the target's
    #[arg(long, value_name = "FILE")]
    file: Option<OsString>,
    /// Read the souls in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// How strictly to check packages
    #[arg(long, default_value = "lenient", value_parser = input::one_of::<Profile>(&[
        ("lenient", "Everything can be read"),
        ("publish", "Everything that a registry requires"),
    ]))]
    profile: Profile,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Which problems to fail on; an invalid soul fails in any case
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = input::one_of::<FailOn>(&[
        ("error", "Errors"),
        ("warning", "Warnings too"),
        ("info", "Notes too"),
        ("any", "The same as info"),
    ]))]
    fail_on: FailOn,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { targets, file, dialect, profile, format, fail_on } = arguments;
    let targets = match file {
        Some(file) => proposals(global, &file, &targets)?,
        None if targets.is_empty() => vec![Target::Path(".".into())],
        None => targets.iter().map(|typed| input::target(typed)).collect::<Result<_, _>>()?,
    };
    let format = if global.json { Format::Json } else { format };
    let sources = format != Format::Json;
    let response = Response::joined(global.ask_each(&targets, |targets| Request {
        targets,
        dialect,
        profile,
        fail_on,
        sources,
    })?);
    let exit = exit::<Request>(&response);
    let is_for_people = matches!(format, Format::Text | Format::Concise);
    let response = if is_for_people { output::visible_response(response) } else { response };
    match format {
        Format::Json => output::json(Request::NAME, &response)?,
        Format::Text => output::print(&terminal::validation(&response))?,
        Format::Concise => output::print(&concise::validation(&response))?,
        Format::Sarif => output::bytes(sarif::validation(&response).as_bytes())?,
        Format::Github => output::bytes(github::validation(&response).as_bytes())?,
    }
    Ok(exit)
}

/// The file as what each target would become, or alone if there is none.
fn proposals(global: &Global, file: &OsStr, targets: &[OsString]) -> Result<Vec<Target>, Failure> {
    let alone = if file == "-" { input::target(file)? } else { Target::Path(file.into()) };
    let mut proposals = Vec::new();
    for typed in targets {
        proposals.push(match (input::target(typed)?, &alone) {
            (Target::Agent(name), Target::Text(body)) => Target::Proposal(name, body.clone()),
            (Target::Agent(name), _) => Target::Proposal(name, input::bytes(global, file)?.into()),
            (target, alone) => {
                global.ask(inspect::Request::new(target))?;
                alone.clone()
            }
        });
    }
    Ok(if proposals.is_empty() { vec![alone] } else { proposals })
}
