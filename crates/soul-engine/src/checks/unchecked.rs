use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Gathered;
use crate::fault::Kind;
use crate::souls::{Error, Target};

/// Something that could not be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "UncheckedTarget")]
pub struct Unchecked {
    /// The path as it can be opened, the agent's name, or the soul's id.
    pub path: String,
    /// Why.
    pub error: String,
    /// Whether it does not exist.
    pub missing: bool,
}

impl Unchecked {
    pub(crate) fn new(target: &Target, error: &Error) -> Self {
        let missing = error.fault().kind == Kind::NotFound;
        Self { path: Gathered::failed(target, String::new()).path, error: error.to_string(), missing }
    }
}
