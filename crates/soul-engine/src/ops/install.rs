//! Install a package by the digest of its plan.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::{Error, Hints, Load, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::registry::{self, Installed, Locked, PackageName, PackageRange, Plan, Recency, Sourced};

/// Show the plan for installing a package, or install it by the digest of that plan.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The package, as `owner/name` or `owner/name@RANGE`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageRange>,
    /// Its owner.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Its name.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A folder or an archive of this machine, so it is never sent.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    /// The digest of the plan that you agree to; without it nothing is installed.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub plan_digest: Option<Digest>,
}

/// The plan, and what was installed by it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InstalledPackage")]
pub struct Response {
    /// What installing does, or would do.
    pub plan: Plan,
    /// The row of `soul.lock`; `null` if nothing was installed.
    pub installed: Option<Locked>,
}

impl Operation for Request {
    const NAME: &'static str = "install";
    const HINTS: Hints = Hints::ADD.slow().idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.plan_digest.is_some() { Grant::Write } else { Grant::Read }
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        self.path.is_some()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.plan.refused.is_empty() { Verdict::Passed } else { Verdict::Failed }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let named = match (self.package, self.owner, self.name) {
            (Some(package), None, None) => Some(package),
            (None, Some(owner), Some(name)) => {
                Some(PackageName::new(&owner, &name).map_err(registry::Error::from)?.into())
            }
            (None, None, None) => None,
            _ => return Err(Error::BadRequest("give either `package`, or `owner` and `name`".to_owned())),
        };
        let sourced = match (self.path, named) {
            (Some(path), None) => registry::local(&path)?,
            (None, Some(named)) => registry::find(context.keeper, &named, Recency::Now, context.progress)?,
            _ => return Err(Error::BadRequest("give a package".to_owned())),
        };
        answer(context, &sourced, self.plan_digest)
    }
}

/// The plan for a package, and what was installed if the caller has agreed to it.
pub(super) fn answer(context: &Context<'_>, sourced: &Sourced, agreed: Option<Digest>) -> Result<Response, Error> {
    let keeper = context.keeper;
    match agreed {
        Some(agreed) => {
            let (plan, row) = registry::install(keeper, sourced, agreed)?;
            Ok(Response { plan, installed: Some(row) })
        }
        None => {
            let plan = Plan::of(keeper, sourced, Installed::read(keeper)?.rows())?;
            Ok(Response { plan, installed: None })
        }
    }
}
