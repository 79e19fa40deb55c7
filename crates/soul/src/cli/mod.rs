//! One file a command: its arguments, one call, its output.

mod audit;
mod author;
mod boot;
mod completions;
mod context;
mod convert;
mod delete;
mod diff;
mod doctor;
mod history;
mod inspect;
mod library;
mod log;
mod man;
mod memory;
mod migrate;
mod persona;
mod prompt;
mod rollback;
mod rule;
mod scan;
mod serve;
mod session;
mod task;
mod test;
mod token;
mod validate;
mod write;

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use soul_core::model::Dialect;
use soul_engine::files::{self, MAX_BYTES};
use soul_engine::ops::{Operation, Subject};
use soul_engine::workspace::{AgentName, Roots, Target};
use soul_engine::{Keeper, ops};

use crate::output::{self, Failure};
use crate::remote;

/// The identity layer for AI agents
///
/// Reads, checks, versions and projects SOUL.md files in every dialect.
#[derive(Parser)]
#[command(name = "soul", version, max_term_width = 100, after_help = EXITS)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What the exit codes mean.
const EXITS: &str =
    "Exit codes: 0 fine, 1 the input is at fault, 2 wrong usage, 3 conflict, 4 not found, 5 could not be done";

/// Options of every command.
#[derive(Args)]
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
    /// Ask this service instead of the home; also SOUL_SERVER
    #[arg(long, global = true, value_name = "URL", value_parser = remote::address)]
    server: Option<String>,
    #[arg(skip)]
    keeper: OnceCell<Keeper>,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Arguments),
    Validate(validate::Arguments),
    Prompt(prompt::Arguments),
    Convert(convert::Arguments),
    Migrate(migrate::Arguments),
    Context(context::Arguments),
    Boot(boot::Arguments),
    Test(test::Arguments),
    Write(write::Arguments),
    Delete(delete::Arguments),
    History(history::Arguments),
    Diff(diff::Arguments),
    Rollback(rollback::Arguments),
    #[command(subcommand)]
    Audit(audit::Command),
    #[command(subcommand)]
    Library(library::Command),
    #[command(subcommand)]
    Persona(persona::Command),
    #[command(subcommand)]
    Session(session::Command),
    #[command(subcommand)]
    Task(task::Command),
    Log(log::Arguments),
    Serve(serve::Arguments),
    #[command(subcommand)]
    Token(token::Command),
    Doctor(doctor::Arguments),
    Memory(memory::Arguments),
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

fn run(mut cli: Cli) -> Result<ExitCode, Failure> {
    if cli.global.server.is_none() && !matches!(cli.command, Command::Serve(_)) {
        cli.global.server = remote::from_environment()?;
    }
    let global = &cli.global;
    match cli.command {
        Command::Inspect(arguments) => inspect::run(global, arguments),
        Command::Validate(arguments) => validate::run(global, arguments),
        Command::Prompt(arguments) => prompt::run(global, arguments),
        Command::Convert(arguments) => convert::run(global, arguments),
        Command::Migrate(arguments) => migrate::run(global, &arguments),
        Command::Context(arguments) => context::run(global, arguments),
        Command::Boot(arguments) => boot::run(global, arguments),
        Command::Test(arguments) => test::run(global, arguments),
        Command::Write(arguments) => write::run(global, arguments),
        Command::Delete(arguments) => delete::run(global, arguments),
        Command::History(arguments) => history::run(global, arguments),
        Command::Diff(arguments) => diff::run(global, arguments),
        Command::Rollback(arguments) => rollback::run(global, arguments),
        Command::Audit(command) => audit::run(global, command),
        Command::Library(command) => library::run(global, command),
        Command::Persona(command) => persona::run(global, command),
        Command::Session(command) => session::run(global, command),
        Command::Task(command) => task::run(global, command),
        Command::Log(arguments) => log::run(global, &arguments),
        Command::Serve(arguments) => serve::run(global, arguments),
        Command::Token(command) => token::run(global, command),
        Command::Doctor(arguments) => doctor::run(global, &arguments),
        Command::Memory(arguments) => memory::run(global, arguments),
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
    /// Has a request answered: by the service, or here if there is none or only this machine has what
    /// it is about.
    fn ask<O: Operation>(&self, request: O) -> Result<O::Response, Failure> {
        self.ask_or(request, |keeper, request| request.run(keeper))
    }

    /// The same, done in this way if it is done here.
    fn ask_or<O: Operation>(
        &self,
        request: O,
        here: impl FnOnce(&Keeper, O) -> Result<O::Response, ops::Error>,
    ) -> Result<O::Response, Failure> {
        match &self.server {
            Some(server) if !request.is_here() => remote::ask(server, &request),
            _ => Ok(here(self.keeper()?, request)?),
        }
    }

    /// The keeper of this machine.
    fn keeper(&self) -> Result<&Keeper, Failure> {
        if self.keeper.get().is_none() {
            let _ = self.keeper.set(self.open()?);
        }
        self.keeper.get().ok_or_else(|| Failure::message("io", "the keeper could not be opened", 5))
    }

    fn open(&self) -> Result<Keeper, Failure> {
        Ok(Keeper::open(self.roots())?)
    }

    fn roots(&self) -> Roots {
        let user = std::env::home_dir();
        let home = self.home.clone().filter(|home| !home.as_os_str().is_empty());
        let home = home.or_else(|| user.as_ref().map(|user| user.join(".soul")));
        let home = home.map(|home| absolute(&home));
        let workspace = match &self.workspace {
            Some(workspace) => Some(absolute(workspace)),
            None => std::env::current_dir().ok().and_then(|here| Roots::workspace_above(&here, home.as_deref())),
        };
        Roots { workspace, home, user }
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

/// A target or a session; the command line has seen to it that it is one of them.
fn subject(target: Option<&OsStr>, session: Option<String>, dialect: Option<Dialect>) -> Result<Subject, Failure> {
    match session {
        Some(id) => Ok(Subject::Session(id.into())),
        None => Ok(Subject::Target(self::target(target.unwrap_or_default())?, dialect)),
    }
}

/// What was typed where only an agent can stand.
fn agent(typed: &str) -> Result<AgentName, Failure> {
    Ok(typed.parse().map_err(ops::Error::from)?)
}

/// The bytes of a file, or of standard input for `-`.
fn bytes(global: &Global, typed: &OsStr) -> Result<Vec<u8>, Failure> {
    if typed == "-" {
        return standard_input();
    }
    let refused = |error: std::io::Error| {
        let shown = global.roots().shown(typed.as_ref());
        match error.kind() {
            std::io::ErrorKind::NotFound => Failure::message("not_found", &format!("there is nothing at `{shown}`"), 4),
            _ => Failure::message("io", &format!("`{shown}` was not read: {}", files::plain(&error)), 5),
        }
    };
    // Whatever the user named may be read, a pipe or a link too; one byte more shows that it was too much.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(typed).map_err(refused)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    Ok(bytes)
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
