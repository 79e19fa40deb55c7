//! One file a command: its arguments, one request, its output. A row of `GROUPS` makes it known.

/// The row of a command: a module with `Arguments` and `run`.
macro_rules! command {
    ($name:ident) => {
        command!($name as stringify!($name))
    };
    ($name:ident as $typed:expr) => {
        $crate::cli::Row {
            name: $typed,
            build: |command, _| <$name::Arguments as clap::Args>::augment_args(command),
            run: |global, matches| $name::run(global, clap::FromArgMatches::from_arg_matches(matches)?),
        }
    };
}

/// The row of a group of commands: a module with `ABOUT`, `EXAMPLES` and `COMMANDS`.
macro_rules! group {
    ($name:ident) => {
        $crate::cli::Row {
            name: stringify!($name),
            build: |command, typed| {
                let command = command.after_help($name::EXAMPLES);
                $crate::cli::grouped(command, $name::ABOUT, $name::COMMANDS, typed)
            },
            run: |global, matches| $crate::cli::dispatch($name::COMMANDS, global, matches),
        }
    };
}

mod anchor;
mod ask;
mod audit;
mod backup;
mod boot;
mod change;
mod check;
mod complete;
mod completions;
mod context;
mod convert;
mod delete;
mod deliver;
mod diff;
mod doctor;
mod edit;
mod explain;
mod export;
mod fit;
mod global;
mod history;
mod import;
mod input;
mod inspect;
mod install;
mod installed;
mod key;
mod library;
mod list;
mod log;
mod man;
mod mcp;
mod memory;
mod merge;
mod migrate;
mod new;
mod out;
mod outdated;
mod pack;
mod persona;
mod prompt;
mod proposals;
mod propose;
mod receipt;
mod record;
mod registry;
mod restore;
mod restore_backup;
mod review;
mod rollback;
mod rollback_check;
mod rule;
mod scan;
mod serve;
mod session;
mod show;
mod status;
mod store;
mod sync;
mod task;
mod test;
mod token;
mod undo;
mod uninstall;
mod update;
mod r#use;
mod user;
mod validate;
mod verify;
mod whoami;
mod workspace;
mod write;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::output::style::{HEADING, STRONG};
use crate::output::wrap::wrapped;
use crate::output::{self, Failure, view};
use global::Global;

/// Every command, in the order of `--help`.
const GROUPS: &[(&str, &[Row])] = &[
    (
        "Author souls",
        &[
            command!(new),
            command!(edit),
            command!(check),
            command!(list),
            command!(status),
            command!(show),
            command!(prompt),
            command!(explain),
        ],
    ),
    (
        "Read and convert",
        &[
            command!(inspect),
            command!(validate),
            command!(scan),
            command!(rule),
            command!(test),
            command!(boot),
            command!(context),
            command!(deliver),
            command!(fit),
            command!(anchor),
            command!(export),
            command!(import),
            command!(convert),
            command!(migrate),
        ],
    ),
    (
        "Record and undo",
        &[
            command!(history),
            command!(diff),
            command!(record),
            command!(undo),
            command!(rollback),
            command!(rollback_check as "rollback-check"),
            command!(write),
            command!(delete),
            command!(merge),
            command!(propose),
            command!(proposals),
            command!(review),
            group!(audit),
            command!(log),
        ],
    ),
    (
        "Share packages",
        &[
            group!(registry),
            command!(install),
            command!(installed),
            command!(outdated),
            command!(update),
            command!(uninstall),
            command!(verify),
            command!(r#use as "use"),
            command!(restore),
            command!(pack),
            group!(key),
        ],
    ),
    (
        "Run agents",
        &[
            command!(serve),
            command!(mcp),
            group!(session),
            command!(receipt),
            group!(task),
            group!(persona),
            group!(memory),
            group!(library),
            group!(sync),
        ],
    ),
    (
        "Operate",
        &[
            command!(doctor),
            command!(backup),
            command!(restore_backup as "restore-backup"),
            group!(store),
            group!(workspace),
            group!(token),
            command!(whoami),
            command!(completions),
            command!(man),
        ],
    ),
];

fn commands() -> impl Iterator<Item = &'static Row> + Clone {
    GROUPS.iter().flat_map(|(_, rows)| rows.iter())
}

/// The commands to begin with.
const BEGIN: &[(&str, &str)] = &[
    ("soul new ada", "create an agent with a soul to edit"),
    ("soul edit ada", "edit it in your editor; checked and recorded when you save"),
    ("soul check ada", "validate, scan and test it"),
    ("soul prompt ada", "see the exact text that reaches the model"),
    ("soul serve", "serve your agents over HTTP and a Unix socket"),
];

/// The widest line of help.
const MAX_WIDTH: usize = 100;

const ABOUT: &str = "The identity layer for AI agents: author, check, version and serve SOUL.md files in every dialect";

