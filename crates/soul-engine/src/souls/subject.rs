use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::Target;
use crate::fields::Body;
use crate::ids::SessionId;
use crate::workspace::{AgentName, SoulId};

/// Which soul a prompt is made of: one as it is now, or the one that a session is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub enum Subject {
    /// A soul as it is now.
    Target(Target),
    /// The soul that a session is bound to.
    Session(SessionId),
}

/// A subject on the wire.
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
    /// A session, for the soul that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
}

impl TryFrom<Fields> for Subject {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, &'static str> {
        let Fields { agent, soul, body, session_id } = fields;
        match session_id {
            Some(id) if agent.is_none() && soul.is_none() && body.is_none() => Ok(Self::Session(id)),
            Some(_) => Err("`session` cannot be used with `agent`, `soul` or `body`"),
            None if agent.is_none() && soul.is_none() && body.is_none() => {
                Err("give an agent, a library soul, a text or a session")
            }
            None => Target::from_parts(agent, soul, body).map(Self::Target),
        }
    }
}

impl From<Subject> for Fields {
    fn from(subject: Subject) -> Self {
        match subject {
            Subject::Session(id) => Self { agent: None, soul: None, body: None, session_id: Some(id) },
            Subject::Target(target) => {
                let (agent, soul, body) = target.into_parts();
                Self { agent, soul, body, session_id: None }
            }
        }
    }
}

impl JsonSchema for Subject {
    fn schema_name() -> Cow<'static, str> {
        "Subject".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Fields::json_schema(generator)
    }
}

impl Subject {
    /// Whether only this machine has it.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        matches!(self, Self::Target(Target::Path(_)))
    }
}
