use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::Error;
use crate::fields::Body;
use crate::workspace::{AgentName, SoulId};

/// Which soul a request is about. A path means a file of the machine on which the request is made, so it
/// never travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub enum Target {
    /// A file, or the directory of an agent.
    Path(PathBuf),
    /// An agent by name.
    Agent(AgentName),
    /// A text as if it were this agent's SOUL.md.
    Proposal(AgentName, Body),
    /// A soul of the library.
    Library(SoulId),
    /// A text without a place.
    Text(Body),
}

/// A target on the wire: `agent`, `soul` or `body`; `agent` and `body` together are a proposal.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Fields {
    /// The agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentName>,
    /// The id of a library soul.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    soul: Option<SoulId>,
    /// A text; with `agent`, as if it were that agent's SOUL.md.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Body>,
}

impl TryFrom<Fields> for Target {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, &'static str> {
        Self::from_parts(fields.agent, fields.soul, fields.body)
    }
}

impl From<Target> for Fields {
    fn from(target: Target) -> Self {
        let (agent, soul, body) = target.into_parts();
        Self { agent, soul, body }
    }
}

impl JsonSchema for Target {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Fields::json_schema(generator)
    }
}

impl Target {
    pub(super) fn from_parts(
        agent: Option<AgentName>,
        soul: Option<SoulId>,
        body: Option<Body>,
    ) -> Result<Self, &'static str> {
        match (agent, soul, body) {
            (Some(agent), None, None) => Ok(Self::Agent(agent)),
            (Some(agent), None, Some(body)) => Ok(Self::Proposal(agent, body)),
            (None, Some(soul), None) => Ok(Self::Library(soul)),
            (None, None, Some(body)) => Ok(Self::Text(body)),
            (None, None, None) => Err("give `agent`, `soul` or `body`"),
            (_, Some(_), _) => Err("`soul` cannot be used with `agent` or `body`"),
        }
    }

    pub(super) fn into_parts(self) -> (Option<AgentName>, Option<SoulId>, Option<Body>) {
        match self {
            // Nothing is left of it, so nobody can take it for something else.
            Self::Path(_) => (None, None, None),
            Self::Agent(agent) => (Some(agent), None, None),
            Self::Proposal(agent, body) => (Some(agent), None, Some(body)),
            Self::Library(soul) => (None, Some(soul), None),
            Self::Text(body) => (None, None, Some(body)),
        }
    }

    /// Whether only this machine has it.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        matches!(self, Self::Path(_))
    }

    /// The agent, if it is about one by name.
    #[must_use]
    pub const fn agent(&self) -> Option<&AgentName> {
        match self {
            Self::Agent(name) | Self::Proposal(name, _) => Some(name),
            Self::Path(_) | Self::Library(_) | Self::Text(_) => None,
        }
    }

    /// What was typed: a path if it looks like one or exists, else the name of an agent.
    ///
    /// # Errors
    /// When it is neither.
    pub fn from_typed(typed: &OsStr) -> Result<Self, Error> {
        let path = Path::new(typed);
        let typed = &*typed.to_string_lossy();
        let looks_like_path = typed.contains(['/', '\\'])
            || typed.starts_with(['.', '~'])
            || path.extension().is_some_and(|extension| extension == "md" || extension == "json");
        if !typed.is_empty() && (looks_like_path || path.symlink_metadata().is_ok()) {
            return Ok(Self::Path(path.to_path_buf()));
        }
        Ok(Self::Agent(typed.parse()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_told_apart() {
        let is_path = |typed: &str| matches!(Target::from_typed(typed.as_ref()), Ok(Target::Path(_)));
        assert!(is_path("./reviewer") && is_path("a/b") && is_path("x.md") && is_path(".."));
        assert!(matches!(Target::from_typed("reviewer".as_ref()), Ok(Target::Agent(_))));
        assert!(Target::from_typed("".as_ref()).is_err());
        assert!(Target::from_typed("x".repeat(129).as_ref()).is_err());
    }

    #[test]
    fn a_path_never_travels() {
        let sent = serde_json::to_string(&Target::Path("/etc/passwd".into())).unwrap();
        assert_eq!(sent, "{}");
        assert!(serde_json::from_str::<Target>(&sent).is_err());
        assert!(serde_json::from_str::<Target>(r#"{"path":"/etc/passwd"}"#).is_err());
        for sent in [r#"{"agent":"a"}"#, r#"{"agent":"a","body":"b"}"#, r#"{"soul":"a"}"#, r#"{"body":""}"#] {
            let target: Target = serde_json::from_str(sent).unwrap();
            assert_eq!(serde_json::to_string(&target).unwrap(), sent);
        }
        assert!(serde_json::from_str::<Target>(r#"{"soul":"a","body":"b"}"#).is_err());
    }
}
