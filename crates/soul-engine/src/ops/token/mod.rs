//! Tokens for clients that ask from elsewhere.

pub mod create;
pub mod list;
pub mod revoke;

operations! { create, list, revoke }

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Token;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TokenAnswer")]
pub struct Response {
    /// The token.
    pub token: Token,
}
