//! Connect the library with a git remote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ops::{Error, Hints, Load, Operation};
use crate::sync::{self, Branch, RemoteUrl, SyncStatus};

/// Connect the soul library with a git remote. Nothing is changed here or there; pull and publish do that. Naming another
/// remote or branch starts over: what differs becomes a conflict, and nothing is overwritten.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Address of the repository: a URL (https, http, ssh, git, file), `user@host:path`, or an absolute path.
    pub remote: RemoteUrl,
    /// The branch. Default: `main`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
    /// Sync the souls of the home's agents too, not only those of the library.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents: bool,
}

/// How everything stands with the remote.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SyncConnection")]
pub struct Response {
    /// Whether the remote has the branch already.
    pub branch_exists: bool,
    /// How everything stands.
    #[serde(flatten)]
    pub status: SyncStatus,
}

impl Operation for Request {
    const NAME: &'static str = "sync.init";
    const HINTS: Hints = Hints::REPLACE.idempotent().slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn load(&self) -> Load {
        Load::Remote
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let branch = self.branch.unwrap_or_default();
        let branch_exists = sync::init(context, self.remote, branch, self.agents)?;
        Ok(Response { branch_exists, status: sync::status(context.keeper)? })
    }
}
