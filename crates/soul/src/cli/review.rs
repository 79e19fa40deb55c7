use std::process::ExitCode;

use soul_engine::ids::ProposalId;
use soul_engine::ops::review::Request;
use soul_engine::store::{Message, ProposalState};

use super::{Global, ask};
use crate::output::{self, Failure, proposals};

/// Review a proposed change of a soul
///
/// Shows what it changes in the current soul and what the scanner found. At a terminal a key decides: `a` accepts,
/// `r` rejects, `d` shows the difference line by line, `q` leaves it pending. What others have changed since is merged.
/// A text that the scanner refuses needs a reason.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul review prop_01K9                          show it; at a terminal, decide
  soul review prop_01K9 --accept -m 'agreed'     accept it
  soul review prop_01K9 --reject 'too chatty'    reject it")]
pub(crate) struct Arguments {
    /// The proposal's id, or its first characters
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    id: String,
    /// Accept it: the soul changes
    #[arg(long, conflicts_with = "reject")]
    accept: bool,
    /// Reject it, for this reason (recorded)
    #[arg(long, value_name = "REASON")]
    reject: Option<Message>,
    /// Record why it is accepted, in at most 1024 bytes; required if the scanner refuses the text
    #[arg(short, long, value_name = "TEXT", conflicts_with = "reject")]
    message: Option<Message>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, accept, reject, message } = arguments;
    if message.is_some() && !accept {
        return Err(Failure::usage("`--message` says why a proposal is accepted").hint("add `--accept`"));
    }
    let request = Request { id: ProposalId::from(id), accept, reject, message };
    if request.accept || request.reject.is_some() || !ask::is_possible(global) {
        return global.answer(request, proposals::reviewed);
    }
    decide(global, request)
}

/// Shows a proposal and asks what becomes of it.
fn decide(global: &Global, mut request: Request) -> Result<ExitCode, Failure> {
    let shown = output::visible_response(global.ask(request.clone())?);
    if shown.proposal.state != ProposalState::Pending {
        return global.show::<Request>(shown, proposals::reviewed);
    }
    request.id = shown.proposal.id.clone();
    output::note(&proposals::summary(&shown))?;
    loop {
        match ask::key("accept, reject, show the difference or quit?", &['a', 'r', 'd', 'q']) {
            'a' => {
                let why =
                    if shown.proposal.poisoned { "why accept what the scanner refuses?" } else { "why? (optional)" };
                let message = ask::text(why).and_then(|text| text.parse::<Message>().ok());
                if shown.proposal.poisoned && message.is_none() {
                    continue;
                }
                return global.answer(Request { accept: true, message, ..request }, proposals::reviewed);
            }
            'r' => {
                let Some(reason) = ask::text("why reject it?").and_then(|text| text.parse().ok()) else { continue };
                return global.answer(Request { reject: Some(reason), ..request }, proposals::reviewed);
            }
            'd' => output::note(&proposals::lines(&shown))?,
            _ => return Ok(ExitCode::SUCCESS),
        }
    }
}
