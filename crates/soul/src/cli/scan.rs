use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use soul_core::scan::{Baseline, BaselineEntry, Finding, Grade};
use soul_engine::checks::FailOn;
use soul_engine::fault::Kind;
use soul_engine::fields::Body;
use soul_engine::files;
use soul_engine::ops::Operation;
use soul_engine::ops::scan::{Request, Response};
use soul_engine::souls::Target;
use soul_engine::workspace::openable;

use super::global::exit;
use super::{Global, input};
use crate::output::{self, Failure, concise, findings, github, sarif};

/// Scan for prompt injection, concealment, exfiltration, secrets and hidden characters
///
/// Reads every file of a target. Exits with 0 if every target passes, 1 if one has findings that fail it, and 5 if one
/// could not be scanned. `.git` is skipped; `.gitignore` is not obeyed. `soul check` is the command for CI.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul scan agents/ada                  a folder with everything below it
  soul scan --untrusted ./download      a package of somebody else
  soul explain SEC001                   what a finding means")]
pub(crate) struct Arguments {
    /// Files or folders, agents' names, or `-` for standard input; defaults to the current directory
    #[arg(value_name = "TARGET")]
    targets: Vec<OsString>,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Use the rules of this file, in the public SoulScan format, in place of the built-in ones
    #[arg(long, value_name = "FILE")]
    rules: Option<OsString>,
    /// Fail below this grade
    #[arg(long, value_name = "GRADE", ignore_case = true, value_parser = input::listed::<Grade>(GRADES.map(PossibleValue::new)))]
    min_grade: Option<Grade>,
    /// Which findings fail a target
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = input::one_of::<FailOn>(&[
        ("error", "Errors of medium or high confidence"),
        ("warning", "Warnings of that confidence too"),
        ("info", "Everything of that confidence"),
        ("any", "Every finding"),
    ]))]
    fail_on: FailOn,
    /// Ignore the findings that this file lists
    #[arg(long, value_name = "FILE")]
    baseline: Option<OsString>,
    /// Write all findings to a new baseline; the exit code stays the same
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Let nothing in the files suppress a finding, because their author is not trusted
    #[arg(long)]
    untrusted: bool,
}

/// How a list of problems is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
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

const GRADES: [&str; 10] = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "D", "F"];

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments {
        targets,
        format,
        rules,
        min_grade,
        fail_on,
        baseline,
        write_baseline: baseline_to_write,
        untrusted,
    } = arguments;
    let mut targets = targets.iter().map(|typed| target(typed)).collect::<Result<Vec<_>, _>>()?;
    if targets.is_empty() {
        targets.push(Target::Path(".".into()));
    }
    let body = |file: Option<OsString>| file.map(|file| input::bytes(global, &file).map(Body)).transpose();
    let (rules, baseline) = (body(rules)?, body(baseline)?);
    let format = if global.json { Format::Json } else { format };
    let (sources, none) = (format != Format::Json, Request::default());
    let request = Request { rules, baseline, untrusted, fail_on, min_grade, sources, ..none };
    let parts = global.ask_each(&targets, |targets| Request { targets, ..request.clone() })?;
    let response = Response { targets: parts.into_iter().flat_map(|part: Response| part.targets).collect() };
    if let Some(path) = &baseline_to_write {
        let findings = response.targets.iter().flat_map(|target| target.findings.iter().chain(&target.suppressed));
        write_baseline(global, path, findings.map(entry).collect())?;
    }
    let exit = exit::<Request>(&response);
    let is_for_people = matches!(format, Format::Text | Format::Concise);
    let response = if is_for_people { output::visible_response(response) } else { response };
    match format {
        Format::Json => output::json(Request::NAME, &response)?,
        Format::Text => output::print(&findings::report(&response))?,
        Format::Concise => output::print(&concise::scan(&response))?,
        Format::Sarif => output::bytes(sarif::scan(&response).as_bytes())?,
        Format::Github => output::bytes(github::scan(&response).as_bytes())?,
    }
    Ok(exit)
}

/// What was typed: a path if it exists or looks like one, however it turns out, else the name of an agent.
fn target(typed: &OsStr) -> Result<Target, Failure> {
    if typed == "-" {
        return input::target(typed);
    }
    let path = Path::new(typed);
    let is_word = |word: &&str| !word.contains(['/', '\\', '.', '~']) && path.symlink_metadata().is_err();
    let name = typed.to_str().filter(is_word).and_then(|word| word.parse().ok());
    Ok(name.map_or_else(|| Target::Path(path.to_path_buf()), Target::Agent))
}

fn entry(finding: &Finding) -> BaselineEntry {
    let Finding { fingerprint, rule, file, .. } = finding.clone();
    BaselineEntry { fingerprint, rule, file }
}

/// Writes a baseline, and says so.
pub(super) fn write_baseline(global: &Global, path: &Path, entries: Vec<BaselineEntry>) -> Result<(), Failure> {
    let (count, shown) = (entries.len(), openable(path));
    files::replace(path, Baseline::render(entries).as_bytes()).map_err(|error| {
        let message = format!("could not write `{shown}`: {}", files::plain(&error));
        let hint = "check the permissions of the file and its directory, and the free disk space";
        Failure::new(Kind::Unable, "io", message).hint(hint)
    })?;
    if global.json {
        return Ok(());
    }
    output::note(&format!("wrote {shown}: {} known\n", output::count(count, "problem")))
}
