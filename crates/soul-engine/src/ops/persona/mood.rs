//! Show an agent's mood, set it, or let an event move it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::persona::{self, Pad, State};

pub use super::Mood as Response;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{NonBlank, given};
use crate::ops::{Error, Hints, Operation};
use crate::persona::{AgentPersona, Error as PersonaError};
use crate::store::{EventDetail, EventKind, NewEvent};
use crate::workspace::AgentName;

/// Show an agent's mood, set it, or let an event move it. Give `set` or `event` to change the mood.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// The mood to set; the soul must allow it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub set: Option<NonBlank>,
    /// How far an event moves the mood on each axis, from -1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Pad>,
}

/// What becomes of a mood.
enum Change {
    Set(NonBlank),
    Event(Pad),
}

impl Operation for Request {
    const NAME: &'static str = "persona.mood";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.set.is_some() || self.event.is_some() { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let change = match (self.set, self.event) {
            (Some(_), Some(_)) => return Err(PersonaError::SetAndEvent.into()),
            (set, event) => set.map(Change::Set).or(event.map(Change::Event)),
        };
        let persona = AgentPersona::load(keeper, &self.agent)?;
        let response = |state: &State| Response::new(keeper, &persona, &persona.effective(keeper, state));
        let Some(change) = change else { return Ok(response(&persona.state(keeper)?)) };
        change.check(&persona)?;
        let key = persona.key_with_soul(keeper)?;
        let now = keeper.now().seconds();
        let author = context.author(Self::NAME);
        let named = if let Change::Set(mood) = &change { Some(mood.as_str().to_owned()) } else { None };
        let event = NewEvent {
            detail: EventDetail { mood: named, ..EventDetail::default() },
            ..NewEvent::for_soul(EventKind::PersonaMood, &key, &author.actor, &author.origin)
        };
        let state = keeper.store()?.change_persona(&key, &event, keeper.now(), &mut |state| {
            let tempo = keeper.settings.persona.tempo;
            let traits = state.effective(&persona.baseline, &persona.moods, tempo, now).traits;
            state.mood = Some(match &change {
                Change::Set(mood) => persona::Mood::set(mood.as_str(), now),
                Change::Event(event) => persona::Mood::moved(state.mood.as_ref(), *event, &persona.moods, &traits, now),
            });
        })?;
        Ok(response(&state))
    }
}

impl Change {
    /// Refuses what the soul does not allow, and what is not a point.
    fn check(&self, persona: &AgentPersona) -> Result<(), PersonaError> {
        if persona.moods.fixed {
            return Err(PersonaError::MoodsOff(persona.agent.name.clone()));
        }
        match self {
            Self::Set(mood) if !persona.moods.allows(mood.as_str()) => {
                let (mood, allowed) = (mood.as_str().to_owned(), persona.moods.choices().map(str::to_owned).collect());
                Err(PersonaError::MoodNotAllowed { mood, allowed })
            }
            Self::Event(Pad { valence, arousal, dominance }) => {
                let wrong = [valence, arousal, dominance].into_iter().find(|axis| !axis.is_finite());
                wrong.map_or(Ok(()), |axis| Err(PersonaError::NotFinite(*axis)))
            }
            Self::Set(_) => Ok(()),
        }
    }
}
