use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use soul_core::model::Dialect;
use soul_engine::ops::Operation;
use soul_engine::ops::import::{Request, Response, Write};

use super::global::exit;
use super::out::{Files, Output, Written};
use super::{Global, input};
use crate::output::{self, Failure, conversion, exchange};

/// Read a soul from the files of another program
///
/// Reads CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, sub-agents and output styles of Claude Code, homes of OpenClaw
/// and Hermes, character cards (JSON, PNG or `.charx`), characters of ElizaOS, agents of CrewAI, and CLAW.md. The soul goes to
/// standard output and the report to standard error, unless `-o` is given. Secrets are never imported.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul import CLAUDE.md                         print it as a soul, and report what was left out
  soul import card.png -o ada                   write SOUL.md and the files beside it
  soul import config/agents.yaml#writer         one agent of CrewAI
  soul import ~/.openclaw -o ada                a home of OpenClaw
  soul import CLAUDE.md | soul write ada --file - --create")]
pub(crate) struct Arguments {
    /// A file or a directory
    path: PathBuf,
    /// The program that it is of, instead of detecting it
    #[arg(long, value_name = "FORM")]
    from: Option<String>,
    /// The dialect to write the soul in
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    to: Option<Dialect>,
    /// Write to this file, or into this directory
    #[arg(short, long, value_name = "OUT")]
    out: Option<OsString>,
    /// Replace files that are there with other content
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Write it although the scanner refuses it, for this reason
    #[arg(long, value_name = "REASON", requires = "out")]
    force: Option<String>,
}

/// A response, and where it was written.
#[derive(Serialize)]
struct Imported<'a> {
    #[serde(flatten)]
    response: &'a Response,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a [String]>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { path, from, to, out, overwrite, force } = arguments;
    let out = out.map(PathBuf::from).filter(|out| out != Path::new("-"));
    let write = out.as_ref().map(|_| Write { force: input::non_blank(force) });
    let response = global.ask(Request { path: Some(path.clone()), from, to, write, ..Request::default() })?;
    let code = exit::<Request>(&response);
    let out = out.filter(|_| response.valid);
    let written = match out {
        Some(out) => {
            let files = response.files.iter().map(|file| (file.path.as_str(), file.text.as_bytes())).collect();
            let is_source = |made: &Path| soul_engine::files::is_same(made, &path);
            Some(Output::of(&out).write(global, &Files { files, is_source: &is_source, by: "import" }, overwrite)?)
        }
        None => None,
    };
    match (&written, global.json) {
        (_, true) => {
            let written = written.as_ref().map(Written::paths);
            output::json(Request::NAME, &Imported { response: &response, written })?;
        }
        (Some(written), false) => {
            output::print(&conversion::written(written.paths()))?;
            output::print(&exchange::import(&output::visible_response(response), true))?;
        }
        (None, false) => {
            let own = response.files.first().map(|file| file.text.clone()).unwrap_or_default();
            output::bytes(own.as_bytes())?;
            output::note(&exchange::import(&output::visible_response(response), false))?;
        }
    }
    Ok(code)
}
