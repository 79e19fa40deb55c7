//! Trust a publisher's key.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::registry::{Key, Packages, Trust};

/// Trust a key for a publisher, for example because it was replaced. Otherwise the first key that signs a package is
/// trusted when the package is installed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The publisher: the `owner` of packages.
    pub owner: String,
    /// The public key.
    pub key: Key,
}

/// The key that is trusted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TrustedKey")]
pub struct Response {
    /// The publisher.
    pub owner: String,
    /// The key.
    pub key: Key,
    /// Whether it was trusted before.
    pub unchanged: bool,
}

impl Operation for Request {
    const NAME: &'static str = "key.trust";
    const HINTS: Hints = Hints::ADD.idempotent();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { owner, key } = self;
        crate::registry::check_owner(&owner)?;
        // Installing adds keys too.
        let _alone = Packages::lock(context.keeper)?;
        let mut trust = Trust::read(context.keeper)?;
        let added = trust.add(&owner, &key);
        if added {
            trust.write(context.keeper)?;
        }
        Ok(Response { owner, key, unchanged: !added })
    }
}
