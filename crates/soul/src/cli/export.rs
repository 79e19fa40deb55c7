use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use soul_core::exchange::TARGETS;
use soul_core::model::Dialect;
use soul_engine::ops::Operation;
use soul_engine::ops::export::{Request, Response};
use soul_engine::souls::Target;

use super::global::exit;
use super::out::{Files, Output, Written, holds, shown};
use super::{Global, input};
use crate::output::{self, Failure, conversion, exchange};

/// Write a soul in the files of another program
///
/// Prints a plan first: which files, what the program drops or cuts, and which limits would be lost. With `-o` the files
/// are written, unless a limit would be lost (`--accept-loss`). `--check` compares them with what is there, for CI.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul export ada --target claude-output-style         the plan; nothing is written
  soul export ada --target openclaw -o workspace       write it
  soul export ada --target codex -o . --check          exit 1 if AGENTS.md is not what the soul says
  soul export --list                                   every target")]
pub(crate) struct Arguments {
    /// A file, a directory, an agent's name, or `-` for standard input
    #[arg(required_unless_present = "list")]
    target: Option<OsString>,
    /// The program or form to export to
    #[arg(long = "target", value_name = "PROGRAM", required_unless_present = "list")]
    to: Option<String>,
    /// Write the files into this directory
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; exit with 1 if the files there are not what the soul says
    #[arg(long, requires = "out")]
    check: bool,
    /// Write even if a limit of the soul would be lost
    #[arg(long)]
    accept_loss: bool,
    /// Replace files that are there with other content
    #[arg(long, requires = "out", conflicts_with = "check")]
    overwrite: bool,
    /// List the targets
    #[arg(long, conflicts_with_all = ["target", "to", "out"])]
    list: bool,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

/// A plan, and the files that were written or compared.
#[derive(Serialize)]
struct Exported<'a> {
    #[serde(flatten)]
    response: &'a Response,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a [exchange::Compared]>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, to, out, check, accept_loss, overwrite, list, dialect } = arguments;
    if list {
        return listed(global);
    }
    if out.as_deref() == Some(Path::new("-")) {
        let failure = Failure::usage("an export is a folder of files, which standard output cannot take");
        return Err(failure.hint("name a directory; `--json` prints the files"));
    }
    let target = input::target(target.as_deref().unwrap_or_default())?;
    let source = target.clone();
    let response = global.ask(Request { target, to: to.unwrap_or_default(), dialect, accept_loss })?;
    let mut code = exit::<Request>(&response);
    let directory = out.as_deref().map(|out| Output::Directory(out.to_path_buf()));
    let compared = directory.as_ref().filter(|_| check).map(|out| compared(out, &response));
    let written = match &directory {
        Some(out) if !check && response.passed => {
            let is_source = |path: &Path| is_source(&source, path);
            let files = Files { files: response.all_files().collect(), is_source: &is_source, by: "export" };
            Some(out.write(global, &files, overwrite)?)
        }
        _ => None,
    };
    if compared.as_ref().is_some_and(|files| files.iter().any(|file| file.state != "same")) {
        code = ExitCode::from(1);
    }
    if global.json {
        let written = written.as_ref().map(Written::paths);
        let exported = Exported { response: &response, written, check: compared.as_deref() };
        output::json(Request::NAME, &exported)?;
        return Ok(code);
    }
    let response = output::visible_response(response);
    if let Some(compared) = &compared {
        output::print(&exchange::compared(compared))?;
        return Ok(code);
    }
    output::print(&exchange::plan(&response, out.is_some()))?;
    if let Some(written) = &written {
        output::print(&conversion::written(written.paths()))?;
    }
    Ok(code)
}

/// Whether the soul was read from this file.
fn is_source(source: &Target, path: &Path) -> bool {
    let Target::Path(from) = source else { return false };
    let own = if from.is_dir() { from.join(path.file_name().unwrap_or_default()) } else { from.clone() };
    soul_engine::files::is_same(path, &own)
}

fn compared(out: &Output, response: &Response) -> Vec<exchange::Compared> {
    let state = |path: &Path, bytes: &[u8]| match path.symlink_metadata() {
        _ if holds(path, bytes) => "same",
        Ok(_) => "changed",
        Err(_) => "missing",
    };
    let files = response.all_files().map(|(name, bytes)| {
        let path = out.path_of(name, false);
        exchange::Compared { state: state(&path, bytes), path: shown(&path) }
    });
    files.collect()
}

fn listed(global: &Global) -> Result<ExitCode, Failure> {
    if global.json {
        let targets = TARGETS.iter().map(|target| serde_json::json!({ "id": target.id, "meaning": target.meaning }));
        output::json("export.list", &serde_json::json!({ "targets": targets.collect::<Vec<_>>() }))?;
    } else {
        output::print(&exchange::targets())?;
    }
    Ok(ExitCode::SUCCESS)
}
