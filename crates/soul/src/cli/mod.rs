//! One file a command: its arguments, one call, its output.

mod completions;
mod convert;
mod inspect;
mod man;
mod migrate;
mod prompt;
mod rule;
mod scan;
mod validate;

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use soul_core::model::Dialect;
use soul_engine::files::MAX_BYTES;
use soul_engine::workspace::{Roots, Target};
use soul_engine::{Keeper, ops};

use crate::output::{self, Failure};

/// The identity layer for AI agents
///
/// Reads, checks and projects SOUL.md files in every dialect.
#[derive(Parser)]
#[command(name = "soul", version, max_term_width = 100, after_help = EXITS)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What the exit codes mean.
const EXITS: &str = "Exit codes: 0 fine, 1 the input is at fault, 2 wrong usage, 4 not found, 5 could not be done";

/// Options of every command.
#[derive(Args, Clone)]
pub(crate) struct Global {
    /// Print one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The keeper's home
    #[arg(long, global = true, env = "SOUL_HOME", value_name = "DIR", hide_env_values = true, value_parser = clap::builder::OsStringValueParser::new().map(PathBuf::from))]
    home: Option<PathBuf>,
    /// The workspace, instead of the nearest folder with a `.soul` in it
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Arguments),
    Validate(validate::Arguments),
    Prompt(prompt::Arguments),
    Convert(convert::Arguments),
    Migrate(migrate::Arguments),
    Scan(scan::Arguments),
    Rule(rule::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command that was typed, and says how it went.
pub(crate) fn main() -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let wants_json = typed.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let result = match Cli::try_parse_from(&typed) {
        Ok(cli) => run(cli),
        Err(error) if !error.use_stderr() => return output::help(&error, 0),
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && !wants_json => {
            return output::help(&error, 2);
        }
        Err(error) => Err(Failure::usage(&error)),
    };
    result.unwrap_or_else(|failure| output::failure(&failure, wants_json))
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let global = &cli.global;
    match cli.command {
        Command::Inspect(arguments) => inspect::run(global, arguments),
        Command::Validate(arguments) => validate::run(global, arguments),
        Command::Prompt(arguments) => prompt::run(global, arguments),
        Command::Convert(arguments) => convert::run(global, arguments),
        Command::Migrate(arguments) => migrate::run(global, &arguments),
        Command::Scan(arguments) => scan::run(global, arguments),
        Command::Rule(arguments) => rule::run(global, arguments),
        Command::Completions(arguments) => completions::run(global, &arguments),
        Command::Man(arguments) => man::run(global, &arguments),
    }
}

/// The command line itself, for what is generated from it.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

impl Global {
    fn keeper(&self) -> Result<Keeper, Failure> {
        let home = self
            .home
            .clone()
            .filter(|home| !home.as_os_str().is_empty())
            .or_else(|| std::env::home_dir().map(|home| home.join(".soul")));
        let home = home.map(|home| absolute(&home));
        let workspace = match &self.workspace {
            Some(workspace) => Some(absolute(workspace)),
            None => std::env::current_dir().ok().and_then(|here| Roots::workspace_above(&here, home.as_deref())),
        };
        Ok(Keeper::open(Roots { workspace, home })?)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// What was typed as a target; `-` is standard input.
fn target(typed: &OsStr) -> Result<Target, Failure> {
    if typed == "-" {
        return Ok(Target::Text(standard_input()?));
    }
    Ok(Target::from_typed(typed).map_err(ops::Error::from)?)
}

/// What was typed where only a file can stand; `-` is standard input.
fn file(typed: &OsStr) -> Result<Target, Failure> {
    if typed == "-" { target(typed) } else { Ok(Target::Path(typed.into())) }
}

/// One byte more than is ever read shows that there was too much.
fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("standard input", &error))?;
    Ok(bytes)
}

fn dialect(typed: &str) -> Result<Dialect, String> {
    typed.parse().map_err(|_| {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect();
        format!("the dialects are {}", names.join(", "))
    })
}
