use std::ffi::OsString;
use std::process::ExitCode;

use serde::Serialize;
use soul_core::formats::soulspec::Disclosed;
use soul_core::model::Dialect;
use soul_core::text::visible;
use soul_engine::ops::{Operation, inspect};

use super::{Global, input};
use crate::output::style::{FAINT, STRONG};
use crate::output::{self, Failure};

/// Show what a soul says, its digest, and everything wrong with it
///
/// Exits with 0 whenever there was something to read, valid or not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, or `-` for standard input
    target: OsString,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Show what a client loads of a package up to this level of disclosure
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
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
        let failure = Failure::usage("only a package is disclosed by level");
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
