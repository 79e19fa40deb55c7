use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_core::runtimes::RUNTIMES;
use soul_engine::ops::Operation;
use soul_engine::ops::deliver::{FailOn, Request};
use soul_engine::souls::Target;
use soul_engine::workspace::openable;

use super::global::exit;
use super::scan::Format;
use super::{Global, input};
use crate::output::{self, Failure, concise, delivery, github, sarif};

/// Show what a runtime really gives the model, and what it cuts, drops or blocks
///
/// A directory is delivered as it is. A single soul (a file, an agent's name or `-`) is put where the runtime looks for
/// one. Exits with 1 if a limit of the soul does not reach the model. `soul deliver --runtime openclaw --settings`
/// lists what `--set` can change.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul deliver ~/.openclaw/workspace --runtime openclaw                 every section and its state
  soul deliver ada --runtime openclaw@2026.4 --session-kind subagent    an earlier version, another kind of session
  soul deliver SOUL.md --all                                            every runtime and kind of session
  soul deliver . --runtime codex --text                                 the exact bytes
  soul deliver . --runtime hermes --fail-on loss --format github        in CI")]
pub(crate) struct Arguments {
    /// A file, a directory, an agent's name, or `-` for standard input
    #[arg(required_unless_present = "settings", conflicts_with = "settings")]
    target: Option<OsString>,
    /// The runtime; `@VERSION` takes the newest known version that is not above it
    #[arg(long, value_name = "RUNTIME", required_unless_present = "all")]
    runtime: Option<String>,
    /// The kind of session, such as `main`, `subagent`, `cron` or `group`
    #[arg(long, value_name = "KIND")]
    session_kind: Option<String>,
    /// Every runtime and every kind of session, as a table
    #[arg(long, conflicts_with_all = ["runtime", "text"])]
    all: bool,
    /// The path at which the runtime finds it, if it is not here: runtimes print paths, and some count them
    #[arg(long, value_name = "PATH")]
    at: Option<String>,
    /// The model's context window
    #[arg(long, value_name = "TOKENS", value_parser = input::number(1..=1_000_000_000_u64))]
    window: Option<u64>,
    /// A setting by the runtime's own name
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Print the text that the model is given, and nothing else
    #[arg(long, conflicts_with_all = ["json", "format"])]
    text: bool,
    /// What exits with 1
    #[arg(long, value_name = "WHAT", value_parser = input::one_of::<FailOn>(&[
        ("limit", "A limit that does not reach the model; the default without `--all`"),
        ("loss", "Any section that does not reach the model as a whole"),
    ]))]
    fail_on: Option<FailOn>,
    /// How to print what is lost
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// List the settings of the runtime, with its session kinds and limits
    #[arg(long, requires = "runtime", conflicts_with_all = ["text", "all"])]
    settings: bool,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, runtime, session_kind, all, at, window, set, text, fail_on, format, settings, dialect } =
        arguments;
    if settings {
        let id = runtime.as_deref().unwrap_or_default().split('@').next().unwrap_or_default();
        let Some(runtime) = RUNTIMES.iter().find(|runtime| runtime.id == id) else {
            let known: Vec<&str> = RUNTIMES.iter().map(|runtime| runtime.id).collect();
            let failure = Failure::usage(format!("unknown runtime `{id}`"));
            return Err(failure.hint(format!("the runtimes are {}", known.join(", "))));
        };
        output::print(&delivery::facts(runtime))?;
        return Ok(ExitCode::SUCCESS);
    }
    let target = input::target(target.as_deref().unwrap_or_default())?;
    let folder = shown_folder(&target);
    let set: BTreeMap<String, String> = set.into_iter().collect();
    let request = Request { target, runtime, session_kind, all, at, window, set, fail_on, dialect };
    let response = global.ask(request)?;
    let code = exit::<Request>(&response);
    let format = if global.json { Format::Json } else { format };
    if text {
        output::bytes(response.delivery.as_ref().map_or(&[][..], |report| report.text.as_bytes()))?;
        return Ok(code);
    }
    match format {
        Format::Json => output::json(Request::NAME, &response)?,
        Format::Text => output::print(&delivery::report(&output::visible_response(response)))?,
        Format::Concise => output::print(&concise::delivery(&output::visible_response(response), &folder))?,
        Format::Sarif => output::bytes(sarif::delivery(&response, &folder).as_bytes())?,
        Format::Github => output::bytes(github::delivery(&response, &folder).as_bytes())?,
    }
    Ok(code)
}

/// What stands before the names of files, so that they can be opened from here.
fn shown_folder(target: &Target) -> String {
    let folder = match target {
        Target::Path(path) if path.is_dir() => path.as_path(),
        Target::Path(path) => path.parent().unwrap_or_else(|| Path::new("")),
        _ => return String::new(),
    };
    match openable(folder).as_str() {
        "." => String::new(),
        folder => format!("{}/", folder.trim_end_matches('/')),
    }
}

pub(super) fn setting(typed: &str) -> Result<(String, String), String> {
    let (key, value) = typed.split_once('=').ok_or("give a key and a value, such as `maxChars=12000`")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}
