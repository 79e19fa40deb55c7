//! A package as one document.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::package;
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{self, PackageRange, Recency};

/// Get a package as one document, for clients of the public API that install it themselves. `install` verifies and
/// plans; this does not.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its version, if it must be a certain one.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A package as one document.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RegistryBundle")]
pub struct Response {
    /// Its manifest.
    pub manifest: Map<String, Value>,
    /// The texts by path. Files that are not text are left out.
    pub files: BTreeMap<String, String>,
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Operation for Request {
    const NAME: &'static str = "registry.bundle";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let name = package(&self.owner, &self.name)?;
        let range = self.version.as_deref().map(str::parse).transpose();
        let range = range.map_err(|error| Error::BadRequest(format!("`version`: {error}")))?;
        let wanted = PackageRange { package: name.clone(), range };
        let found = registry::find(context.keeper, &wanted, Recency::Cached, context.progress)?.package;
        let text = |bytes: &[u8]| std::str::from_utf8(bytes).map(str::to_owned).ok();
        let files = found.contents.files().filter_map(|(path, bytes)| Some((path.to_string(), text(bytes)?)));
        Ok(Response {
            manifest: found.manifest().manifest().clone(),
            files: files.collect(),
            owner: name.owner().to_owned(),
            name: name.name().to_owned(),
            version: found.version.to_string(),
        })
    }
}
