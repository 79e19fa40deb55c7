use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::PossibleValue;
use serde::Serialize;
use soul_core::formats::soulspec::Disclosed;
use soul_core::model::Dialect;
use soul_core::text::visible;
use soul_engine::ops::{Operation, inspect};

use super::{Global, input};
use crate::output::style::{FAINT, STRONG};
use crate::output::table::{Table, cell};
use crate::output::{self, Failure};

/// Show what a soul says, its digest, and everything wrong with it
///
/// Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul inspect ada                        an agent
  soul inspect SOUL.md                    a file
  soul inspect my-pack --level 1          what a client loads of a package first
  soul inspect ada --json | jq .digest    for a script")]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    target: OsString,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Show what a client loads of a package up to this level of disclosure
    #[arg(long, value_parser = input::listed::<u8>([
        PossibleValue::new("1").help("The manifest"),
        PossibleValue::new("2").help("Soul, identity and rules too"),
        PossibleValue::new("3").help("Procedures, style, heartbeat and examples too"),
    ]))]
    level: Option<u8>,
}

pub(crate) fn run(global: &Global, Arguments { target, dialect, level }: Arguments) -> Result<ExitCode, Failure> {
    let sources = !global.json || level.is_some();
    let request = inspect::Request { dialect, sources, ..inspect::Request::new(input::target(&target)?) };
    match level {
        Some(level) => disclose(global, global.ask(request)?, level),
        None => global.answer(request, output::inspection::inspection),
    }
}

/// What is loaded of a package, up to a level.
#[derive(Serialize)]
struct Disclosure<'a> {
    source_path: &'a str,
    level: u8,
    summary: Option<&'a str>,
    loaded: Vec<Disclosed>,
}

fn disclose(global: &Global, response: inspect::Response, level: u8) -> Result<ExitCode, Failure> {
    let Some(mut loaded) = response.disclosure else {
        let failure = Failure::usage("`--level` is for packages only");
        return Err(failure.hint("a package is a folder with a `soul.json`"));
    };
    loaded.retain(|file| file.level <= usize::from(level));
    let manifest = &response.document["manifest"];
    let summary = manifest["disclosure"]["summary"].as_str().or_else(|| manifest["description"].as_str());
    let disclosure = Disclosure { source_path: &response.source_path, level, summary, loaded };
    if global.json {
        output::json(&format!("{}.level", inspect::Request::NAME), &disclosure)?;
    } else {
        let mut text = format!("{STRONG}{}{STRONG:#}  level {level}\n", visible(&response.source_path));
        if let Some(summary) = summary {
            text.push_str(&format!("  {}\n", visible(summary)));
        }
        let mut table = Table::new([">LEVEL", "FILE", ">BYTES", ">TOKENS"]);
        for file in &disclosure.loaded {
            let numbers = [file.level, file.bytes, file.est_tokens].map(|number| number.to_string());
            let [level, bytes, tokens] = numbers;
            table.row([cell(level, FAINT), visible(&file.path).into(), bytes.into(), tokens.into()]);
        }
        let total = disclosure.loaded.iter().map(|file| file.est_tokens).sum::<usize>().to_string();
        table.row(["".into(), cell("total", STRONG), "".into(), cell(total, STRONG)]);
        text.push_str(&table.render());
        output::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}
