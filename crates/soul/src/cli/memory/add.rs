use std::process::ExitCode;

use soul_core::text::visible;
use soul_engine::fields::Moment;
use soul_engine::ops::memory::add;

use super::Place;
use crate::cli::{Global, input};
use crate::output::style::{FAINT, STRONG};
use crate::output::{Failure, findings};

/// Add a section to the day's log or to a topic
///
/// The text is scanned first, because it reaches the agent's prompt.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul memory add 'Staging listens on port 8081'               in the log of the day
  soul memory add --agent ada --topic ports 'Staging: 8081'    in a topic
  git log -1 --format=%B | soul memory add -                   from standard input")]
pub(crate) struct Arguments {
    /// The text, or `-` for standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Heading of the section; defaults to the time in a log and to the date in a topic
    #[arg(long, value_name = "HEADING")]
    section: Option<String>,
    /// Add to this topic instead of the day's log
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Add as of this day or time, instead of now
    #[arg(long, value_name = "TIME")]
    now: Option<Moment>,
    /// Start a memory in a directory that has none and does not belong to an agent
    #[arg(long)]
    create: bool,
    /// Add the text even if the scanner refuses it, for this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { text, section, topic, place, now, create, force } = arguments;
    let text = if text == "-" { input::text(global, "text", text.as_ref())? } else { text };
    let (section, topic, force) = (input::non_blank(section), input::non_blank(topic), input::non_blank(force));
    global.answer(add::Request { memory: place.memory(), text, section, topic, now, create, force }, added)
}

fn added(response: &add::Response) -> String {
    let new = if response.created { "  new file" } else { "" };
    let (file, line, section) = (&response.file, response.line, visible(&response.section));
    let findings: String = response.findings.iter().map(findings::accepted).collect();
    format!("{STRONG}{file}:{line}{STRONG:#}  {section}{FAINT}{new}{FAINT:#}\n{findings}")
}
