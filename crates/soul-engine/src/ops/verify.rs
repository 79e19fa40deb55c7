//! Compare installed files with `soul.lock`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry::{self, Installed, PackageName, Verified};

/// Compare the files of installed packages with the digests and signatures in `soul.lock`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Only this package.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageName>,
}

/// The packages that were compared.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "VerifiedPackages")]
pub struct Response {
    /// Each package.
    pub packages: Vec<Verified>,
    /// Whether all of them are what was installed.
    pub passed: bool,
}

impl Operation for Request {
    const NAME: &'static str = "verify";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn verdict(response: &Response) -> Verdict {
        if response.passed { Verdict::Passed } else { Verdict::Failed }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let installed = Installed::read(context.keeper)?;
        if let Some(package) = self.package.as_ref().filter(|package| installed.find(package).is_none()) {
            return Err(registry::Error::NotInstalled(package.clone()).into());
        }
        let rows =
            installed.rows().iter().filter(|row| self.package.as_ref().is_none_or(|package| row.package == *package));
        let mut packages = Vec::new();
        for row in rows {
            packages.push(registry::verify(context.keeper, row)?);
            context.progress.advance("packages verified", 1, None);
        }
        Ok(Response { passed: packages.iter().all(|package| package.passed), packages })
    }
}
