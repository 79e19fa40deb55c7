use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;
use soul_core::formats::agh::Limits;
use soul_core::model::Dialect;

use super::self_edit::{Said, SelfEdit};
use super::{Error, Origin, Setting};

/// `[agents.soul]`: whether souls are enabled, and how large they may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoulSettings {
    /// Whether a valid soul reaches the prompt.
    pub enabled: bool,
    /// How large it may be.
    pub limits: Limits,
    /// What an agent without a soul gets.
    pub fallback: Fallback,
    /// The dialect of named agents that have none pinned; `None` detects it.
    pub dialect: Option<Dialect>,
    /// The last file that sets any of this.
    pub source: Origin,
}

/// What an agent without a soul of its own gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fallback {
    /// Nothing.
    #[default]
    None,
    /// A soul of the library.
    Library,
}

impl Fallback {
    const fn as_str(self) -> &'static str {
        match self {
            Self::None => "\"none\"",
            Self::Library => "\"library\"",
        }
    }
}

impl Default for SoulSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            limits: Limits::default(),
            fallback: Fallback::None,
            dialect: None,
            source: Origin::Default,
        }
    }
}

/// The settings under which a soul was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigProvenance {
    /// The digest of these settings.
    pub digest: Digest,
    /// The last file that sets any of them.
    pub source: Origin,
    /// Whether souls are enabled.
    pub enabled: bool,
    /// The most bytes that the body of a soul may have.
    pub max_body_bytes: usize,
    /// The most bytes that a compact context may have.
    pub context_projection_bytes: usize,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    enabled: Option<bool>,
    max_body_bytes: Option<i64>,
    context_projection_bytes: Option<i64>,
    fallback: Option<Fallback>,
    dialect: Option<DialectSetting>,
    self_edit: Option<SelfEdit>,
    protect: Option<Vec<String>>,
}

impl Table {
    /// What it says about changes that an agent makes to its own soul.
    pub(super) fn self_edit(&mut self) -> Said {
        Said { self_edit: self.self_edit.take(), protect: self.protect.take() }
    }
}

/// A dialect by name, or `auto`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct DialectSetting(Option<Dialect>);

impl TryFrom<String> for DialectSetting {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if name == AUTO {
            return Ok(Self(None));
        }
        let names = || Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect::<Vec<_>>().join(", ");
        let unknown = |_| format!("unknown dialect `{name}`: use {AUTO} or one of {}", names());
        name.parse().map(|dialect| Self(Some(dialect))).map_err(unknown)
    }
}

const AUTO: &str = "auto";

impl SoulSettings {
    pub(super) fn layered(
        tables: impl Iterator<Item = (Origin, Table)>,
        origins: &mut Vec<Setting>,
    ) -> Result<Self, Error> {
        let (mut enabled, mut max, mut projection, mut fallback, mut dialect) = (None, None, None, None, None);
        for (origin, table) in tables {
            enabled = table.enabled.map(|value| (value, origin)).or(enabled);
            max = table.max_body_bytes.map(|value| (value, origin)).or(max);
            projection = table.context_projection_bytes.map(|value| (value, origin)).or(projection);
            fallback = table.fallback.map(|value| (value, origin)).or(fallback);
            dialect = table.dialect.map(|value| (value, origin)).or(dialect);
        }
        let said = [
            ("agents.soul.enabled", enabled.map(|(value, origin)| (value.to_string(), origin))),
            ("agents.soul.max_body_bytes", max.map(|(value, origin)| (value.to_string(), origin))),
            ("agents.soul.context_projection_bytes", projection.map(|(value, origin)| (value.to_string(), origin))),
            ("agents.soul.fallback", fallback.map(|(value, origin)| (value.as_str().to_owned(), origin))),
            (
                "agents.soul.dialect",
                dialect.map(|(value, origin)| (format!("{:?}", value.0.map_or(AUTO, Dialect::as_str)), origin)),
            ),
        ];
        let said = said
            .into_iter()
            .filter_map(|(key, said)| said.map(|(value, origin)| Setting { key: key.into(), value, origin }));
        let said: Vec<Setting> = said.collect();
        let source = said.iter().map(|said| said.origin).max().unwrap_or_default();
        origins.extend(said);

        let defaults = Self::default();
        let positive = |key: &str, value: Option<(i64, Origin)>, default: usize| match value {
            None => Ok(default),
            Some((value, _)) => usize::try_from(value)
                .ok()
                .filter(|value| *value > 0)
                .ok_or_else(|| Error::OutOfRange(format!("agents.soul.{key} must be positive: {value}"))),
        };
        let enabled = enabled.map_or(defaults.enabled, |(value, _)| value);
        let max = positive("max_body_bytes", max, defaults.limits.max_body_bytes)?;
        let projection = positive("context_projection_bytes", projection, defaults.limits.context_projection_bytes)?;
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
        let fallback = fallback.map_or(defaults.fallback, |(value, _)| value);
        let dialect = dialect.and_then(|(value, _)| value.0);
        Ok(Self { enabled, limits, fallback, dialect, source })
    }

    /// These settings, as they are recorded with what was resolved under them.
    #[must_use]
    pub fn provenance(&self) -> ConfigProvenance {
        let Limits { max_body_bytes, context_projection_bytes } = self.limits;
        let json = format!(
            "{{\"enabled\":{},\"max_body_bytes\":{max_body_bytes},\"context_projection_bytes\":{context_projection_bytes}}}",
            self.enabled
        );
        ConfigProvenance {
            digest: Digest::of([b"agh.soul.config.v1\n".as_slice(), json.as_bytes()]),
            source: self.source,
            enabled: self.enabled,
            max_body_bytes,
            context_projection_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_have_the_digest_that_agh_gives_them() {
        let digest = SoulSettings::default().provenance().digest.to_string();
        assert_eq!(digest, "sha256:81d02c4dc3d10d56d00ceb7a6a0099967bc57d352936b8e3fe8639e2d1fcbd71");
    }
}
