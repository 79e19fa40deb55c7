//! Things to do, one file an operation.

pub mod add;
pub mod claim;
pub mod finish;
pub mod list;
pub mod renew;

use serde::{Deserialize, Serialize};

use crate::store::Run;

/// A run, or none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// The run.
    pub run: Option<Run>,
}
