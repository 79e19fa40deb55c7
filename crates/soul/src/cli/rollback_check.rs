use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_engine::fault::Kind;
use soul_engine::fields::Body;
use soul_engine::files::{self, Directory};
use soul_engine::ops::rollback_check::Request;

use super::{Global, input};
use crate::output::{Failure, drift};

/// Compare files with a baseline, and say whether to roll back
///
/// Reports how far each file has drifted, which limits were removed, and what the scanner finds in a file and not in its
/// baseline. Exits with 1 if the drift is high.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul rollback-check agents/ada backup/ada              two folders
  soul rollback-check SOUL.md reviewed/SOUL.md --json    two files")]
pub(crate) struct Arguments {
    /// The file or folder as it is now
    current: PathBuf,
    /// The file or folder to compare it with
    baseline: PathBuf,
}

pub(crate) fn run(global: &Global, Arguments { current, baseline }: Arguments) -> Result<ExitCode, Failure> {
    let (mut current_files, mut original_files) = (read(global, &current)?, read(global, &baseline)?);
    // Two files are compared whatever they are called.
    if !current.is_dir() && !baseline.is_dir() {
        let name = current.file_name().unwrap_or_default().to_string_lossy();
        current_files = current_files.into_values().map(|body| (name.to_string(), body)).collect();
        original_files = original_files.into_values().map(|body| (name.to_string(), body)).collect();
    }
    global.answer(Request { current_files, original_files }, drift::report)
}

/// The texts at a path by name.
fn read(global: &Global, path: &Path) -> Result<BTreeMap<String, Body>, Failure> {
    if !path.is_dir() {
        let name = path.to_string_lossy().into_owned();
        return Ok(BTreeMap::from([(name, input::bytes(global, path.as_os_str())?.into())]));
    }
    let shown = global.roots().shown(path);
    let failed = |error: files::Error| Failure::new(Kind::Unable, "io", format!("could not read `{shown}`: {error}"));
    let contents = Directory::open(path).and_then(|folder| folder.read_all()).map_err(failed)?;
    if let Some((_, error)) = contents.refused.into_iter().next() {
        return Err(failed(error));
    }
    Ok(contents.files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect())
}
