//! The library of souls, one file a command.

mod create;
mod current;
mod delete;
mod history;
mod list;
mod rollback;
mod select;
mod show;
mod update;

use std::ffi::OsString;
use std::process::ExitCode;

use soul_engine::library::SoulId;
use soul_engine::ops::Error;
use soul_engine::ops::library::seed;
use soul_engine::ops::payload::Asker;

use super::Global;
use super::author::Actor;
use crate::output::Failure;

/// A library of souls for whoever brings none, one of them selected
///
/// The souls are files: `souls/ID.md` in the home. A library that was never begun is given its first soul,
/// `default`, by whichever of these commands comes first.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    List(list::Arguments),
    Show(show::Arguments),
    Create(create::Arguments),
    Update(update::Arguments),
    Delete(delete::Arguments),
    Select(select::Arguments),
    Current(current::Arguments),
    History(history::Arguments),
    Rollback(rollback::Arguments),
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::List(arguments) => list::run(global, arguments),
        Command::Show(arguments) => show::run(global, &arguments),
        Command::Create(arguments) => create::run(global, arguments),
        Command::Update(arguments) => update::run(global, arguments),
        Command::Delete(arguments) => delete::run(global, arguments),
        Command::Select(arguments) => select::run(global, arguments),
        Command::Current(arguments) => current::run(global, &arguments),
        Command::History(arguments) => history::run(global, arguments),
        Command::Rollback(arguments) => rollback::run(global, arguments),
    }
}

/// Options of every command that changes a soul of the library.
#[derive(clap::Args)]
struct Author {
    /// Change only the soul that you have seen, named by its digest, canonical or raw
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

/// Options of every command that writes a text.
#[derive(clap::Args)]
struct Forced {
    /// Do it whatever the scanner says, and put this reason on record
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

impl Forced {
    fn reason(self) -> Option<String> {
        self.force.filter(|reason| !reason.trim().is_empty())
    }
}

/// The text of a soul, from the command line or a file.
#[derive(clap::Args)]
struct Content {
    /// The text that reaches a model
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "file")]
    content: Option<String>,
    /// The same from a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    file: Option<OsString>,
}

impl Content {
    fn text(self, global: &Global) -> Result<Option<String>, Failure> {
        let Some(file) = self.file else { return Ok(self.content) };
        let text = String::from_utf8(super::bytes(global, &file)?);
        let wrong = |_| Failure::message("invalid_utf8", "the content is not UTF-8 text", 1);
        Ok(Some(text.map_err(wrong)?.trim_start_matches('\u{feff}').to_owned()))
    }
}

/// What was typed where only the id of a soul can stand.
pub(super) fn id(typed: &str) -> Result<SoulId, Failure> {
    Ok(typed.parse().map_err(Error::Library)?)
}

/// Begins the library, if nobody has. A service has done so when it started.
fn begin(global: &Global, asker: &Asker) -> Result<(), Failure> {
    if global.server.is_none() {
        seed::run(global.keeper()?, asker.clone())?;
    }
    Ok(())
}

/// The same for a command that only reads: where nothing can be written, an empty library is empty.
fn begin_if_possible(global: &Global, command: &str) -> Result<(), Failure> {
    match begin(global, &Actor::default().asker(command)) {
        Err(failure) if failure.is_unable() => Ok(()),
        done => done,
    }
}
