//! Tell the mood of an agent, set it, or let something move it.

use serde::{Deserialize, Serialize};
use soul_core::persona::{self, Pad, State};

use super::Found;
pub use super::Mood as Response;
use crate::Keeper;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::{EventKind, NewEvent};
use crate::workspace::AgentName;

/// It may change what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Whose mood.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// What becomes of it, if anything, and by whom.
    pub change: Option<(Change, Asker)>,
}

/// What becomes of a mood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is this one.
    Set(String),
    /// Something happened that moves it so far.
    Event(Pad),
}

/// Changes the mood if that is asked for, and tells it.
///
/// # Errors
/// When the soul does not allow the mood or none to change, there is no such agent, or its soul is absent
/// or invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, change } = request;
    let found = Found::new(keeper, &agent)?;
    let told = |state: &State| found.mood(keeper, &found.effective(keeper, state));
    let Some((change, asker)) = change else { return Ok(told(&found.state(keeper)?)) };
    if found.moods.fixed {
        return Err(Error::MoodsOff(agent));
    }
    match &change {
        Change::Set(mood) if !found.moods.allows(mood) => {
            return Err(Error::MoodNotAllowed(mood.clone(), found.moods.choices().map(str::to_owned).collect()));
        }
        Change::Event(Pad { valence, arousal, dominance }) => {
            if let Some(wrong) = [valence, arousal, dominance].into_iter().find(|axis| !axis.is_finite()) {
                return Err(Error::NotFinite(*wrong));
            }
        }
        Change::Set(_) => {}
    }
    let key = found.moving_key(keeper)?;
    let time = keeper.now();
    let now = time.seconds();
    let event = NewEvent::for_soul(EventKind::PersonaMood, &key, &asker.actor, &asker.origin);
    let state = keeper.store()?.change_persona(&key, &event, time, &mut |state| {
        let traits = state.effective(&found.baseline, &found.moods, keeper.settings.persona.tempo, now).traits;
        let mood = match &change {
            Change::Set(mood) => persona::Mood::set(mood, now),
            Change::Event(event) => persona::Mood::moved(state.mood.as_ref(), *event, &found.moods, &traits, now),
        };
        state.mood = Some(mood);
    })?;
    Ok(told(&state))
}
