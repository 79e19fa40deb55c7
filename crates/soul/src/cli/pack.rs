use std::path::PathBuf;
use std::process::ExitCode;

use soul_engine::ops::pack;

use super::Global;
use crate::output::{Failure, packages};

/// Pack a folder into an archive that others can install
///
/// The same files make the same archive, to the byte. It contains SHA256SUMS, the checksum of every file, which `sha256sum
/// -c` reads; its digest names the whole. Hidden files are left out, and links are refused.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul pack pilot                  write pilot-1.0.0.soul.tar.gz
  soul pack pilot -o pilot.tgz     choose the file
  soul pack pilot --check          check what a registry requires, and write nothing
  soul pack pilot --key default    sign it")]
pub(crate) struct Arguments {
    /// The folder of the package, with a soul.json
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The archive to write [default: NAME-VERSION.soul.tar.gz]
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Write nothing; check the publish profile, and scan
    #[arg(long)]
    check: bool,
    /// Sign the checksums with this key (`soul key create`)
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

pub(crate) fn run(global: &Global, Arguments { dir, out, check, key }: Arguments) -> Result<ExitCode, Failure> {
    global.answer(pack::Request { dir, out, check, key }, packages::packed)
}
