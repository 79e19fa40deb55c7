//! Show how an agent is disposed: what the author wrote, and what holds now.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::model::{Field, Value as Said};
use soul_core::persona::Traits;

use super::{Found, Mood};
use crate::Keeper;
use crate::ops::{Error, Grant};
use crate::workspace::AgentName;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose persona.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
}

/// A persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The scores that the author wrote.
    pub baseline: Traits,
    /// The scores that hold now.
    pub effective: Traits,
    /// The mood.
    pub mood: Mood,
    /// How the voice is made.
    pub voice: Option<Map<String, Value>>,
    /// How the picture is made.
    pub avatar: Option<Map<String, Value>>,
    /// What the agent never does, whatever its mood.
    pub hard_limits: Vec<String>,
    /// The card that people see.
    pub identity_card: Option<String>,
}

/// Reads the soul, and what has become of the persona.
///
/// # Errors
/// When there is no such agent, or its soul is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let found = Found::new(keeper, &request.agent)?;
    let state = found.state(keeper)?;
    let effective = found.effective(keeper, &state);
    let soul = &found.soul.soul;
    let entries = |field| {
        let entries = soul.of(field).filter_map(|item| match &item.value {
            Said::Entry { key, value } => Some((key.clone(), value.clone())),
            _ => None,
        });
        Some(entries.collect::<Map<_, _>>()).filter(|entries| !entries.is_empty())
    };
    let limits = soul.texts(Field::Limit).map(str::trim).filter(|limit| !limit.is_empty());
    // A dialect that knows cards makes one where there is no file.
    let card = found.soul.document["identity"].as_str().or_else(|| soul.texts(Field::Card).next());
    Ok(Response {
        baseline: found.baseline,
        effective: effective.traits,
        mood: Mood::new(&found.moods, &effective),
        voice: entries(Field::Voice),
        avatar: entries(Field::Avatar),
        hard_limits: limits.map(str::to_owned).collect(),
        identity_card: card.map(str::to_owned),
    })
}
