use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_core::scan::BaselineEntry;
use soul_engine::checks::{FailOn, Problem};
use soul_engine::fields::Body;
use soul_engine::ops::Operation;
use soul_engine::ops::check::{FixMode, Request, Response};
use soul_engine::souls::Target;

use super::global::exit;
use super::scan::{Format, write_baseline};
use super::{Global, input};
use crate::output::{self, Failure, check, concise, github, sarif};

/// The baseline that is used where no option names one.
const BASELINE: &str = ".soul-baseline.json";

/// Validate, scan and test souls: the command for CI and pre-commit
///
/// Below a folder, every soul is validated and tested against its own examples (no model is asked), and every file that
/// models read is scanned: SOUL.md, AGENTS.md, CLAUDE.md, SKILL.md and the like, the files of agents' folders, packages
/// and skills, and `souls/*.md`. Source code is not. `.gitignore` is obeyed; `.git`, `node_modules`, Cargo's `target` and
/// reports that soul wrote are skipped. A file that is named is checked in any case.
///
/// A problem is suppressed by a comment with a reason on its line or above it, as in
/// `<!-- soul: allow SEC001, SK110 -- the page teaches what to refuse -->`, or by a baseline.
///
/// Exits with 0 if nothing is at the gate, 1 if a problem is, 4 if a path does not exist, and 5 if a folder could not be
/// read; the other paths are checked all the same.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul check                                        everything below the current directory
  soul check --fix                                  fix what can be fixed
  soul check agents/ada --fail-on warning           one agent, warnings fail too
  soul check --write-baseline .soul-baseline.json   accept what is there, fail on what is new
  soul check --format sarif > soul.sarif            for code scanning")]
pub(crate) struct Arguments {
    /// Files, folders or agents' names, or `-` for standard input; defaults to the current directory
    #[arg(value_name = "PATH")]
    targets: Vec<OsString>,
    /// Fix what can be fixed; changes of managed souls are recorded
    #[arg(long)]
    fix: bool,
    /// Show what `--fix` would change, change nothing, and exit with 1 if there is something
    #[arg(long, conflicts_with_all = ["fix", "format", "write_baseline"])]
    diff: bool,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Which problems to fail on
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = input::one_of::<FailOn>(&[
        ("error", "Errors; findings of the scanner need medium or high confidence"),
        ("warning", "Warnings too"),
        ("info", "Notes too"),
        ("any", "Everything, with any confidence"),
    ]))]
    fail_on: FailOn,
    /// Ignore the problems that this file lists; defaults to `.soul-baseline.json` if it exists
    #[arg(long, value_name = "FILE")]
    baseline: Option<OsString>,
    /// Accept all problems: write them to a baseline, and exit with 0
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// Leave out files and folders that match this glob; can be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Check what `.gitignore` excludes too
    #[arg(long)]
    no_ignore: bool,
    /// Scan every file again; by default, files that have not changed since the last check are not scanned
    #[arg(long)]
    no_cache: bool,
    /// Honour no suppression in the files and no baseline that is not named, because their author is not trusted
    #[arg(long)]
    untrusted: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments {
        targets,
        fix,
        diff,
        format,
        fail_on,
        baseline,
        write_baseline: written,
        exclude,
        no_ignore,
        no_cache,
        untrusted,
    } = arguments;
    let mut targets = targets.iter().map(|typed| input::target(typed)).collect::<Result<Vec<_>, _>>()?;
    if targets.is_empty() {
        targets.push(Target::Path(".".into()));
    }
    if (fix || diff) && targets.iter().any(|target| matches!(target, Target::Text(_))) {
        return Err(Failure::usage("standard input cannot be fixed").hint("give the file itself"));
    }
    let found = || (!untrusted && written.is_none() && Path::new(BASELINE).is_file()).then(|| BASELINE.into());
    let file = baseline.or_else(found);
    let baseline = file.as_ref().map(|file| input::bytes(global, file).map(Body)).transpose()?;
    let format = if global.json { Format::Json } else { format };
    let fix = match (fix, diff) {
        (true, _) => Some(FixMode::Apply),
        (_, true) => Some(FixMode::Diff),
        _ => None,
    };
    let sources = format != Format::Json && !diff;
    let request =
        Request { fail_on, baseline, untrusted, fix, sources, exclude, no_ignore, no_cache, ..Request::default() };
    let parts = global.ask_each(&targets, |targets| Request { targets, ..request.clone() })?;
    let response = Response::joined(parts);
    if let Some(path) = &written {
        let known = response.problems.iter().map(entry).collect();
        write_baseline(global, path, known)?;
        if format == Format::Json {
            output::json(Request::NAME, &response)?;
        }
        return Ok(if response.unchecked.is_empty() { ExitCode::SUCCESS } else { exit::<Request>(&response) });
    }
    let exit = exit::<Request>(&response);
    let is_for_people = matches!(format, Format::Text | Format::Concise);
    let response = if is_for_people { output::visible_response(response) } else { response };
    let file = file.map(|file| file.to_string_lossy().into_owned());
    match format {
        Format::Json => output::json(Request::NAME, &response)?,
        Format::Text if diff => {
            output::print(&check::patch(&response))?;
            output::note(&check::patched(&response))?;
        }
        Format::Text => {
            output::print(&check::report(&response, fail_on, file.as_deref()))?;
            if let ([Target::Agent(agent)], true) = (&targets[..], response.passed) {
                output::print(&check::next(agent))?;
            }
        }
        Format::Concise => output::print(&concise::check(&response, fail_on, file.as_deref()))?,
        Format::Sarif => output::bytes(sarif::check(&response).as_bytes())?,
        Format::Github => output::bytes(github::check(&response, fail_on).as_bytes())?,
    }
    Ok(exit)
}

fn entry(problem: &Problem) -> BaselineEntry {
    let Problem { fingerprint, code, path, .. } = problem.clone();
    BaselineEntry { fingerprint, rule: code, file: path }
}
