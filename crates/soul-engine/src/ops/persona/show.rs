//! Show how an agent is disposed: what the author wrote, and what holds now.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::model::{Field, Soul, Value as Said};
use soul_core::persona::Traits;
use soul_core::prompt::{LimitSource, Passage, hard_limits};
use soul_core::text::Source;

use super::{Found, Mood};
use crate::Keeper;
use crate::ops::boot::card;
use crate::ops::whole::Whole;
use crate::ops::{Error, Grant};
use crate::sessions::RULES_FILE;
use crate::workspace::{AgentName, Target};

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
    /// What the agent must and must not do, whatever its mood; one by one, as the prompt tells it.
    pub hard_limits: Vec<String>,
    /// The card that people see.
    pub identity_card: String,
}

/// Reads the soul, and what has become of the persona.
///
/// # Errors
/// When there is no such agent, or its soul is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let agent = request.agent;
    let found = Found::new(keeper, &agent)?;
    let effective = found.effective(keeper, &found.state(keeper)?);
    let whole = Whole::read(keeper, Target::Agent(agent.clone()), None)?;
    let soul = &found.soul.soul;
    let rules = whole.files.get(RULES_FILE).and_then(Source::text);
    let rules = rules.and_then(|rules| Passage::new(rules, RULES_FILE).trimmed());
    let passage = Passage::new("", found.soul.source_path.as_str());
    let spoken = found.soul.dialect.map(|dialect| LimitSource { soul, dialect, passage });
    Ok(Response {
        baseline: found.baseline,
        effective: effective.traits,
        mood: found.mood(keeper, &effective),
        voice: entries(soul, Field::Voice, "voiceConfig"),
        avatar: entries(soul, Field::Avatar, "avatarConfig"),
        hard_limits: hard_limits(rules.as_ref(), spoken.as_ref()),
        identity_card: card(&whole, Some(agent.as_str())).text,
    })
}

/// What a soul says of a field, with what only a persona in JSON can say of it.
fn entries(soul: &Soul, field: Field, persona: &str) -> Option<Map<String, Value>> {
    let said = |field| {
        soul.items_of(field).filter_map(|item| match &item.value {
            Said::Entry { key, value } => Some((key, value)),
            _ => None,
        })
    };
    let mut entries: Map<_, _> = said(field).map(|(key, value)| (key.clone(), value.clone())).collect();
    let beyond = said(Field::Persona).filter(|(key, _)| *key == persona).filter_map(|(_, value)| value.as_object());
    for (key, value) in beyond.flatten().filter(|(_, value)| !value.is_null()) {
        entries.entry(key).or_insert_with(|| value.clone());
    }
    Some(entries).filter(|entries| !entries.is_empty())
}
