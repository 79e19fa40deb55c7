//! `soul persona`: one file a command.

mod adapt;
mod drift;
mod history;
mod mood;
mod overlay;
mod revert;
mod show;

use std::ffi::OsStr;

use serde_json::Value;
use soul_engine::fault::Kind;
use soul_engine::files::{self, MAX_BYTES};

use super::{Global, Row, input};
use crate::output::Failure;

pub(super) const ABOUT: &str = "Show and adjust an agent's traits and mood

What the author wrote is the baseline and is never edited. Traits move away from it in bounded steps that fade,
moods come and go, and all of it can be reverted.";

pub(super) const EXAMPLES: &str = "Examples:
  soul persona show ada                         traits, mood and limits
  soul persona mood ada --set focused           set the mood
  soul persona history ada                      every step that was taken";

pub(super) const COMMANDS: &[Row] = &[
    command!(show),
    command!(adapt),
    command!(drift),
    command!(mood),
    command!(overlay),
    command!(history),
    command!(revert),
];

/// The JSON of a file, or of standard input for `-`.
fn json(global: &Global, typed: &OsStr) -> Result<Value, Failure> {
    let bytes = input::bytes(global, typed)?;
    let wrong = |why: &str| {
        let shown = if typed == "-" { "standard input".to_owned() } else { global.roots().shown(typed.as_ref()) };
        let failure = Failure::new(Kind::Invalid, "bad_input", format!("`{shown}` cannot be used: {why}"));
        failure.hint("docs/persona.md describes the format")
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(wrong(&files::Error::TooLarge.to_string()));
    }
    serde_json::from_slice(&bytes).map_err(|error| wrong(&format!("it is not JSON: {error}")))
}
