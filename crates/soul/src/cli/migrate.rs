use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use soul_core::formats::soulspec::SpecVersion;
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
    let request = migrate::Request { target, to: arguments.to, dry_run: arguments.dry_run };
    let response = migrate::run(global.keeper()?, request)?;
    if global.json {
        output::json("migrate", &response)?;
    } else {
        output::print(&report(&response, arguments.dry_run))?;
    }
    Ok(ExitCode::SUCCESS)
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
