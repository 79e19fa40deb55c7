use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;
use soul_engine::ops::{inspect, load, validate};
use soul_engine::workspace::Target;

use super::Global;
use super::scan::Format;
use crate::output::progress::Progress;
use crate::output::{self, Failure, concise, github, sarif, terminal};

/// Check souls and exit with 1 if any is invalid
///
/// A directory stands for every SOUL.md below it and every file of a `souls` folder; `.git` and
/// `node_modules` are passed over.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files, directories or agents' names; the current directory if none is given
    #[arg(value_name = "TARGET")]
    targets: Vec<OsString>,
    /// Check this file, or `-` for standard input, as what a target would become
    #[arg(long, value_name = "FILE")]
    file: Option<OsString>,
    /// Read them in this dialect instead of the one that each text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// How much is asked of a package
    #[arg(long, value_enum, default_value_t = Asked::Lenient)]
    profile: Asked,
    /// How to print what is found
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Asked {
    /// What is there can be read
    Lenient,
    /// Everything that a registry asks for
    Publish,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let targets = match &arguments.file {
        Some(file) => {
            let mut proposals = Vec::new();
            for typed in &arguments.targets {
                match super::target(typed)? {
                    Target::Agent(name) => proposals.push(Target::Proposal(name, super::bytes(global, file)?)),
                    target => {
                        load::run(
                            global.keeper()?,
                            inspect::Request { target, dialect: None, profile: Profile::Lenient },
                        )?;
                        proposals.push(super::file(file)?);
                    }
                }
            }
            if proposals.is_empty() { vec![super::file(file)?] } else { proposals }
        }
        None if arguments.targets.is_empty() => vec![super::file(".".as_ref())?],
        None => arguments.targets.iter().map(|typed| super::target(typed)).collect::<Result<_, _>>()?,
    };
    let profile = match arguments.profile {
        Asked::Lenient => Profile::Lenient,
        Asked::Publish => Profile::Publish,
    };
    let progress = Progress::start("souls checked");
    // What lies here is checked here, whoever keeps the agents.
    let mut responses = Vec::new();
    for targets in targets.chunk_by(|a, b| a.is_here() == b.is_here()) {
        let request = validate::Request { targets: targets.to_vec(), dialect: arguments.dialect, profile };
        responses
            .push(global.ask_or(request, |keeper, request| validate::run(keeper, request, &|| progress.advance()))?);
    }
    drop(progress);
    let response = validate::Response::joined(responses);
    match arguments.format {
        Format::Json => output::json("validate", &response)?,
        _ if global.json => output::json("validate", &response)?,
        Format::Text => output::print(&terminal::validation(&response))?,
        Format::Concise => output::print(&concise::validation(&response))?,
        Format::Sarif => output::bytes(sarif::validation(&response).as_bytes())?,
        Format::Github => output::bytes(github::validation(&response).as_bytes())?,
    }
    Ok(if response.summary.invalid == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
