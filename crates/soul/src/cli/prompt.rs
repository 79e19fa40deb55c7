use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::model::Dialect;
use soul_core::text::Source;
use soul_engine::ops::{self, prompt};
use soul_engine::workspace::Target;

use super::Global;
use crate::output::{self, Failure};

/// Print the exact text that tells a model who it is
///
/// Prints the bytes and nothing else, not even a final newline. An invalid soul has no prompt.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    target: String,
    /// Which part of the prompt
    #[arg(long, value_enum)]
    layer: Layer,
    /// Join the identity with the base prompt in this file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    base: Option<String>,
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
    if arguments.target == "-" && arguments.base.as_deref() == Some("-") {
        return Err(Failure::message("usage", "standard input cannot be both the soul and the base prompt", 2)
            .hint("put one of them in a file"));
    }
    let base = arguments.base.as_deref().map(base).transpose()?;
    let request = prompt::Request { target: super::target(&arguments.target)?, dialect: arguments.dialect, base };
    let response = prompt::run(&global.keeper()?, request)?;
    if global.json {
        output::json("prompt", &response)?;
    } else {
        output::bytes(response.text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn base(typed: &str) -> Result<String, Failure> {
    let bytes = match super::file(typed)? {
        Target::Path(path) => std::fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::from(ops::Error::NotFound(typed.to_owned())),
            _ => Failure::io(&format!("`{typed}`"), &error),
        })?,
        Target::Text(bytes) => bytes,
        Target::Agent(_) => Vec::new(),
    };
    let not_text = || {
        Failure::message("invalid_utf8", &format!("the base prompt `{typed}` is not UTF-8 text"), 1)
            .hint("save the file as UTF-8")
    };
    Source::new(bytes).text().map(str::to_owned).ok_or_else(not_text)
}
