use std::process::ExitCode;

use soul_engine::ops::{outdated, update};
use soul_engine::registry::PackageName;

use super::Global;
use super::install::{Consent, agreed};
use crate::output::{self, Failure};

/// Update installed packages to the versions of their registries
///
/// Each update is a plan that you agree to, as with `soul install`. Without a package, every outdated one is updated in
/// turn.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul outdated                                    what could be updated
  soul update                                      all of it, one plan after the other
  soul update soulkeeper/harbour-pilot --plan      what would change")]
pub(crate) struct Arguments {
    /// OWNER/NAME; every outdated package if absent
    #[arg(value_name = "PACKAGE")]
    package: Option<PackageName>,
    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn run(global: &Global, Arguments { package, consent }: Arguments) -> Result<ExitCode, Failure> {
    let one = |package: PackageName| {
        agreed(global, &consent, "update it?", |plan_digest| update::Request { package: package.clone(), plan_digest })
    };
    if let Some(package) = package {
        return one(package);
    }
    let found = global.ask(outdated::Request {})?;
    let newer: Vec<_> = found.packages.into_iter().filter(|package| package.available > package.installed).collect();
    match &newer[..] {
        [] => {
            output::print("every package is up to date\n")?;
            Ok(ExitCode::SUCCESS)
        }
        [_, _, ..] if global.json || consent.plan_digest.is_some() => {
            let names: Vec<String> = newer.iter().map(|package| package.package.to_string()).collect();
            let failure = Failure::usage("several packages are outdated, and each has a plan of its own");
            Err(failure.hint(format!("name one of {}", names.join(", "))))
        }
        _ => {
            for package in newer {
                one(package.package)?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}
