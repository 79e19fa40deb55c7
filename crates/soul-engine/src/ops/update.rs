//! Update a package that is installed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use super::{Error, Hints, Load, Operation, Verdict, install};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::registry::{self, Installed, PackageName, Recency};

/// Show what updating an installed package to the version of its registry would do. With the digest of that plan, update
/// it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The package.
    pub package: PackageName,
    /// The digest of the plan that you agree to. Without it nothing is installed.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub plan_digest: Option<Digest>,
}

impl Operation for Request {
    const NAME: &'static str = "update";
    const HINTS: Hints = Hints::ADD.slow().idempotent();
    type Response = install::Response;

    fn grant(&self) -> Grant {
        if self.plan_digest.is_some() { Grant::Write } else { Grant::Read }
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn verdict(response: &install::Response) -> Verdict {
        install::Request::verdict(response)
    }

    fn run(self, context: &Context<'_>) -> Result<install::Response, Error> {
        let installed = Installed::read(context.keeper)?;
        let missing = || registry::Error::NotInstalled(self.package.clone());
        let row = installed.find(&self.package).ok_or_else(missing)?;
        let wanted = self.package.clone().into();
        let sourced = registry::find(context.keeper, &wanted, Recency::Now, context.progress)?;
        // An older version could bring back what was corrected since, so it is never an update.
        if sourced.package.version < row.version {
            let (package, available) = (self.package, sourced.package.version);
            return Err(registry::Error::Older { package, installed: row.version, available }.into());
        }
        install::answer(context, &sourced, self.plan_digest)
    }
}
