use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::merge::{MergeAnswer, MergeChoice, Request};
use soul_engine::workspace::AgentName;

use super::{Global, input};
use crate::output::{self, Failure, merge};

/// Merge what two authors made of the same soul
///
/// Prints the merged text. What only one of them touched is merged by field, section and line; what both touched is a
/// question, and the command fails until each is answered. No file is changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul merge base.md mine.md theirs.md > merged.md
  soul merge base.md mine.md theirs.md --answer q1=theirs --answer q2=both
  soul merge base.md mine.md theirs.md --agent ada    read the texts as ada's soul")]
pub(crate) struct Arguments {
    /// The text that both began with, or `-` for standard input
    base: OsString,
    /// Your text
    ours: OsString,
    /// The other text
    theirs: OsString,
    /// Read the texts as the soul of this agent
    #[arg(long)]
    agent: Option<AgentName>,
    /// Read the texts in this dialect
    #[arg(long, value_parser = input::dialect_parser())]
    dialect: Option<Dialect>,
    /// Decide a question: ours, theirs, both or base; repeatable
    #[arg(long, value_name = "QUESTION=SIDE", value_parser = answer)]
    answer: Vec<(String, MergeChoice)>,
}

/// A question and a side, as in `q1=theirs`.
fn answer(typed: &str) -> Result<(String, MergeChoice), String> {
    let choice = |side: &str| match side {
        "ours" => Some(MergeChoice::Ours),
        "theirs" => Some(MergeChoice::Theirs),
        "both" => Some(MergeChoice::Both),
        "base" => Some(MergeChoice::Base),
        _ => None,
    };
    let named = typed.split_once('=').and_then(|(question, side)| Some((question.to_owned(), choice(side)?)));
    named.ok_or_else(|| {
        "give a question and a side, as in `q1=theirs`; the sides are ours, theirs, both, base".to_owned()
    })
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { base, ours, theirs, agent, dialect, answer } = arguments;
    let read = |file: &OsString| input::bytes(global, file).map(Into::into);
    let answers: BTreeMap<_, _> =
        answer.into_iter().map(|(question, choice)| (question, MergeAnswer::Choice(choice))).collect();
    let (base, ours, theirs) = (read(&base)?, read(&ours)?, read(&theirs)?);
    let request = Request { agent, soul: None, dialect, base, ours, theirs, answers };
    global.answer_with(request, |response| {
        if response.complete && response.valid {
            output::bytes(response.text.as_bytes())
        } else {
            output::note(&merge::open(response))
        }
    })
}
