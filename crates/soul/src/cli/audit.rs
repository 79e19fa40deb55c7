use std::process::ExitCode;

use soul_engine::ops::audit;

use super::Global;
use crate::output::progress::Progress;
use crate::output::{self, Failure, record};

/// Prove that the record is whole
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Walk every chain of revisions, and name the first that does not hold
    ///
    /// Exits with 1 if one does not. A chain cannot show that its end was cut off: keep the heads
    /// that are printed, and ask for them next time.
    Verify(Verify),
}

#[derive(clap::Args)]
pub(crate) struct Verify {
    /// A head that was printed earlier and must still be in its chain; may be given many times
    #[arg(long, value_name = "CHAIN")]
    expect_head: Vec<String>,
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    let Command::Verify(arguments) = command;
    let progress = Progress::start("revisions checked");
    let request = audit::Request { expect_heads: arguments.expect_head };
    let response = global.ask_or(request, |keeper, request| audit::run(keeper, request, &|| progress.advance()));
    drop(progress);
    let response = response?;
    if global.json {
        output::json("audit.verify", &response)?;
    } else {
        output::print(&record::audit(&response))?;
    }
    Ok(if response.ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
