//! Make a registry.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::registry;

/// Make a registry: a git repository with a README, an empty index, workflows for CI, and a first commit.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The folder: one of this machine, so it is never sent.
    #[serde(skip)]
    pub dir: PathBuf,
}

/// The registry that was made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NewRegistry")]
pub struct Response {
    /// The folder, as it was given.
    pub directory: String,
    /// The first commit.
    pub commit: String,
    /// Its branch.
    pub branch: String,
    /// The files of the commit.
    pub files: Vec<String>,
}

impl Operation for Request {
    const NAME: &'static str = "registry.init";
    const HINTS: Hints = Hints::ADD;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn is_local(&self) -> bool {
        true
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.dir.as_os_str().is_empty() {
            return Err(registry::Error::NoPath.into());
        }
        let author = context.author(Self::NAME).actor.name;
        let (commit, files) = registry::init(&self.dir, &author, context.keeper.now())?;
        let directory = soul_core::text::visible(&self.dir.to_string_lossy());
        Ok(Response { directory, commit, branch: "main".to_owned(), files })
    }
}
