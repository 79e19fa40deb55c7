use std::process::ExitCode;

use soul_engine::ops::session::refresh;

use crate::cli::Global;
use crate::cli::author::Actor;
use crate::output::{self, Failure, live};

/// Bind an idle session to its agent's soul as it is now
///
/// A session with a run under way is left alone, and so is one whose file is invalid.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The session
    session: String,
    /// The digest of the soul that the session is bound to, as you have seen it
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { session, expected_digest, actor } = arguments;
    let request = refresh::Request { session: session.into(), expected_digest, asker: actor.asker("session refresh") };
    let resolved = global.ask(request)?;
    if global.json {
        output::json("session.refresh", &resolved)?;
    } else {
        output::print(&live::session(&resolved.response))?;
    }
    Ok(ExitCode::SUCCESS)
}
