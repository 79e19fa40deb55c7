use std::path::Path;
use std::process::ExitCode;

use soul_core::digest::Digest;
use soul_engine::fault::Kind;
use soul_engine::ops::Operation;
use soul_engine::ops::install::{Request, Response};

use super::{Global, ask};
use crate::output::{self, Failure, packages};

/// Install a package from a registry, a folder or an archive
///
/// First comes a plan: every file with its checksum, what the package asks for, the scan, the signature and the licence.
/// Nothing is installed until you agree to it, at a terminal or with the digest of the plan. If the plan has changed since,
/// nothing is installed. The files go to `packages/OWNER/NAME/VERSION` in the home, and `soul.lock` records them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul install soulkeeper/harbour-pilot          show the plan, and ask
  soul install soulkeeper/harbour-pilot@^1.0     the highest version in a range
  soul install ./pilot --plan                    only show the plan for a folder
  soul install pilot-1.0.0.soul.tar.gz           an archive
  soul use soulkeeper/harbour-pilot              use it for an agent")]
pub(crate) struct Arguments {
    /// OWNER/NAME, OWNER/NAME@RANGE, a folder, or an archive
    #[arg(value_name = "SOURCE")]
    source: String,
    #[command(flatten)]
    consent: Consent,
}

/// How a plan is agreed to.
#[derive(clap::Args)]
pub(super) struct Consent {
    /// Show the plan, and install nothing
    #[arg(long, conflicts_with = "plan_digest")]
    pub(super) plan: bool,
    /// Install if this is the digest of the plan
    #[arg(long, value_name = "DIGEST")]
    pub(super) plan_digest: Option<Digest>,
}

pub(crate) fn run(global: &Global, Arguments { source, consent }: Arguments) -> Result<ExitCode, Failure> {
    let path = Path::new(&source);
    let request = match path.exists() {
        true => Request { path: Some(path.to_path_buf()), ..Request::default() },
        false if source.starts_with(['.', '/', '~']) || source.ends_with(".gz") => {
            let message = format!("there is nothing at `{source}`");
            return Err(
                Failure::new(Kind::NotFound, "not_found", message).hint("check the path; a package is `owner/name`")
            );
        }
        false => {
            let package = source.parse().map_err(|error| Failure::usage(format!("{error}")));
            Request {
                package: Some(
                    package.map_err(|failure: Failure| failure.hint("`soul registry search` finds packages"))?,
                ),
                ..Request::default()
            }
        }
    };
    agreed(global, &consent, "install it?", |plan_digest| Request { plan_digest, ..request.clone() })
}

/// Has a plan made, and carried out if the user agrees to it.
pub(super) fn agreed<O: Operation<Response = Response>>(
    global: &Global,
    consent: &Consent,
    question: &str,
    request: impl Fn(Option<Digest>) -> O,
) -> Result<ExitCode, Failure> {
    if consent.plan {
        return global.answer(request(None), |response| packages::plan(&response.plan));
    }
    if let Some(digest) = consent.plan_digest {
        return global.answer(request(Some(digest)), packages::installed_now);
    }
    let plan = global.ask(request(None))?.plan;
    if let Some(reason) = plan.refused.first() {
        if !global.json {
            output::complain(&packages::plan(&plan))?;
        }
        let message = format!("`{}` cannot be installed: {reason}", plan.package);
        return Err(
            Failure::new(Kind::Invalid, "package_refused", message).hint("`--plan` shows everything that was found")
        );
    }
    if plan.unchanged {
        return global.answer(request(Some(plan.digest)), packages::installed_now);
    }
    let asked = ask::is_possible(global);
    if !global.json {
        output::complain(&packages::plan(&plan))?;
    }
    if asked && ask::confirm(question) {
        return global.answer(request(Some(plan.digest)), packages::installed_now);
    }
    let failure = Failure::new(Kind::Conflict, "plan_not_agreed", "nothing was installed: the plan needs your consent");
    Err(failure.hint(format!("run it again with `--plan-digest {}`", plan.digest)))
}
