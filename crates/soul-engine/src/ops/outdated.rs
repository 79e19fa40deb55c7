//! Compare installed packages with their registries.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Load, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::registry::{Broken, Entry, Installed, PackageName, Recency, Version};

/// List installed packages for which a registry has another version, or that are deprecated.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The packages, in order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OutdatedPackages")]
pub struct Response {
    /// Those with another version, or a successor.
    pub packages: Vec<Outdated>,
    /// How many packages were compared.
    pub compared: usize,
    /// Packages that came from a path, or that no registry has any more.
    pub unknown: Vec<PackageName>,
}

/// A package for which a registry has something else.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OutdatedPackage")]
pub struct Outdated {
    /// The package.
    pub package: PackageName,
    /// The version that is installed.
    pub installed: Version,
    /// The version that the registry has.
    pub available: Version,
    /// The registry.
    pub source: String,
    /// Whether its author asks not to use it any more.
    pub deprecated: bool,
    /// The package to use instead.
    pub superseded_by: Option<String>,
}

impl Operation for Request {
    const NAME: &'static str = "outdated";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let installed = Installed::read(context.keeper)?;
        let mut response = Response { packages: Vec::new(), compared: 0, unknown: Vec::new() };
        if installed.rows().is_empty() {
            return Ok(response);
        }
        let catalog = context.keeper.catalog(Recency::Now, Broken::Fails, context.progress)?;
        for row in installed.rows() {
            let found = catalog.find(&row.package).filter(|_| row.is_of_registry());
            let version = |entry: &Entry| entry.version.parse::<Version>().ok();
            let Some((entry, source, available)) =
                found.and_then(|(entry, source)| Some((entry, source, version(entry)?)))
            else {
                response.unknown.push(row.package.clone());
                continue;
            };
            response.compared += 1;
            if available > row.version || entry.deprecated {
                response.packages.push(Outdated {
                    package: row.package.clone(),
                    installed: row.version,
                    available,
                    source: source.to_owned(),
                    deprecated: entry.deprecated,
                    superseded_by: entry.superseded_by.clone(),
                });
            }
        }
        Ok(response)
    }
}
