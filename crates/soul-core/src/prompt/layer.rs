use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One part of a prompt, which can also be sent as a message of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// What it is.
    pub name: Cow<'static, str>,
    /// Where it comes from.
    pub source: String,
    /// How long it is.
    pub bytes: usize,
    /// How many tokens that may be, at four bytes each.
    pub est_tokens: usize,
    /// The text, with its markers if it has any.
    pub text: String,
    /// Whether some of it was cut.
    pub truncated: bool,
    /// Whether there is nothing of it.
    pub omitted: bool,
}

impl Layer {
    /// A layer that is whole.
    #[must_use]
    pub fn new(name: &'static str, source: impl Into<String>, text: String) -> Self {
        Self {
            name: name.into(),
            source: source.into(),
            bytes: text.len(),
            est_tokens: text.len().div_ceil(4),
            omitted: text.is_empty(),
            text,
            truncated: false,
        }
    }
}
