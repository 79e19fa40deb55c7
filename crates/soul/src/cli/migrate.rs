use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use soul_core::formats::soulspec::{MANIFESTS, SpecVersion};
use soul_engine::files;
use soul_engine::ops::migrate;
use soul_engine::workspace::Target;

use super::Global;
use crate::output::style::{FAINT, GOOD, STRONG};
use crate::output::{self, Failure};

/// Bring a package's manifest to another version of Soul Spec
///
/// Edits the manifest in place and keeps its layout.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The package's folder, or its manifest
    package: OsString,
    /// The version, 0.1 to 0.6
    #[arg(long)]
    to: SpecVersion,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let target = Target::Path(PathBuf::from(&arguments.package));
    let response = migrate::run(&global.keeper()?, migrate::Request { target, to: arguments.to })?;
    if !arguments.dry_run && response.changed {
        write(Path::new(&arguments.package), &response)?;
    }
    if global.json {
        output::json("migrate", &response)?;
    } else {
        output::print(&report(&response, arguments.dry_run))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(package: &Path, response: &migrate::Response) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::io("the manifest", &error).hint("check that the package can be written");
    let folder = if package.is_dir() { package } else { package.parent().unwrap_or(Path::new(".")) };
    let current = response.source_path.rsplit('/').next().unwrap_or(MANIFESTS[0]);
    let name = response.rename.unwrap_or(current);
    files::replace(&folder.join(name), response.text.as_bytes()).map_err(failed)?;
    if name != current {
        std::fs::remove_file(folder.join(current)).map_err(failed)?;
    }
    Ok(())
}

fn report(response: &migrate::Response, dry_run: bool) -> String {
    let what = match (response.changed, dry_run) {
        (false, _) => "nothing to do",
        (true, true) => "would be done",
        (true, false) => "done",
    };
    let mut text = format!("{STRONG}{}{STRONG:#} → {}  {GOOD}{what}{GOOD:#}\n", response.source_path, response.to);
    for change in &response.changes {
        text.push_str(&format!("  {FAINT}-{FAINT:#} {change}\n"));
    }
    text
}
