//! Tasks, each claimed by one session at a time.

pub mod add;
pub mod claim;
pub mod finish;
pub mod list;
pub mod renew;
pub mod runs;

operations! { add, claim, finish, list, renew, runs }

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Run;

/// A run, if there is one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunAnswer")]
pub struct Response {
    /// The run; `null` if no task was waiting.
    pub run: Option<Run>,
}
