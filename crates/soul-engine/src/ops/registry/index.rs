//! Build the index of a registry.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation, Verdict};
use crate::registry::{self, Index, Skipped, build_index, folder_with_files, write_index};

/// Build `index.json` of a registry: scan every package, and list those that are to be listed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The folder of the registry: one of this machine, so it is never sent.
    #[serde(skip)]
    pub dir: PathBuf,
    /// The time that the index says it was made at. Default: now.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<Time>,
}

/// The index that was built.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BuiltIndex")]
pub struct Response {
    /// The index.
    pub index: Index,
    /// Whether the file was already the same, to the byte.
    pub unchanged: bool,
    /// Packages that could not be read, and are not in it.
    pub skipped: Vec<Skipped>,
}

impl Operation for Request {
    const NAME: &'static str = "registry.index";
    const HINTS: Hints = Hints::REPLACE.slow().idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Write
    }

    fn is_local(&self) -> bool {
        true
    }

    fn verdict(response: &Response) -> Verdict {
        if response.skipped.is_empty() { Verdict::Passed } else { Verdict::Failed }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        if self.dir.as_os_str().is_empty() {
            return Err(registry::Error::NoPath.into());
        }
        folder_with_files(&self.dir)?;
        let now = self.generated_at.unwrap_or_else(|| context.keeper.now());
        let (index, skipped) = build_index(&self.dir, now, context.progress)?;
        let written = write_index(&self.dir, &index)?;
        Ok(Response { index, unchanged: !written, skipped })
    }
}
