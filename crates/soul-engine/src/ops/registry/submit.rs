//! Submit a package to a registry.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::Profile;

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Load, Operation};
use crate::registry::{self, Package, PackageName, Submitted, Version, read_contents, sign};
use crate::settings::RegistrySource;

/// Put a package on a branch of a registry, alone, and return the text for the pull request. No checkout is touched.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The folder or archive of the package: one of this machine, so it is never sent.
    #[serde(skip)]
    pub path: PathBuf,
    /// The registry: a folder that is a git repository, or a URL that git understands.
    #[serde(skip)]
    pub to: String,
    /// Sign it with this key of the home.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// What was submitted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SubmittedPackage")]
pub struct Response {
    /// The package.
    pub package: PackageName,
    /// Its version.
    pub version: Version,
    /// The version that the registry has now.
    pub previous_version: Option<Version>,
    /// The branch.
    pub branch: String,
    /// The commit on it.
    pub commit: String,
    /// The commit that it starts from.
    pub base: String,
    /// Whether the branch was there already with the same content.
    pub unchanged: bool,
    /// The files of the commit.
    pub files: Vec<String>,
    /// The title of the pull request.
    pub title: String,
    /// The text of the pull request, in Markdown.
    pub body: String,
}

impl Operation for Request {
    const NAME: &'static str = "registry.submit";
    const HINTS: Hints = Hints::ADD.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn is_local(&self) -> bool {
        true
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.path.as_os_str().is_empty() || self.to.is_empty() {
            return Err(registry::Error::NoPath.into());
        }
        let contents = if self.path.is_dir() {
            registry::Contents::read_authored(&self.path)?
        } else {
            read_contents(&self.path)?
        };
        let mut package = Package::read(contents, None, Profile::Publish)?;
        if let Some(key) = &self.key {
            let (signature, _) = sign(context.keeper, key, &package)?;
            package.contents.sign(signature);
        }
        let here = std::path::Path::new("");
        let to = RegistrySource::parse(&self.to, here).map_err(|error| Error::BadRequest(error.to_string()))?;
        let author = context.author(Self::NAME).actor.name;
        let Submitted { branch, commit, base, previous, unchanged, files, title, body } =
            registry::submit(context.keeper, &package, &to, &author, context.progress)?;
        let (package, version) = (package.name, package.version);
        Ok(Response {
            package,
            version,
            previous_version: previous,
            branch,
            commit,
            base,
            unchanged,
            files,
            title,
            body,
        })
    }
}
