//! `[scan]`: what becomes of a text that the scanner is sure about.

use serde::{Deserialize, Serialize};

/// What becomes of a text in which the scanner finds poison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnWrite {
    /// It is not written, unless somebody takes it upon themselves and says why.
    #[default]
    Refuse,
    /// It is written, and told.
    Warn,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) on_write: Option<OnWrite>,
}
