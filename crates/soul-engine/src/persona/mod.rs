//! An agent's traits and mood, and how they change. The authored file is never edited: what changed is kept
//! beside the record, and can be reverted.

mod error;
pub(crate) mod input;

use soul_core::model::Soul;
use soul_core::persona::{Adapted, Effective, Moods, State, Trait, Traits};
use soul_core::prompt::Persona;

pub use error::Error;

use crate::Keeper;
use crate::authoring::{Subject, recover_if_idle};
use crate::caller::Author;
use crate::fields::NonBlank;
use crate::ids::MutationId;
use crate::library::chain;
use crate::souls::{self, Loader, Resolved, Text};
use crate::store::{Adaptation, NewMutation};
use crate::workspace::{Agent, AgentName, SoulKey};

/// The longest reason, in bytes.
pub const MAX_TEXT: usize = 4096;
/// The longest name of a session, in bytes.
pub const MAX_SESSION: usize = 256;
/// The longest time that an overlay lasts: a leap year, in seconds.
pub const MAX_OVERLAY_SECONDS: u32 = 366 * 86_400;
/// The session of a caller that names none. It has one budget for good, like any other.
pub const DEFAULT_SESSION: &str = "default";

/// An agent, its soul, valid or absent, and what the author wrote of the persona.
pub(crate) struct AgentPersona {
    pub(crate) agent: Agent,
    pub(crate) soul: Resolved,
    pub(crate) baseline: Traits,
    pub(crate) moods: Moods,
}

/// A bounded change of one trait.
pub(crate) struct Step {
    pub(crate) of: Trait,
    pub(crate) delta: f64,
    pub(crate) reason: String,
    pub(crate) evidence: Option<String>,
    pub(crate) session: String,
}

/// What became of a step.
pub(crate) struct Stepped {
    pub(crate) adapted: Adapted,
    pub(crate) id: Option<MutationId>,
    /// Whether an overlay sets the trait, so that the step shows when it has ended.
    pub(crate) overlaid: bool,
}

impl AgentPersona {
    /// Resolves the agent's soul; an invalid one is an error.
    pub(crate) fn load(keeper: &Keeper, name: &AgentName) -> Result<Self, Error> {
        let agent = keeper.agent(name)?;
        if let Some(key) = agent.known_key().map_err(souls::Error::WorkspaceId)? {
            recover_if_idle(keeper, &agent, &key)?;
        }
        let soul = Loader::chosen(keeper, keeper.chosen_dialect(&agent)?).agent(&agent, Text::OnDisk).valid()?;
        let (baseline, moods) = (Traits::from_soul(&soul.soul), Moods::from_soul(&soul.soul));
        Ok(Self { agent, soul, baseline, moods })
    }

    /// The key for a change that is to show in the prompt, which takes a soul.
    pub(crate) fn key_with_soul(&self, keeper: &Keeper) -> Result<SoulKey, Error> {
        if !self.soul.is_present() && chain::fallback(keeper, &self.soul)?.is_none() {
            return Err(Error::NoPersona(self.agent.name.clone()));
        }
        self.key(keeper)
    }

    /// The key for a change.
    pub(crate) fn key(&self, keeper: &Keeper) -> Result<SoulKey, Error> {
        self.agent.check_writable()?;
        Ok(self.agent.claim(keeper)?.key)
    }

    pub(crate) fn state(&self, keeper: &Keeper) -> Result<State, Error> {
        state(keeper, &self.agent)
    }

    pub(crate) fn effective(&self, keeper: &Keeper, state: &State) -> Effective {
        state.effective(&self.baseline, &self.moods, keeper.settings.persona.tempo, keeper.now().seconds())
    }

    /// Takes a step, on record.
    pub(crate) fn step(&self, keeper: &Keeper, step: Step, author: Author) -> Result<Stepped, Error> {
        let Step { of, delta, reason, evidence, session } = step;
        let new = NewMutation {
            key: self.key_with_soul(keeper)?,
            of,
            delta,
            session,
            reason,
            evidence,
            baseline: self.baseline,
            tempo: keeper.settings.persona.tempo,
            now: keeper.now(),
            actor: author.actor,
            origin: author.origin,
        };
        let Adaptation { adapted, id } = keeper.store()?.adapt_persona(&new)?;
        let state = self.state(keeper)?;
        let overlaid = state.active_overlays(keeper.now().seconds()).any(|overlay| overlay.traits.get(of).is_some());
        Ok(Stepped { adapted, id, overlaid })
    }
}

/// The name of the session whose budget a step is taken from.
pub(crate) fn session(name: Option<NonBlank>) -> Result<String, Error> {
    let Some(name) = name else { return Ok(DEFAULT_SESSION.to_owned()) };
    let session = name.as_str().trim();
    if session.len() > MAX_SESSION { Err(Error::BadSession) } else { Ok(session.to_owned()) }
}

/// Whether souls are switched off, so that nothing of a persona reaches a prompt.
pub(crate) const fn is_inactive(keeper: &Keeper) -> bool {
    !keeper.settings.soul.enabled
}

/// What has changed since the author wrote the persona.
fn state(keeper: &Keeper, agent: &Agent) -> Result<State, Error> {
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?;
    match key.zip(keeper.existing_store()?) {
        Some((key, store)) => Ok(store.persona(&key)?),
        None => Ok(State::default()),
    }
}

/// The traits and mood of an agent with this soul, as they are now, if it has any.
pub(crate) fn effective(keeper: &Keeper, agent: &Agent, soul: &Soul) -> Result<Option<Persona>, Error> {
    Ok(effective_until(keeper, agent, soul)?.0)
}

/// The same, and the second at which it changes by itself, if it does.
pub(crate) fn effective_until(
    keeper: &Keeper,
    agent: &Agent,
    soul: &Soul,
) -> Result<(Option<Persona>, Option<i64>), Error> {
    let (baseline, moods) = (Traits::from_soul(soul), Moods::from_soul(soul));
    let (state, now) = (state(keeper, agent)?, keeper.now().seconds());
    let effective = state.effective(&baseline, &moods, keeper.settings.persona.tempo, now);
    let until = state.steady_until(&effective.traits, now);
    Ok((Some(Persona::from(effective)).filter(|persona| !persona.is_empty()), until))
}
