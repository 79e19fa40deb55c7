//! Forget a publisher's keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::registry::{self, Packages, Trust};

/// Forget the keys that a publisher is known by. The next key that signs one of its packages is trusted at first use.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The publisher: the `owner` of packages.
    pub owner: String,
}

/// The publisher that is no longer known.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ForgottenKeys")]
pub struct Response {
    /// The publisher.
    pub owner: String,
}

impl Operation for Request {
    const NAME: &'static str = "key.forget";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let _alone = Packages::lock(context.keeper)?;
        let mut trust = Trust::read(context.keeper)?;
        if !trust.forget(&self.owner) {
            return Err(registry::Error::NoKey(soul_core::text::visible(&self.owner)).into());
        }
        trust.write(context.keeper)?;
        Ok(Response { owner: self.owner })
    }
}
