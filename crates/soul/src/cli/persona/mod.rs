//! `soul persona`: one file a command.

mod adapt;
mod drift;
mod history;
mod mood;
mod overlay;
mod revert;
mod show;

use std::ffi::OsStr;
use std::process::ExitCode;

use serde_json::Value;
use soul_engine::files::{self, MAX_BYTES};

use super::Global;
use crate::output::Failure;

/// How an agent is disposed: traits and mood, and what became of them
///
/// What the author wrote is the baseline and is never edited. Around it traits move by bounded steps that
/// fade, and moods come and go; all of it can be taken back.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Show(show::Arguments),
    Adapt(adapt::Arguments),
    Drift(drift::Arguments),
    Mood(mood::Arguments),
    Overlay(overlay::Arguments),
    History(history::Arguments),
    Revert(revert::Arguments),
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Show(arguments) => show::run(global, &arguments),
        Command::Adapt(arguments) => adapt::run(global, arguments),
        Command::Drift(arguments) => drift::run(global, arguments),
        Command::Mood(arguments) => mood::run(global, arguments),
        Command::Overlay(arguments) => overlay::run(global, arguments),
        Command::History(arguments) => history::run(global, arguments),
        Command::Revert(arguments) => revert::run(global, arguments),
    }
}

/// The JSON of a file, or of standard input for `-`.
fn json(global: &Global, typed: &OsStr) -> Result<Value, Failure> {
    let bytes = super::bytes(global, typed)?;
    let wrong = |why: &str| {
        let shown = if typed == "-" { "standard input".to_owned() } else { global.roots().shown(typed.as_ref()) };
        let message = format!("`{shown}` cannot be used: {why}");
        Failure::message("bad_input", &message, 1).hint("docs/persona.md tells what these files hold")
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(wrong(&files::Error::TooLarge.to_string()));
    }
    serde_json::from_slice(&bytes).map_err(|error| wrong(&format!("it is not JSON: {error}")))
}
