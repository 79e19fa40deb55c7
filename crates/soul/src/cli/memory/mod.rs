//! `soul memory`: one file a command.

mod add;
mod detail;
mod forget;
mod search;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use soul_core::search::Day;
use soul_engine::ops::memory::{Which, Whose};
use soul_engine::workspace::AgentName;

use super::Global;
use crate::output::Failure;

/// Search an agent's memory, show it, add to it, and forget
///
/// A memory is `MEMORY.md` and the Markdown files below `memory/`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Search(search::Arguments),
    Detail(detail::Arguments),
    Status(status::Arguments),
    Add(add::Arguments),
    Forget(forget::Arguments),
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Search(arguments) => search::run(global, &arguments),
        Command::Detail(arguments) => detail::run(global, &arguments),
        Command::Status(arguments) => status::run(global, &arguments),
        Command::Add(arguments) => add::run(global, &arguments),
        Command::Forget(arguments) => forget::run(global, &arguments),
    }
}

/// Whose memory a command is about.
#[derive(Args)]
struct Place {
    /// The directory that holds `MEMORY.md` and `memory/`; the current one if nothing is given
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The agent whose memory it is
    #[arg(long, value_name = "NAME", conflicts_with = "dir")]
    agent: Option<String>,
}

impl Place {
    fn whose(&self) -> Result<Whose, Failure> {
        match &self.agent {
            Some(name) => Ok(Whose::Agent(name.parse::<AgentName>().map_err(soul_engine::ops::Error::from)?)),
            None => Ok(Whose::Directory(self.dir.clone().unwrap_or_else(|| PathBuf::from(".")))),
        }
    }
}

/// Which section of a file.
#[derive(Args)]
struct Chosen {
    /// The section that this line belongs to
    #[arg(long, value_name = "N")]
    line: Option<usize>,
    /// The section with this heading
    #[arg(long, value_name = "HEADING", conflicts_with = "line")]
    section: Option<String>,
}

impl Chosen {
    fn which(&self) -> Option<Which> {
        self.line.map(Which::Line).or_else(|| self.section.clone().map(Which::Section))
    }
}

/// Reads a point in time: RFC 3339, or a date, which is its beginning. Days are those of UTC.
fn moment(typed: &str) -> Result<Timestamp, String> {
    let of_date =
        |date: Date| date.to_datetime(Time::midnight()).to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp());
    typed
        .parse::<Timestamp>()
        .or_else(|_| typed.parse::<Date>().and_then(of_date))
        .map_err(|_| "give a date such as 2026-11-15, or a time such as 2026-11-15T12:00:00Z".to_owned())
}

fn day(typed: &str) -> Result<Day, String> {
    moment(typed).map(day_of)
}

fn day_of(moment: Timestamp) -> Day {
    Day::of_seconds(moment.as_second())
}
