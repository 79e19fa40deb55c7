//! List the packages that are installed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry::{Installed, Locked, in_use};
use crate::workspace::AgentName;

/// List the packages that are installed, and the agents that use each.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The packages, in order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InstalledPackages")]
pub struct Response {
    /// Each of them.
    pub packages: Vec<Entry>,
}

/// A package that is installed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InstalledEntry")]
pub struct Entry {
    /// What `soul.lock` says about it.
    #[serde(flatten)]
    pub row: Locked,
    /// Where its files are, from the home.
    pub folder: String,
    /// The agents that use it, in whatever version.
    pub used_by: Vec<AgentName>,
}

impl Operation for Request {
    const NAME: &'static str = "installed";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let names = keeper.roots.agent_names(&keeper.settings.discovery).unwrap_or_default();
        let mut used = Vec::new();
        for name in names {
            // An agent that cannot be read does not hide the packages.
            let package = keeper.agent(&name).ok().and_then(|agent| in_use(keeper, &agent).ok().flatten());
            used.extend(package.map(|(package, _)| (package, name)));
        }
        let entry = |row: &Locked| Entry {
            folder: row.folder().to_string_lossy().replace('\\', "/"),
            used_by: used.iter().filter(|(package, _)| *package == row.package).map(|(_, name)| name.clone()).collect(),
            row: row.clone(),
        };
        Ok(Response { packages: Installed::read(keeper)?.rows().iter().map(entry).collect() })
    }
}
