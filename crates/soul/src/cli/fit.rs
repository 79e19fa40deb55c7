use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::Operation;
use soul_engine::ops::fit::Request;

use super::deliver::setting;
use super::global::exit;
use super::out::{Files, Output};
use super::{Global, input};
use crate::output::{self, Failure, conversion, exchange};

/// Shorten a soul until a runtime gives the model all of it
///
/// Limits stay first, then identity, principles, tone, style, examples and prose. Whole sentences and list items are
/// left out, never cut. The text goes to standard output and what was left out to standard error, unless `-o` is given.
/// Exits with 1 if not even the limits fit.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul fit ada --runtime openclaw                       the text, and what was left out
  soul fit SOUL.md --runtime hermes -o short/SOUL.md    write it
  soul fit . --runtime codex --set project_doc_max_bytes=8192")]
pub(crate) struct Arguments {
    /// A file, a directory, an agent's name, or `-` for standard input
    target: OsString,
    /// The runtime; `@VERSION` takes the newest known version that is not above it
    #[arg(long, value_name = "RUNTIME")]
    runtime: String,
    /// The kind of session, such as `main`, `cron` or `group`
    #[arg(long, value_name = "KIND")]
    session_kind: Option<String>,
    /// The model's context window
    #[arg(long, value_name = "TOKENS", value_parser = input::number(1..=1_000_000_000_u64))]
    window: Option<u64>,
    /// A setting by the runtime's own name
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Write to this file, or to SOUL.md in this directory
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, runtime, session_kind, window, set, out, overwrite, dialect } = arguments;
    let target = input::target(&target)?;
    let set: BTreeMap<String, String> = set.into_iter().collect();
    let response = global.ask(Request { target, runtime, session_kind, window, set, dialect })?;
    let code = exit::<Request>(&response);
    let written = match out.filter(|out| out != Path::new("-") && response.keeps_limits) {
        Some(out) => {
            let files = vec![("SOUL.md", response.text.as_bytes())];
            let made = Files { files, is_source: &|_| false, by: "fit" };
            Some(Output::of(&out).write(global, &made, overwrite)?)
        }
        None => None,
    };
    match (&written, global.json) {
        (_, true) => output::json(Request::NAME, &response)?,
        (Some(written), false) => {
            output::print(&conversion::written(written.paths()))?;
            output::print(&exchange::fit(&output::visible_response(response)))?;
        }
        (None, false) => {
            output::bytes(response.text.as_bytes())?;
            output::note(&exchange::fit(&output::visible_response(response)))?;
        }
    }
    Ok(code)
}
