//! List keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::registry::{OwnKey, Trust, TrustedOwner, own_keys};

/// List the keys of this home, and the keys that publishers are known by.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The keys.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "KeyList")]
pub struct Response {
    /// Keys of this home, to sign with.
    pub keys: Vec<OwnKey>,
    /// Publishers and the keys that they are known by, from `keys.toml`.
    pub trusted: BTreeMap<String, TrustedOwner>,
}

impl Operation for Request {
    const NAME: &'static str = "key.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let trusted = Trust::read(context.keeper)?.owners().clone();
        Ok(Response { keys: own_keys(context.keeper)?, trusted })
    }
}
