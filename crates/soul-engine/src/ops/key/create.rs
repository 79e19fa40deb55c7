//! Create a key to sign packages with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::registry::{OwnKey, create_key};

/// Create a minisign key to sign packages with. Its secret part stays in the home.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// What to call it.
    #[serde(default = "default_name")]
    pub name: String,
}

fn default_name() -> String {
    DEFAULT.to_owned()
}

/// The name of a key if none is given.
pub const DEFAULT: &str = "default";

impl Operation for Request {
    const NAME: &'static str = "key.create";
    const HINTS: Hints = Hints::ADD;
    type Response = OwnKey;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<OwnKey, Error> {
        Ok(create_key(context.keeper, &self.name)?)
    }
}
