//! Show an agent's traits and mood: what the author wrote, and what applies now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::model::{Field, Soul, Value as ItemValue};
use soul_core::persona::Traits;
use soul_core::prompt::{LimitSource, Passage, hard_limits};
use soul_core::text::Source;

use super::Mood;
use crate::caller::Grant;
use crate::context::Context;
use crate::ops::boot::card;
use crate::ops::{Error, Hints, Operation};
use crate::persona::AgentPersona;
use crate::souls::{Bundle, RULES_FILE, Target};
use crate::workspace::AgentName;

/// Show an agent's traits and mood, its voice and avatar, its hard limits and its identity card.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
}

/// An agent's persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaDetail")]
pub struct Response {
    /// The trait scores that the author wrote.
    pub baseline: Traits,
    /// The trait scores that apply now.
    pub effective: Traits,
    /// The mood.
    pub mood: Mood,
    /// Voice settings; null if the soul has none.
    pub voice: Option<Map<String, Value>>,
    /// Avatar settings; null if the soul has none.
    pub avatar: Option<Map<String, Value>>,
    /// What the agent must and must not do, whatever its mood, one by one as in the prompt.
    pub hard_limits: Vec<String>,
    /// The card that people see, in Markdown.
    pub identity_card: String,
}

impl Operation for Request {
    const NAME: &'static str = "persona.show";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let (keeper, agent) = (context.keeper, self.agent);
        let persona = AgentPersona::load(keeper, &agent)?;
        let effective = persona.effective(keeper, &persona.state(keeper)?);
        let bundle = Bundle::read(keeper, &Target::Agent(agent.clone()), None)?;
        let soul = &persona.soul.soul;
        let rules = bundle.files.get(RULES_FILE).and_then(Source::text);
        let rules = rules.and_then(|rules| Passage::new(rules, RULES_FILE).trimmed());
        let passage = Passage::new("", persona.soul.source_path.as_str());
        let spoken = persona.soul.dialect().map(|dialect| LimitSource { soul, dialect, passage });
        Ok(Response {
            baseline: persona.baseline,
            effective: effective.traits,
            mood: Mood::new(keeper, &persona, &effective),
            voice: entries(soul, Field::Voice, "voiceConfig"),
            avatar: entries(soul, Field::Avatar, "avatarConfig"),
            hard_limits: hard_limits(rules.as_ref(), spoken.as_ref()),
            identity_card: card(&bundle, Some(agent.as_str())).text,
        })
    }
}

/// The entries of a field, with those that only a persona in JSON has.
fn entries(soul: &Soul, field: Field, persona: &str) -> Option<Map<String, Value>> {
    let entries_of = |field| {
        soul.items_of(field).filter_map(|item| match &item.value {
            ItemValue::Entry { key, value } => Some((key, value)),
            _ => None,
        })
    };
    let mut entries: Map<_, _> = entries_of(field).map(|(key, value)| (key.clone(), value.clone())).collect();
    let in_json = entries_of(Field::Persona).filter(|(key, _)| *key == persona);
    let in_json = in_json.filter_map(|(_, value)| value.as_object());
    for (key, value) in in_json.flatten().filter(|(_, value)| !value.is_null()) {
        entries.entry(key).or_insert_with(|| value.clone());
    }
    Some(entries).filter(|entries| !entries.is_empty())
}
