//! Check the packages of a registry.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation, Verdict};
use crate::registry::{self, CheckReport, Checked, comment};

/// Check the packages of a registry, or those that were changed since a commit: structure, publish profile, licence,
/// grade, and against the commit also that versions rise and no owner is taken over. What cannot be checked fails.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The folder of the registry: one of this machine, so it is never sent.
    #[serde(skip)]
    pub dir: PathBuf,
    /// The commit, branch or tag to compare with. Default: every package is checked, and nothing is compared.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
}

/// What was checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistryCheck")]
pub struct Response {
    /// Whether the registry can take all of it.
    pub passed: bool,
    /// Each package that was checked.
    pub packages: Vec<Checked>,
    /// What is wrong with the registry itself.
    pub problems: Vec<String>,
    /// Packages that the commit has, and that are gone.
    pub removed: Vec<String>,
    /// What CI says on a pull request, in Markdown.
    pub comment: String,
}

impl Operation for Request {
    const NAME: &'static str = "registry.check";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn is_local(&self) -> bool {
        true
    }

    fn verdict(response: &Response) -> Verdict {
        if response.passed { Verdict::Passed } else { Verdict::Failed }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.dir.as_os_str().is_empty() {
            return Err(registry::Error::NoPath.into());
        }
        let report = registry::check(&self.dir, self.changed_since.as_deref(), context.progress)?;
        let comment = comment(&report);
        let CheckReport { packages, problems, removed } = report;
        let passed = problems.is_empty() && packages.iter().all(|package| package.passed);
        Ok(Response { passed, packages, problems, removed, comment })
    }
}
