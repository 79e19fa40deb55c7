use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::model::Dialect;
use soul_engine::Keeper;
use soul_engine::files::MAX_BYTES;
use soul_engine::ops::{self, prompt};

use super::Global;
use crate::output::{self, Failure};

/// Print the exact text that tells a model who it is
///
/// Prints the bytes and nothing else, not even a final newline. An invalid soul has no prompt.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// The soul that this session is bound to, whatever its file says now
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Which part of the prompt
    #[arg(long, value_enum)]
    layer: Layer,
    /// Join the identity with the base prompt in this file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    base: Option<OsString>,
    /// Read the soul in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layer {
    /// The soul alone, in the form of its dialect
    Identity,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Layer::Identity = arguments.layer;
    let is_input = |typed: Option<&OsString>| typed.is_some_and(|typed| typed == "-");
    if is_input(arguments.target.as_ref()) && is_input(arguments.base.as_ref()) {
        let message = "standard input cannot be both the soul and the base prompt";
        return Err(Failure::message("usage", message, 2).hint("put one of them in a file"));
    }
    let keeper = global.keeper()?;
    let base = arguments.base.as_deref().map(|typed| base(&keeper, typed)).transpose()?;
    let subject = super::subject(arguments.target.as_deref(), arguments.session, arguments.dialect)?;
    let request = prompt::Request { subject, base };
    let response = prompt::run(&keeper, request)?;
    if global.json {
        output::json("prompt", &response)?;
    } else {
        output::bytes(response.text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn base(keeper: &Keeper, typed: &OsStr) -> Result<String, Failure> {
    let shown = if typed == "-" { "-".to_owned() } else { keeper.roots.shown(typed.as_ref()) };
    let refused =
        |code, why: &str, exit| Failure::message(code, &format!("the base prompt `{shown}` was not read: {why}"), exit);
    let bytes = if typed == "-" {
        super::standard_input()?
    } else {
        let mut bytes = Vec::new();
        let file = File::open(typed).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::from(ops::Error::NotFound(shown.clone())),
            kind => refused("io", &kind.to_string(), 5),
        })?;
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| refused("io", &error.kind().to_string(), 5))?;
        bytes
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("oversized_file", "it is larger than any prompt", 1));
    }
    String::from_utf8(bytes)
        .map_err(|_| refused("invalid_utf8", "it is not UTF-8 text", 1).hint("save the file as UTF-8"))
}
