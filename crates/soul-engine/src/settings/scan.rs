//! `[scan]`: whether a text with confident findings may be written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to do when a text to be written has confident findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ScanOnWrite", transform = soul_core::schema::spellings)]
pub enum OnWrite {
    /// Refuse it, unless it is forced with a reason.
    #[default]
    Refuse,
    /// Write it, and warn.
    Warn,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) on_write: Option<OnWrite>,
}
