use std::ffi::OsString;
use std::process::ExitCode;

use soul_core::formats::soulspec::SpecVersion;
use soul_engine::ops::migrate;
use soul_engine::souls::Target;

use super::Global;
use crate::output::Failure;
use crate::output::style::{FAINT, GOOD, STRONG};

/// Migrate a package's manifest to another version of Soul Spec
///
/// Edits the manifest in place and keeps its layout.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The package's folder or manifest, or an agent's name
    package: OsString,
    /// The version, from 0.1 to 0.6
    #[arg(long)]
    to: SpecVersion,
    /// Show what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(global: &Global, Arguments { package, to, dry_run }: Arguments) -> Result<ExitCode, Failure> {
    let target = Target::from_typed(&package).map_err(Failure::refused)?;
    global.answer(migrate::Request { target, to, dry_run }, |response| report(response, dry_run))
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
