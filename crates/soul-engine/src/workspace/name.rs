use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of an agent, which is also the name of its directory: checked when it is made.
///
/// ```
/// use soul_engine::workspace::AgentName;
/// assert!("reviewer".parse::<AgentName>().is_ok());
/// assert!("../etc".parse::<AgentName>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(inline, extend("minLength" = 1, "maxLength" = 128))]
pub struct AgentName(String);

/// The text cannot be the name of an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a valid agent name", soul_core::text::shown(.0))]
pub struct BadName(pub String);

impl AgentName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AgentName {
    type Err = BadName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let bad = name.is_empty() || name.len() > 128 || matches!(name, "." | "..") || name.contains(['/', '\\', '\0']);
        if bad { Err(BadName(name.to_owned())) } else { Ok(Self(name.to_owned())) }
    }
}

impl TryFrom<String> for AgentName {
    type Error = BadName;

    fn try_from(name: String) -> Result<Self, BadName> {
        name.parse()
    }
}

/// For people: what a terminal would obey is made visible.
impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&soul_core::text::visible(&self.0))
    }
}