const EXIT_CODES: &str = "Exit codes: 0 success, 1 invalid input or findings, 2 wrong usage or not allowed, 3 conflict, \
                          4 not found, 5 failure (I/O, store, network)";

/// The order of the main help: what to begin with comes before everything else.
const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{before-help}{options}\n{after-help}";

/// A command, or a group of commands.
struct Row {
    name: &'static str,
    /// Adds its arguments.
    build: fn(Command, Typed<'_>) -> Command,
    run: fn(&Global, &ArgMatches) -> Result<ExitCode, Failure>,
}

/// The words that were typed, if only what they can mean is built. The arguments of all commands would take most
/// of the time in which the program starts.
type Typed<'a> = Option<&'a [OsString]>;

/// Runs the command that was typed, and returns its exit code.
pub(crate) fn main() -> ExitCode {
    if complete::answer() {
        return ExitCode::SUCCESS;
    }
    let typed: Vec<OsString> = std::env::args_os().collect();
    let wants_json = typed.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let result = match parse(&typed) {
        Ok(matches) => run(&matches),
        Err(error) if !error.use_stderr() => return output::help(&error, 0),
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && !wants_json => {
            // The name alone asks what there is; a part that is left out is a mistake.
            return output::help(&error, if typed.len() > 1 { 2 } else { 0 });
        }
        Err(error) => Err(error.into()),
    };
    result.unwrap_or_else(|failure| output::failure(&failure, wants_json))
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let global = Global::from_arg_matches(matches)?;
    global.set_view();
    dispatch(commands(), &global, matches)
}

fn parse(typed: &[OsString]) -> Result<ArgMatches, clap::Error> {
    match program(Some(typed)).try_get_matches_from(typed) {
        // Help and suggestions are about every command.
        Err(error) if error.kind() != ErrorKind::DisplayVersion => command().try_get_matches_from(typed),
        parsed => parsed,
    }
}

fn program(typed: Typed<'_>) -> Command {
    let program =
        Command::new("soul").version(env!("CARGO_PKG_VERSION")).max_term_width(MAX_WIDTH).after_help(EXIT_CODES);
    grouped(Global::augment_args(program), ABOUT, commands(), typed)
}

/// The whole command line, with a help that shows what to begin with.
fn command() -> Command {
    let program = program(None);
    let overview = overview(&program);
    program.before_help(overview).help_template(TEMPLATE)
}

/// The commands to begin with, then every command by what it is for.
fn overview(program: &Command) -> String {
    const NAMES: usize = 16;
    let room = view::width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH).saturating_sub(NAMES + 4).max(20);
    let about = |name: &str| {
        let of_command = program.find_subcommand(name).and_then(Command::get_about);
        of_command.map(ToString::to_string).unwrap_or_default()
    };
    let mut out = String::new();
    let mut section = |title: &str, lines: &mut dyn Iterator<Item = (&str, String)>| {
        out.push_str(&format!("{HEADING}{title}:{HEADING:#}\n"));
        for (name, what) in lines {
            let what = wrapped(&what, room).join(&format!("\n{:indent$}", "", indent = NAMES + 4));
            out.push_str(&format!("  {STRONG}{name:<NAMES$}{STRONG:#}  {what}\n"));
        }
        out.push('\n');
    };
    section("Begin with", &mut BEGIN.iter().map(|(line, what)| (*line, (*what).to_owned())));
    for (title, rows) in GROUPS {
        section(title, &mut rows.iter().map(|row| (row.name, about(row.name))));
    }
    out.push_str(&format!("{HEADING}Global options:{HEADING:#}\n"));
    out
}

/// Adds the commands of a group. The first paragraph of its description is the short one.
fn grouped<'a>(
    command: Command,
    about: &'static str,
    rows: impl IntoIterator<Item = &'a Row>,
    typed: Typed<'_>,
) -> Command {
    let is_typed = |row: &&Row| typed.is_none_or(|words| words.iter().any(|word| word == row.name));
    let commands = rows.into_iter().filter(is_typed).map(|row| (row.build)(Command::new(row.name), typed));
    let command = command.subcommand_required(true).arg_required_else_help(true).subcommands(commands);
    match about.split_once("\n\n") {
        Some((first, _)) => command.about(first).long_about(about),
        None => command.about(about),
    }
}

fn dispatch<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    global: &Global,
    matches: &ArgMatches,
) -> Result<ExitCode, Failure> {
    let typed = matches.subcommand();
    let row = typed.and_then(|(name, matches)| Some((rows.into_iter().find(|row| row.name == name)?, matches)));
    match row {
        Some((row, matches)) => (row.run)(global, matches),
        None => Err(Failure::usage("there is no such command").hint("try `--help`")),
    }
}

#[cfg(test)]
mod tests;
