use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One layer of a prompt. It can also be sent as a message of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PromptLayer"))]
pub struct Layer {
    /// Name of the layer, such as `identity`, `limits` or `memory`.
    pub name: Cow<'static, str>,
    /// Where the text comes from: paths, or `embedded`.
    pub source: String,
    /// Size of the text in bytes.
    pub bytes: usize,
    /// Estimated number of tokens, at four bytes each.
    pub est_tokens: usize,
    /// The text, with its markers if it has any.
    pub text: String,
    /// Whether part of the text was cut off.
    pub truncated: bool,
    /// Whether the layer is empty and left out of the prompt.
    pub omitted: bool,
}

impl Layer {
    /// A layer that is not truncated.
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
