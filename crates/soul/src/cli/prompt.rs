use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::model::Dialect;
use soul_engine::files::MAX_BYTES;
use soul_engine::ops;
use soul_engine::ops::prompt::{self, Now, Part};

use super::Global;
use crate::output::{self, Failure, concise, library};

/// Print the exact text that reaches the model
///
/// Prints the bytes and nothing else, not even a final newline. An invalid soul has no prompt. What
/// imitates a marker of the prompt is escaped, and told on standard error.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// The soul that this session is bound to, whatever its file says now
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// How much of the prompt
    #[arg(long, value_enum, default_value = "full")]
    layer: Layer,
    /// The base prompt, instead of AGENT.md's: a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    base: Option<OsString>,
    /// How things stand: a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    situation: Option<OsString>,
    /// What is to be done
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Read the soul in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layer {
    /// The soul alone, in the form of its dialect
    Identity,
    /// Every layer between its markers, with the safety rules at the end
    Full,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, session, layer, base, situation, task, dialect } = arguments;
    let inputs = [&target, &base, &situation].into_iter().flatten().filter(|typed| *typed == "-");
    if inputs.count() > 1 {
        let message = "standard input cannot be two things at once";
        return Err(Failure::message("usage", message, 2).hint("put one of them in a file"));
    }
    if layer == Layer::Identity && (situation.is_some() || task.is_some()) {
        let message = "the identity has no place for a situation or a task";
        return Err(Failure::message("usage", message, 2).hint("leave `--layer identity` out"));
    }
    let base = base.map(|typed| text(global, "base prompt", &typed)).transpose()?;
    let part = match layer {
        Layer::Identity => Part::Identity,
        Layer::Full => {
            let situation = situation.map(|typed| text(global, "situation", &typed)).transpose()?;
            Part::Full(Box::new(Now { situation, task, ..Now::default() }))
        }
    };
    let subject = super::subject(target.as_deref(), session, dialect)?;
    let response = global.ask(prompt::Request { subject, base, part })?;
    if global.json {
        output::json("prompt", &response)?;
    } else {
        output::bytes(response.text.as_bytes())?;
        output::note(&response.diagnostics.iter().map(concise::diagnostic).collect::<String>())?;
        output::note(&response.soul_source.as_ref().map(library::note).unwrap_or_default())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(global: &Global, what: &str, typed: &OsStr) -> Result<String, Failure> {
    let shown = if typed == "-" { "-".to_owned() } else { global.roots().shown(typed.as_ref()) };
    let refused =
        |code, why: &str, exit| Failure::message(code, &format!("the {what} `{shown}` was not read: {why}"), exit);
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
