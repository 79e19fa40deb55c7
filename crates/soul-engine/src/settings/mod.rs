//! Settings from `config.toml`. What is not said there has its default; what is wrong in a table of
//! ours is an error. Tables that we do not know are left to whom they belong.

pub mod memory;

use std::path::Path;

use serde::Deserialize;
use soul_core::formats::agh::Limits;

use crate::files::{self, Directory};

/// The name of the file in the home.
pub const FILE: &str = "config.toml";

/// What the operator configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// `[agents.soul]`.
    pub soul: SoulSettings,
}

/// `[agents.soul]`: whether souls are used, and how large they may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoulSettings {
    /// Whether a valid soul reaches the prompt.
    pub enabled: bool,
    /// How large it may be.
    pub limits: Limits,
}

impl Default for SoulSettings {
    fn default() -> Self {
        Self { enabled: true, limits: Limits::default() }
    }
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is there and cannot be read.
    #[error("{FILE} was not read: {0}")]
    Unreadable(files::Error),
    /// The file is not TOML, or a value has the wrong type.
    #[error("{FILE} is not valid: {0}")]
    Malformed(String),
    /// A value that is out of its range.
    #[error("{FILE}: {0}")]
    OutOfRange(String),
}

#[derive(Deserialize, Default)]
struct File {
    #[serde(default)]
    agents: Agents,
}

#[derive(Deserialize, Default)]
struct Agents {
    #[serde(default)]
    soul: Table,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Table {
    enabled: Option<bool>,
    max_body_bytes: Option<i64>,
    context_projection_bytes: Option<i64>,
}

impl Settings {
    /// Reads the settings of a home; a home without a file has the defaults.
    ///
    /// # Errors
    /// When the file is there and cannot be read or makes no sense.
    pub fn load(home: &Path) -> Result<Self, Error> {
        match Directory::open(home).and_then(|home| home.read(FILE)) {
            Ok(bytes) => Self::parse(std::str::from_utf8(&bytes).map_err(|error| Error::Malformed(error.to_string()))?),
            Err(files::Error::NotFound) => Ok(Self::default()),
            Err(error) => Err(Error::Unreadable(error)),
        }
    }

    /// Reads settings from the text of the file.
    ///
    /// # Errors
    /// When it is not TOML, or a value is out of its range.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let file: File =
            toml::from_str(text).map_err(|error| Error::Malformed(error.to_string().trim_end().to_owned()))?;
        let Table { enabled, max_body_bytes, context_projection_bytes } = file.agents.soul;
        let defaults = SoulSettings::default();
        let positive = |key: &str, value: Option<i64>, default: usize| match value {
            None => Ok(default),
            Some(value) => usize::try_from(value)
                .ok()
                .filter(|value| *value > 0)
                .ok_or_else(|| Error::OutOfRange(format!("agents.soul.{key} must be positive: {value}"))),
        };
        let enabled = enabled.unwrap_or(defaults.enabled);
        let max = positive("max_body_bytes", max_body_bytes, defaults.limits.max_body_bytes)?;
        let projection =
            positive("context_projection_bytes", context_projection_bytes, defaults.limits.context_projection_bytes)?;
        if projection > max {
            let message = format!(
                "agents.soul.context_projection_bytes must be at most agents.soul.max_body_bytes: {projection} > {max}"
            );
            return Err(Error::OutOfRange(message));
        }
        if enabled && projection < 256 {
            return Err(Error::OutOfRange(format!(
                "agents.soul.context_projection_bytes must be at least 256: {projection}"
            )));
        }
        let limits = Limits { max_body_bytes: max, context_projection_bytes: projection };
        Ok(Self { soul: SoulSettings { enabled, limits } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
        let settings =
            Settings::parse("[agents.soul]\nenabled = false\ncontext_projection_bytes = 8\n[store]\nurl = \"x\"\n")
                .unwrap();
        assert!(!settings.soul.enabled);
        assert_eq!(settings.soul.limits.context_projection_bytes, 8);
        assert_eq!(settings.soul.limits.max_body_bytes, 32_768);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| Settings::parse(text).unwrap_err().to_string();
        assert!(error("[agents.soul]\nmax_body_bytes = 0").contains("must be positive: 0"));
        assert!(error("[agents.soul]\nmax_body_bytes = 300").contains("2048 > 300"));
        assert!(error("[agents.soul]\ncontext_projection_bytes = 8").contains("at least 256"));
        assert!(error("[agents.soul]\nenabld = true").contains("enabld"));
        assert!(error("[agents.soul").contains("not valid"));
    }
}
