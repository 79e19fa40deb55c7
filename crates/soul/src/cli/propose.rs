use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::edits::{Action, SectionEdit};
use soul_engine::ops::propose::Request;
use soul_engine::workspace::AgentName;

use super::{Global, input};
use crate::output::{Failure, proposals};

/// Propose a change of a soul, for a person to review
///
/// Nothing changes until a person accepts it with `soul review`. The text is validated and scanned now, and again
/// when it is accepted. An agent cannot change its own soul in any other way.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul propose ada --file draft.md --reason 'users ask for shorter answers'
  soul propose ada --add 'Style=- Answer in one sentence' --session sess_01K9
  soul propose ada --replace 'Tone=Dry and friendly' --remove 'Old habits'")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The whole new text, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["add", "replace", "remove"])]
    file: Option<OsString>,
    /// Add a text to a section, which is created if there is none; repeatable
    #[arg(long, value_name = "SECTION=TEXT", value_parser = named_text)]
    add: Vec<(String, String)>,
    /// Replace what a section says; repeatable
    #[arg(long, value_name = "SECTION=TEXT", value_parser = named_text)]
    replace: Vec<(String, String)>,
    /// Remove a section; repeatable
    #[arg(long, value_name = "SECTION")]
    remove: Vec<String>,
    /// Why the change is good, for the reviewer
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// What the reason is based on, such as what a user said
    #[arg(long, value_name = "TEXT")]
    evidence: Option<String>,
    /// The session in which it came up
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// A section and a text, as in `Style=Be brief`.
fn named_text(typed: &str) -> Result<(String, String), String> {
    match typed.split_once('=') {
        Some((section, text)) if !section.trim().is_empty() => Ok((section.trim().to_owned(), text.to_owned())),
        _ => Err("give a section and a text, as in `Style=- Be brief`".to_owned()),
    }
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, file, add, replace, remove, reason, evidence, session } = arguments;
    let with = |action: Action| move |(section, text): (String, String)| SectionEdit { section, action, text };
    let removed = remove.into_iter().map(|section| (section, String::new()));
    let edits: Vec<_> = (replace.into_iter().map(with(Action::Replace)))
        .chain(removed.map(with(Action::Remove)))
        .chain(add.into_iter().map(with(Action::Add)))
        .collect();
    if file.is_none() && edits.is_empty() {
        return Err(Failure::usage("there is nothing to propose")
            .hint("give the whole text with `--file`, or a section with `--add`, `--replace` or `--remove`"));
    }
    let body = file.map(|file| input::bytes(global, &file)).transpose()?.map(Into::into);
    let (reason, evidence) = (input::non_blank(reason), input::non_blank(evidence));
    let request = Request { agent, body, edits, reason, evidence, session: input::non_blank(session) };
    global.answer(request, proposals::proposed)
}
