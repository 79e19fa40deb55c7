use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ids::SessionId;
use soul_engine::ops::prompt::{Part, Request};

use super::{Global, input};
use crate::output::{self, Failure, concise, library};

/// Print the exact text that reaches the model
///
/// Prints the bytes and nothing else; a final newline is added on a terminal only. An invalid soul has no prompt. What
/// imitates a marker of the prompt is escaped, and reported on standard error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul prompt ada                                     the exact text
  soul prompt ada --layers                            a table of its parts, with sizes
  soul prompt ada --task 'Review the pull request'    with a task
  soul prompt SOUL.md --layer identity                the soul alone")]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    target: Option<OsString>,
    /// Use the soul that this session is bound to, even if its file has changed
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// How much of the prompt to print
    #[arg(long, default_value = "full", value_parser = input::one_of::<Part>(&[
        ("identity", "The soul alone, in the form of its dialect"),
        ("full", "Every layer between its markers, with the safety rules at the end"),
    ]))]
    layer: Part,
    /// Show a table of the layers with their sizes, instead of the text
    #[arg(long)]
    layers: bool,
    /// Use this base prompt instead of AGENT.md's (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    base: Option<OsString>,
    /// Describe the situation that the agent is in (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    situation: Option<OsString>,
    /// Describe the environment that the agent runs in (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    environment: Option<OsString>,
    /// List the tools that the agent can use (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    tools: Option<OsString>,
    /// Describe the workflows that the agent should follow (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    workflows: Option<OsString>,
    /// Give the schema of the data that the agent reads or returns (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    schema: Option<OsString>,
    /// Give the agent this task
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments {
        target,
        session,
        layer,
        layers,
        base,
        situation,
        environment,
        tools,
        workflows,
        schema,
        task,
        dialect,
    } = arguments;
    let beside = [&situation, &environment, &tools, &workflows, &schema];
    let inputs = beside.into_iter().chain([&target, &base]).flatten().filter(|typed| *typed == "-");
    if inputs.count() > 1 {
        return Err(Failure::usage("standard input can be used only once").hint("put one of the texts in a file"));
    }
    if layer == Part::Identity && (task.is_some() || beside.into_iter().any(Option::is_some)) {
        let message = "`--layer identity` can be used only with `--base`";
        return Err(Failure::usage(message).hint("leave `--layer identity` out"));
    }
    let text = |what, typed: Option<OsString>| typed.map(|typed| input::text(global, what, &typed)).transpose();
    let base = text("base prompt", base)?;
    let situation = text("situation", situation)?;
    let environment = text("environment", environment)?;
    let tools = text("list of tools", tools)?;
    let workflows = text("workflows", workflows)?;
    let schema = text("schema", schema)?;
    let subject = input::subject(target.as_deref(), session)?;
    let request = Request { subject, dialect, layer, base, situation, task, environment, tools, workflows, schema };
    global.answer_with(request, |response| {
        match layers {
            true => output::print(&output::prompt::layers(&response.layers))?,
            false => output::bytes(response.text.as_bytes())?,
        }
        output::note(&response.diagnostics.iter().map(concise::diagnostic).collect::<String>())?;
        output::note(&response.soul_source.as_ref().map(library::note).unwrap_or_default())
    })
}
