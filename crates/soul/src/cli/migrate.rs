use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::{PossibleValue, TypedValueParser};
use soul_core::formats::soulspec::SpecVersion;
use soul_engine::ops::migrate;
use soul_engine::souls::Target;

use super::{Global, input};
use crate::output::style::{FAINT, GOOD, STRONG};
use crate::output::{Failure, view};

/// Migrate a package's manifest to another version of Soul Spec
///
/// Edits the manifest in place and keeps its layout.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul migrate my-pack --to 0.6 --dry-run    show what would change
  soul migrate my-pack --to 0.6              edit the manifest")]
pub(crate) struct Arguments {
    /// The package's folder or manifest, or an agent's name
    package: OsString,
    /// The version of Soul Spec to migrate to
    #[arg(long, value_name = "VERSION", value_parser = version())]
    to: SpecVersion,
    /// Show what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Reads a version; a patch release of one has the same manifest.
fn version() -> impl TypedValueParser<Value = SpecVersion> {
    input::listed(SpecVersion::ALL.iter().map(|version| match version {
        SpecVersion::V0_5 => PossibleValue::new(version.as_str()).aliases(["0.5.1", "0.5.2", "0.5.3"]),
        version => PossibleValue::new(version.as_str()),
    }))
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
    let mut text =
        format!("{STRONG}{}{STRONG:#} {} {}  {GOOD}{what}{GOOD:#}\n", response.source_path, view::arrow(), response.to);
    for change in &response.changes {
        text.push_str(&format!("  {FAINT}-{FAINT:#} {change}\n"));
    }
    text
}
