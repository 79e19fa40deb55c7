use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::files;
use soul_engine::ops::convert::{self, Form, Response};

use super::Global;
use crate::output::{self, Failure, conversion};

/// Write a soul in another dialect, and tell what was kept, moved and lost
///
/// The text goes to standard output and the report to standard error, unless `-o` is given. Only
/// what cannot be read at all stops it; values that validation refuses are carried over.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, a persona as JSON, or `-` for standard input
    target: OsString,
    /// The dialect it is in, instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    from: Option<Dialect>,
    /// What it becomes: agh, agentos, soulspec, cantus, dagu or persona-json
    #[arg(long, value_name = "FORM")]
    to: Form,
    /// Write to this file, or into this directory
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Write nothing and exit with 1 if anything is moved or lost
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let request =
        convert::Request { target: super::target(&arguments.target)?, from: arguments.from, to: arguments.to };
    let keeper = global.keeper()?;
    let response = convert::run(&keeper, request)?;
    let refused = arguments.strict && !response.losses.is_empty();
    if let (Some(out), false) = (&arguments.out, refused) {
        write(&response, out, &arguments.target)?;
    }
    if global.json {
        output::json("convert", &response)?;
    } else if arguments.out.is_some() && !refused {
        output::print(&conversion::report(&response))?;
    } else {
        if !refused {
            output::bytes(response.text.as_bytes())?;
        }
        output::note(&conversion::report(&response))?;
        if !refused && !response.files.is_empty() {
            output::note(&conversion::files_beside(&response))?;
        }
    }
    Ok(if refused { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Writes the soul to a file; or into a directory, which is made if several files need one.
fn write(response: &Response, out: &Path, source: &OsStr) -> Result<(), Failure> {
    let into_directory = out.is_dir() || out.as_os_str().to_string_lossy().ends_with('/') || !response.files.is_empty();
    for (path, text) in response.all_files() {
        let path = if into_directory { out.join(path) } else { out.to_path_buf() };
        if same_file(&path, source.as_ref()) {
            let failure = Failure::message("usage", "the soul would be written over itself", 2);
            return Err(failure.hint("choose another file; the original holds what the other dialect cannot"));
        }
        let failed =
            |error: std::io::Error| Failure::io("the output", &error).hint("check that its directory can be written");
        if let Some(parent) = path.parent().filter(|_| into_directory) {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        files::replace(&path, text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
