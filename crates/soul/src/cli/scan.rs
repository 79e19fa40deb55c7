use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::scan::{Grade, Trust};
use soul_engine::ops::scan::{self, FailOn, Request, Target};

use super::Global;
use crate::output::progress::Progress;
use crate::output::{self, Failure, concise, findings, github, sarif};

/// Look for poison: injections, concealment, exfiltration, secrets, hidden characters
///
/// Exits with 0 if every path passes, 1 if one has a finding at the gate, and 5 if one could not be
/// judged. `.git` is passed over; `.gitignore` is not obeyed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files or folders, or `-` for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Run the rules of this file, in the public SoulScan format, in place of ours
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Fail below this grade, from `A+` to `F`
    #[arg(long, value_name = "GRADE", value_parser = grade)]
    min_grade: Option<Grade>,
    /// What fails
    #[arg(long, value_enum, default_value_t = Level::Error)]
    fail_on: Level,
    /// Pass over the findings of this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to a baseline, and exit as ever
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Let nothing in the files suppress a finding: they are someone else's
    #[arg(long)]
    untrusted: bool,
}

/// How a list of problems is printed.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Format {
    /// With the lines of the source
    Text,
    /// One line each
    Concise,
    /// One JSON document, as with `--json`
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
    /// Errors of medium or high confidence
    Error,
    /// Warnings of that confidence too
    Warning,
    /// Everything of that confidence
    Info,
    /// Every finding
    Any,
}

fn grade(typed: &str) -> Result<Grade, String> {
    typed.parse().map_err(|_| "the grades are A+, A, A-, B+, B, B-, C+, C, D, F".to_owned())
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut targets = Vec::new();
    for typed in &arguments.paths {
        targets.push(if typed == "-" { Target::Text(super::standard_input()?) } else { Target::Path(typed.into()) });
    }
    let request = Request {
        targets,
        rules: arguments.rules,
        baseline: arguments.baseline,
        write_baseline: arguments.write_baseline,
        trust: if arguments.untrusted { Trust::Stranger } else { Trust::Author },
        fail_on: match arguments.fail_on {
            Level::Error => FailOn::Error,
            Level::Warning => FailOn::Warning,
            Level::Info => FailOn::Info,
            Level::Any => FailOn::Any,
        },
        min_grade: arguments.min_grade,
    };
    let progress = Progress::start("files read");
    let response = scan::run(request, &|files| (0..files).for_each(|_| progress.advance()));
    drop(progress);
    let response = response?;
    match arguments.format {
        Format::Json => output::json("scan", &response)?,
        _ if global.json => output::json("scan", &response)?,
        Format::Text => output::print(&findings::report(&response))?,
        Format::Concise => output::print(&concise::scan(&response))?,
        Format::Sarif => output::bytes(sarif::scan(&response).as_bytes())?,
        Format::Github => output::bytes(github::scan(&response).as_bytes())?,
    }
    let exit = match &response.targets[..] {
        targets if targets.iter().any(|target| target.error.is_some()) => 5,
        targets if targets.iter().any(|target| !target.passed) => 1,
        _ => 0,
    };
    Ok(ExitCode::from(exit))
}
