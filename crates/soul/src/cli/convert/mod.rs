mod inputs;
mod many;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use soul_core::model::Dialect;
use soul_engine::files;
use soul_engine::ops::Operation;
use soul_engine::ops::convert::{Form, Request, Response};
use soul_engine::souls::Target;

use super::out::{Files, Output, Written};
use super::{Global, input};
use crate::output::{self, Failure, conversion};

/// Convert souls to another dialect, and report what was kept, moved, changed and lost
///
/// The text goes to standard output and the report to standard error, unless `-o` is given. Only a soul that
/// cannot be read at all is refused; values that validation refuses are kept as they are. Files beside the soul are
/// copied if the dialect is a folder; the report lists each.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul convert ada --to cantus                  print the text and report what is lost
  soul convert ada --to soulspec -o my-pack     write a package into a folder
  soul convert personas/ --to plain -o souls    every persona of a folder
  soul convert ada --to dagu --strict           fail if anything is lost")]
pub(crate) struct Arguments {
    /// Files, agents' directories or names, personas as JSON or a folder of them, or `-` for standard input
    #[arg(value_name = "TARGET", required = true)]
    targets: Vec<OsString>,
    /// The dialect they are in, instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    from: Option<Dialect>,
    /// The dialect to convert to, or `persona-json` for the JSON of a persona
    #[arg(long, value_name = "FORM", value_parser = input::form_parser())]
    to: Form,
    /// Write to this file, or into this directory; required for several souls
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Replace files that are not results of this conversion
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Write nothing for a soul of which anything would be moved, changed or lost, and exit with 1
    #[arg(long)]
    strict: bool,
}

/// What holds for every soul of a run.
#[derive(Clone, Copy)]
struct Options {
    from: Option<Dialect>,
    to: Form,
    overwrite: bool,
    strict: bool,
}

/// A response, and where it was written.
#[derive(Serialize)]
struct Converted<'a> {
    #[serde(flatten)]
    response: &'a Response,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a [String]>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { targets, from, to, out, overwrite, strict } = arguments;
    let options = Options { from, to, overwrite, strict };
    let out = out.filter(|out| out != Path::new("-"));
    let inputs = inputs::expanded(&targets)?;
    match (inputs.single(), &out) {
        (Some(target), out) => one(global, target, options, out.as_deref()),
        (None, Some(folder)) => many::run(global, &inputs, options, folder),
        (None, None) => Err(Failure::usage("several souls cannot all go to standard output")
            .hint("name a directory for them with `-o DIRECTORY`")),
    }
}

fn one(global: &Global, target: &Target, options: Options, out: Option<&Path>) -> Result<ExitCode, Failure> {
    let Options { from, to, overwrite, strict } = options;
    let out = out.map(Output::of);
    let file_name = out.as_ref().and_then(Output::file_name);
    let response = global.ask(Request { target: target.clone(), from, to, file_name })?;
    let refused = strict && response.has_losses();
    let written = match out.filter(|_| !refused) {
        Some(out) => Some(write(&out, global, &response, overwrite)?),
        None => None,
    };
    if global.json {
        let written = written.as_ref().map(Written::paths);
        output::json(Request::NAME, &Converted { response: &response, written })?;
    } else if let Some(written) = &written {
        output::print(&conversion::written(written.paths()))?;
        output::print(&conversion::report(&response))?;
    } else {
        if !refused {
            output::bytes(response.text.as_bytes())?;
        }
        output::note(&conversion::report(&response))?;
        if !refused && response.all_files().count() > 1 {
            output::note(&conversion::files_beside(&response))?;
        }
    }
    Ok(if refused { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Writes what was converted.
fn write(out: &Output, global: &Global, response: &Response, overwrite: bool) -> Result<Written, Failure> {
    let is_source = |path: &Path| was_read(response, path);
    let files = Files { files: response.all_files().collect(), is_source: &is_source, by: "conversion" };
    out.write(global, &files, overwrite)
}

/// Whether the conversion read this file.
fn was_read(response: &Response, path: &Path) -> bool {
    match &response.read_from {
        Some(from) if from.is_dir() => {
            let own = response.source_path.rsplit('/').next().unwrap_or_default();
            let others = response.companions.iter().map(|companion| companion.path.as_str());
            let below = || path.ancestors().skip(1).any(|folder| files::is_same(folder, from));
            path.exists() && below() && others.chain([own]).any(|name| files::is_same(path, &from.join(name)))
        }
        Some(from) => files::is_same(path, from),
        None => false,
    }
}
