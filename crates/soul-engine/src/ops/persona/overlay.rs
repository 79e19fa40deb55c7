//! Lay rules over a persona for a while, tell which lie over it, or take them off.

use std::ops::Not;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use soul_core::persona::{NotAllowed, Overlay, State, Traits, evaluate};

use super::{Found, given, is_inactive};
use crate::Keeper;
use crate::clock::Time;
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use crate::store::{EventKind, NewEvent};
use crate::workspace::AgentName;

/// It may change what is remembered.
pub const GRANT: Grant = Grant::Write;

/// The most overlays that lie over an agent at once.
const MAX_OVERLAYS: usize = 100;

/// Whose overlays.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// What becomes of them, if anything, and by whom.
    pub change: Option<(Change, Asker)>,
}

/// What becomes of overlays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Rules are tried, and those that apply lie over the persona.
    Lay {
        /// A list of rules, or an object whose `rules` are one.
        rules: Value,
        /// What is the case.
        context: Value,
        /// For how many seconds.
        seconds: u32,
    },
    /// All of them are taken off.
    Clear,
}

/// What lies over a persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The overlays, oldest first; of two that set the same, the last one counts.
    pub overlays: Vec<Laid>,
    /// The rules that apply, if rules were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<Vec<String>>,
    /// The moods that rules asked for and the soul does not allow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_allowed: Vec<NotAllowed>,
    /// Whether souls are switched off, so that no overlay reaches a prompt.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

/// One overlay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Laid {
    /// The rule.
    pub rule: String,
    /// The scores that it sets.
    pub traits: Traits,
    /// The mood that it sets.
    pub mood: Option<String>,
    /// What other programs keep with it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it ends.
    pub until: Time,
}

/// Changes the overlays if that is asked for, and tells them.
///
/// # Errors
/// When what was given is no rules, there is no such agent, or its soul is absent or invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { agent, change } = request;
    let found = Found::new(keeper, &agent)?;
    let Some((change, asker)) = change else { return Ok(Response::new(keeper, &found.state(keeper)?)) };
    let key = if change == Change::Clear { found.key()? } else { found.moving_key(keeper)? };
    let time = keeper.now();
    let now = time.seconds();
    let event = NewEvent::for_soul(EventKind::PersonaOverlay, &key, &asker.actor, &asker.origin);
    let store = keeper.store()?;
    match change {
        Change::Clear => {
            let state = store.change_persona(&key, &event, time, &mut |state| state.overlays.clear())?;
            Ok(Response::new(keeper, &state))
        }
        Change::Lay { rules, context, seconds } => {
            let rules = given::rules(&rules, MAX_OVERLAYS)?;
            if !context.is_object() && !context.is_null() {
                return Err(Error::BadInput("the context".into(), "it is no object".to_owned()));
            }
            let mut evaluated = Default::default();
            let state = store.change_persona(&key, &event, time, &mut |state| {
                let context = known(&context, state.activated);
                evaluated = evaluate(&rules, &context, |mood| found.moods.allows(mood));
                let until = now.saturating_add(i64::from(seconds));
                let overlays = evaluated.applied.iter().map(|(rule, patch)| Overlay::new(rule, patch, until));
                state.prune(keeper.settings.persona.tempo, now);
                state.add_overlays(overlays.collect());
                let too_many = state.overlays.len().saturating_sub(MAX_OVERLAYS);
                state.overlays.drain(..too_many);
                state.activated = true;
            })?;
            let applied = evaluated.applied.into_iter().map(|(rule, _)| rule).collect();
            let not_allowed = evaluated.not_allowed;
            Ok(Response { applied: Some(applied), not_allowed, ..Response::new(keeper, &state) })
        }
    }
}

impl Response {
    fn new(keeper: &Keeper, state: &State) -> Self {
        let now = keeper.now().seconds();
        let laid = state.active_overlays(now).map(|overlay| Laid {
            rule: overlay.rule.clone(),
            traits: overlay.traits,
            mood: overlay.mood.clone(),
            metadata: overlay.metadata.clone(),
            until: Time::of_seconds(overlay.until),
        });
        Self { overlays: laid.collect(), applied: None, not_allowed: Vec::new(), inactive: is_inactive(keeper) }
    }
}

/// The context, with what we know ourselves: whether rules were tried before.
fn known(context: &Value, activated: bool) -> Value {
    let mut context = context.clone();
    if activated && context["metadata"].get("previouslyActivated").is_none() {
        match context.get_mut("metadata").and_then(Value::as_object_mut) {
            Some(metadata) => drop(metadata.insert("previouslyActivated".into(), true.into())),
            None => {
                let mut whole = context.as_object().cloned().unwrap_or_default();
                whole.insert("metadata".into(), json!({ "previouslyActivated": true }));
                context = whole.into();
            }
        }
    }
    context
}
