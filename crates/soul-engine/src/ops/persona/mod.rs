//! How an agent is disposed and how that changes, one file an operation. The authored file is never
//! edited: what became of a persona is kept beside the record, and can be taken back.

pub mod adapt;
pub mod drift;
mod given;
pub mod history;
pub mod mood;
pub mod overlay;
pub mod revert;
pub mod show;

use std::ops::Not;

use serde::{Deserialize, Serialize};
use soul_core::formats::soulspec::Profile;
use soul_core::model::Soul;
use soul_core::persona::{Effective, Feeling, Moods, Pad, State, Trait, Traits};
use soul_core::prompt::Persona;

use super::Error;
use super::inspect::{self, respond};
use super::load::{self, Text};
use super::payload::Asker;
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::library::chain;
use crate::store::{Adaptation, NewMutation};
use crate::workspace::{Agent, AgentName, SoulKey};

/// The most bytes of a reason.
pub const MAX_TEXT: usize = 4096;
/// The most bytes of a session's name.
pub const MAX_SESSION: usize = 256;
/// The session of whoever names none. It has one budget for good, like any other.
pub const DEFAULT_SESSION: &str = "default";

/// An agent and its soul, valid or absent.
struct Found {
    agent: Agent,
    soul: inspect::Response,
    baseline: Traits,
    moods: Moods,
}

/// How it stands with the mood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mood {
    /// The mood now; none if the soul has none and none was set.
    pub current: Option<String>,
    /// The mood that it comes back to.
    pub default: Option<String>,
    /// The moods that it may be in; empty if the author names none, and then it may be in any that has a
    /// name of its own.
    pub allowed: Vec<String>,
    /// What it feels like, in one word.
    pub label: String,
    /// The point that this is, in the space of moods.
    pub pad: Pad,
    /// Whether an overlay decides the mood, so that another one that was set does not show.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub overlaid: bool,
    /// Whether souls are switched off, so that none of this reaches a prompt.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

impl Found {
    fn new(keeper: &Keeper, name: &AgentName) -> Result<Self, Error> {
        let agent = keeper.agent(name)?;
        if let Some(key) = agent.known_key().map_err(Error::workspace)? {
            recover_if_idle(keeper, &agent, &key)?;
        }
        let loaded = load::of_agent(keeper, &agent, keeper.pinned_dialect(&agent)?, Profile::Lenient, Text::OnDisk);
        let soul = respond(keeper, loaded);
        if !soul.valid {
            return Err(Error::Invalid(Box::new(soul)));
        }
        let (baseline, moods) = (Traits::from_soul(&soul.soul), Moods::from_soul(&soul.soul));
        Ok(Self { agent, soul, baseline, moods })
    }

    /// The same for a change that is to show in the prompt, which takes a soul.
    fn moving_key(&self, keeper: &Keeper) -> Result<SoulKey, Error> {
        if !self.soul.present && chain::in_place_of(keeper, &self.soul)?.is_none() {
            return Err(Error::NoPersona(self.agent.name.clone()));
        }
        self.key()
    }

    /// What names what is remembered, for a change. The agents of others are only read.
    fn key(&self) -> Result<SoulKey, Error> {
        if !self.agent.ours {
            return Err(Error::ForeignAgent(self.agent.name.clone()));
        }
        self.agent.key().map_err(Error::workspace)
    }

    fn state(&self, keeper: &Keeper) -> Result<State, Error> {
        state(keeper, &self.agent)
    }

    fn effective(&self, keeper: &Keeper, state: &State) -> Effective {
        state.effective(&self.baseline, &self.moods, keeper.settings.persona.tempo, keeper.now().seconds())
    }

    fn mood(&self, keeper: &Keeper, effective: &Effective) -> Mood {
        let Moods { default, allowed, .. } = self.moods.clone();
        let Feeling { mood: current, pad, label } = effective.feeling.clone();
        let (overlaid, inactive) = (effective.overlaid, is_inactive(keeper));
        Mood { current, default, allowed, label, pad, overlaid, inactive }
    }

    /// Takes a step, on record, and tells it under the name that the trait was asked for by.
    fn step(&self, keeper: &Keeper, step: Step, name: &str, asker: &Asker) -> Result<adapt::Response, Error> {
        let Step { of, delta, reason, evidence, session } = step;
        let new = NewMutation {
            key: self.moving_key(keeper)?,
            of,
            delta,
            session,
            reason,
            evidence,
            baseline: self.baseline,
            tempo: keeper.settings.persona.tempo,
            now: keeper.now(),
            actor: asker.actor.clone(),
            origin: asker.origin.clone(),
        };
        let Adaptation { adapted, id: mutation_id } = keeper.store()?.adapt_persona(&new)?;
        let state = self.state(keeper)?;
        let overlaid = state.active_overlays(keeper.now().seconds()).any(|overlay| overlay.traits.get(of).is_some());
        Ok(adapt::Response { of: name.to_owned(), adapted, mutation_id, overlaid, inactive: is_inactive(keeper) })
    }
}

/// A step that makes sense.
struct Step {
    of: Trait,
    delta: f64,
    reason: String,
    evidence: Option<String>,
    session: String,
}

/// The name of a session under which a budget is kept.
fn session(given: Option<String>) -> Result<String, Error> {
    let Some(given) = given else { return Ok(DEFAULT_SESSION.to_owned()) };
    let session = given.trim();
    if session.is_empty() || session.len() > MAX_SESSION { Err(Error::BadSession) } else { Ok(session.to_owned()) }
}

/// Whether souls are switched off, so that nothing of a persona reaches a prompt.
const fn is_inactive(keeper: &Keeper) -> bool {
    !keeper.settings.soul.enabled
}

/// What has become of an agent's persona.
fn state(keeper: &Keeper, agent: &Agent) -> Result<State, Error> {
    let key = agent.known_key().map_err(Error::workspace)?;
    match key.zip(keeper.existing_store()?) {
        Some((key, store)) => Ok(store.persona(&key)?),
        None => Ok(State::default()),
    }
}

/// How an agent with this soul is disposed now, if there is anything to say of it.
pub(crate) fn of_agent(keeper: &Keeper, agent: &Agent, soul: &Soul) -> Result<Option<Persona>, Error> {
    let (baseline, moods) = (Traits::from_soul(soul), Moods::from_soul(soul));
    let state = state(keeper, agent)?;
    let effective = state.effective(&baseline, &moods, keeper.settings.persona.tempo, keeper.now().seconds());
    Ok(Some(Persona::from(effective)).filter(|persona| !persona.is_empty()))
}
