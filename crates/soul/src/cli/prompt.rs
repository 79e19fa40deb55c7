use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ids::SessionId;
use soul_engine::ops::prompt::{Part, Request};

use super::{Global, input};
use crate::output::{self, Failure, concise, library};

/// Print the exact text that reaches the model
///
/// Prints the bytes and nothing else, not even a final newline. An invalid soul has no prompt. What imitates a
/// marker of the prompt is escaped, and reported on standard error.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// Use the soul that this session is bound to, whatever its file says now
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// How much of the prompt to print
    #[arg(long, default_value = "full", value_parser = input::one_of::<Part>(&[
        ("identity", "The soul alone, in the form of its dialect"),
        ("full", "Every layer between its markers, with the safety rules at the end"),
    ]))]
    layer: Part,
    /// The base prompt, instead of AGENT.md's: a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    base: Option<OsString>,
    /// The situation that the agent is in: a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    situation: Option<OsString>,
    /// The task that the agent is to do
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, session, layer, base, situation, task, dialect } = arguments;
    let inputs = [&target, &base, &situation].into_iter().flatten().filter(|typed| *typed == "-");
    if inputs.count() > 1 {
        return Err(Failure::usage("standard input cannot be two things at once").hint("put one of them in a file"));
    }
    if layer == Part::Identity && (situation.is_some() || task.is_some()) {
        let message = "the identity has no place for a situation or a task";
        return Err(Failure::usage(message).hint("leave `--layer identity` out"));
    }
    let text = |what, typed: Option<OsString>| typed.map(|typed| input::text(global, what, &typed)).transpose();
    let (base, situation) = (text("base prompt", base)?, text("situation", situation)?);
    let subject = input::subject(target.as_deref(), session)?;
    let request = Request { dialect, layer, base, situation, task, ..Request::new(subject) };
    global.answer_with(request, |response| {
        output::bytes(response.text.as_bytes())?;
        output::note(&response.diagnostics.iter().map(concise::diagnostic).collect::<String>())?;
        output::note(&response.soul_source.as_ref().map(library::note).unwrap_or_default())
    })
}
