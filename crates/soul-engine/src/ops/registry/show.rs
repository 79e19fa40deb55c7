//! Show a package of a registry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::digest::Digest;

use super::{RegistrySoul, package};
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::pack::{PackedFile, packed_files};
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{self, Broken, Capabilities, Installed, Recency, Version};

/// Show a package of a registry with its files, what it asks for, and its soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Its owner.
    pub owner: String,
    /// Its name.
    pub name: String,
}

/// A package of a registry.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RegistryPackage")]
pub struct Response {
    /// What the index says.
    #[serde(flatten)]
    pub soul: RegistrySoul,
    /// Its manifest.
    pub manifest: Map<String, Value>,
    /// The digest of the checksums of all files.
    pub digest: Digest,
    /// Every file with its checksum.
    pub contents: Vec<PackedFile>,
    /// What it asks for.
    pub capabilities: Capabilities,
    /// Whether it is signed. Installing verifies the signature.
    pub signed: bool,
    /// The text of its soul.
    pub soul_text: String,
    /// The text of its README.md.
    pub readme: Option<String>,
    /// The version that is installed here.
    pub installed: Option<Version>,
}

impl Operation for Request {
    const NAME: &'static str = "registry.show";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (keeper, name) = (context.keeper, package(&self.owner, &self.name)?);
        let catalog = keeper.catalog(Recency::Cached, Broken::IsNamed, context.progress)?;
        let soul = catalog.find(&name).map(RegistrySoul::new);
        let soul = soul.ok_or_else(|| registry::Error::NotFound(name.clone()))?;
        let found = registry::find(keeper, &name.clone().into(), Recency::Cached, context.progress)?.package;
        let text = |path: &str| found.contents.file(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let installed = keeper.home().map(|_| Installed::read(keeper)).transpose()?;
        Ok(Response {
            manifest: found.manifest().manifest().clone(),
            digest: found.contents.digest(),
            contents: packed_files(&found.contents),
            capabilities: Capabilities::of(&found),
            signed: found.contents.signature().is_some(),
            soul_text: text(found.soul_path()).unwrap_or_default(),
            readme: text("README.md"),
            installed: installed.and_then(|installed| installed.find(&name).map(|row| row.version)),
            soul,
        })
    }
}
