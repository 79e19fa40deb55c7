use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::files;
use soul_engine::ops::Operation;
use soul_engine::ops::convert::{Form, Request, Response};

use super::{Global, input};
use crate::output::{self, Failure, conversion};

/// Convert a soul to another dialect, and report what was kept, moved and lost
///
/// The text goes to standard output and the report to standard error, unless `-o` is given. Only a soul that
/// cannot be read at all is refused; values that validation refuses are carried over.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, an agent's directory or name, a persona as JSON, or `-` for standard input
    target: OsString,
    /// The dialect it is in, instead of detecting it
    #[arg(long, value_parser = input::dialect, value_name = "DIALECT")]
    from: Option<Dialect>,
    /// What to convert it to: agh, agentos, soulspec, cantus, dagu or persona-json
    #[arg(long, value_name = "FORM")]
    to: Form,
    /// Write to this file, or into this directory
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Write nothing and exit with 1 if anything would be moved or lost
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, from, to, out, strict } = arguments;
    let out = out.as_deref().filter(|out| *out != Path::new("-")).map(Output::of);
    let file_name = out.as_ref().and_then(Output::file_name);
    let response = global.ask(Request { target: input::target(&target)?, from, to, file_name })?;
    let refused = strict && !response.losses.is_empty();
    if let (Some(out), false) = (&out, refused) {
        write(&response, out)?;
    }
    if global.json {
        output::json(Request::NAME, &response)?;
    } else if out.is_some() && !refused {
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

/// Where the files go.
enum Output<'a> {
    /// Into a directory, under their own names.
    Directory(&'a Path),
    /// The soul to this file, the others beside it.
    File(&'a Path),
}

impl<'a> Output<'a> {
    /// A path without an extension, or one that ends in a slash, is a directory.
    fn of(path: &'a Path) -> Self {
        let is_directory =
            path.is_dir() || path.to_string_lossy().ends_with('/') || (path.extension().is_none() && !path.exists());
        if is_directory { Self::Directory(path) } else { Self::File(path) }
    }

    fn file_name(&self) -> Option<String> {
        match self {
            Self::Directory(_) => None,
            Self::File(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        }
    }

    fn path_of(&self, name: &str, is_soul: bool) -> PathBuf {
        match self {
            Self::Directory(folder) => folder.join(name),
            Self::File(path) if is_soul => path.to_path_buf(),
            Self::File(path) => path.with_file_name("").join(name),
        }
    }
}

/// Writes all files or none, and never one that was read.
fn write(response: &Response, out: &Output<'_>) -> Result<(), Failure> {
    let named = response.all_files().enumerate();
    let files: Vec<(PathBuf, &[u8])> =
        named.map(|(index, (name, text))| (out.path_of(name, index == 0), text.as_bytes())).collect();
    let read = |path: &Path| match &response.read_from {
        Some(from) if from.is_dir() => {
            path.parent().is_some_and(|folder| files::is_same(folder, from)) && path.exists()
        }
        Some(from) => files::is_same(path, from),
        None => false,
    };
    if files.iter().any(|(path, _)| read(path)) {
        let failure = Failure::usage("the soul would be written over itself");
        return Err(failure.hint("choose another place; the original holds what the other dialect cannot"));
    }
    let failed = |error: std::io::Error| {
        Failure::io("the output", &error).hint("check that its directory is there and can be written")
    };
    let made = if let Output::Directory(folder) = out { Some(*folder) } else { None };
    for folder in files
        .iter()
        .filter_map(|(path, _)| path.parent())
        .filter(|folder| made.is_some_and(|made| folder.starts_with(made)) || files.len() > 1)
    {
        std::fs::create_dir_all(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).map_err(failed)?;
    }
    files::replace_all(&files).map_err(failed)
}
