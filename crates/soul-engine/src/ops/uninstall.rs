//! Remove a package.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry::{Locked, PackageName, Packages};

/// Remove an installed package. Agents that use it keep what they have; `restore` still works for them.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The package.
    pub package: PackageName,
}

/// The package that was removed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "UninstalledPackage")]
pub struct Response {
    /// What `soul.lock` said about it.
    pub removed: Locked,
}

impl Operation for Request {
    const NAME: &'static str = "uninstall";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let removed = Packages::lock(context.keeper)?.remove(&self.package)?;
        Ok(Response { removed })
    }
}
