use std::ffi::OsString;
use std::process::ExitCode;

use serde::Serialize;
use soul_core::formats::soulspec::{Disclosed, Profile};
use soul_core::model::Dialect;
use soul_core::text::visible;
use soul_engine::ops::inspect;

use super::Global;
use crate::output::style::{FAINT, STRONG};
use crate::output::{self, Failure, terminal};

/// Show what a soul says, its digest, and everything wrong with it
///
/// Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    target: OsString,
    /// Read it in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Show what a client loads of a package at this level of disclosure
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: Option<u8>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request = inspect::Request {
        target: super::target(&arguments.target)?,
        dialect: arguments.dialect,
        profile: Profile::Lenient,
    };
    let response = global.ask(request)?;
    if let Some(level) = arguments.level {
        return disclose(global, &response, level);
    }
    if global.json {
        output::json("inspect", &response)?;
    } else {
        output::print(&terminal::inspection(&response))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is loaded of a package, up to a level.
#[derive(Serialize)]
struct Disclosure<'a> {
    source_path: &'a str,
    level: u8,
    summary: Option<&'a str>,
    loaded: Vec<Disclosed>,
}

fn disclose(global: &Global, response: &inspect::Response, level: u8) -> Result<ExitCode, Failure> {
    let Some(loaded) = response.disclosed(level.into()) else {
        let failure = Failure::message("usage", "only a package is disclosed by level", 2);
        return Err(failure.hint("a package is a folder with a `soul.json`"));
    };
    let manifest = &response.document["manifest"];
    let summary = manifest["disclosure"]["summary"].as_str().or_else(|| manifest["description"].as_str());
    let disclosure = Disclosure { source_path: &response.source_path, level, summary, loaded };
    if global.json {
        output::json("inspect.level", &disclosure)?;
    } else {
        let mut text = format!("{STRONG}{}{STRONG:#}  level {level}\n", response.source_path);
        if let Some(summary) = summary {
            text.push_str(&format!("  {}\n", visible(summary)));
        }
        for file in &disclosure.loaded {
            let (level, tokens, path) = (file.level, file.est_tokens, visible(&file.path));
            text.push_str(&format!(
                "  {FAINT}level {level}{FAINT:#}  {path:<28} {:>7} bytes  {tokens:>6} tokens\n",
                file.bytes
            ));
        }
        let total: usize = disclosure.loaded.iter().map(|file| file.est_tokens).sum();
        text.push_str(&format!("  about {total} tokens in all\n"));
        output::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}
