//! Show what is laid over a persona for a while, evaluate rules, or remove the overlays.

use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use soul_core::persona::{NotAllowed, Overlay, State, Traits, evaluate};

use crate::Keeper;
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::fields::whole_u32;
use crate::ops::{Error, Hints, Operation};
use crate::persona::{AgentPersona, Error as PersonaError, MAX_OVERLAY_SECONDS, input, is_inactive};
use crate::store::{EventKind, NewEvent};
use crate::workspace::AgentName;

/// How many overlays an agent has at most.
const MAX_OVERLAYS: usize = 100;

/// Show an agent's active overlays, evaluate rules and add those that apply, or remove all overlays.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Name of the agent.
    pub agent: AgentName,
    /// Rules to evaluate: a list of `{id, trigger, patch}`, or an object whose `rules` are one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Value>,
    /// The situation that the rules are evaluated in: `{roleId, metadata, reasoningSignals}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ["object", "null"]))]
    pub context: Option<Value>,
    /// How long the overlays last, in seconds, at most 366 days.
    #[serde(default = "an_hour", deserialize_with = "whole_u32")]
    #[schemars(range(min = 1, max = MAX_OVERLAY_SECONDS))]
    pub seconds: u32,
    /// Remove all overlays.
    #[serde(default)]
    pub clear: bool,
}

const fn an_hour() -> u32 {
    3600
}

/// The active overlays of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PersonaOverlays")]
pub struct Response {
    /// The active overlays, oldest first; if two set the same trait or mood, the last one counts.
    pub overlays: Vec<PersonaOverlay>,
    /// Ids of the rules that apply; absent if no rules were evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<Vec<String>>,
    /// The moods that rules asked for and the soul does not allow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_allowed: Vec<NotAllowed>,
    /// Whether souls are disabled, so that overlays do not affect prompts.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub inactive: bool,
}

/// An active overlay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonaOverlay {
    /// Id of the rule.
    pub rule: String,
    /// The trait scores that it sets.
    pub traits: Traits,
    /// The mood that it sets.
    pub mood: Option<String>,
    /// Data that other programs attached.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it ends.
    pub until: Time,
}

impl Operation for Request {
    const NAME: &'static str = "persona.overlay";
    const HINTS: Hints = Hints::REPLACE;
    type Response = Response;

    fn grant(&self) -> Grant {
        if self.clear || self.rules.is_some() { Grant::Write } else { Grant::Read }
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        self.check()?;
        let (keeper, author) = (context.keeper, context.author(Self::NAME));
        let persona = AgentPersona::load(keeper, &self.agent)?;
        if self.clear {
            let key = persona.key(keeper)?;
            let event = NewEvent::for_soul(EventKind::PersonaOverlay, &key, &author.actor, &author.origin);
            let state =
                keeper.store()?.change_persona(&key, &event, keeper.now(), &mut |state| state.overlays.clear())?;
            return Ok(Response::new(keeper, &state));
        }
        let Some(rules) = self.rules else { return Ok(Response::new(keeper, &persona.state(keeper)?)) };
        let key = persona.key_with_soul(keeper)?;
        let rules = input::rules(&rules, MAX_OVERLAYS)?;
        let given = self.context.unwrap_or_default();
        if !given.is_object() && !given.is_null() {
            return Err(PersonaError::BadInput("the context", "it is not an object".to_owned()).into());
        }
        let now = keeper.now().seconds();
        let until = now.saturating_add(i64::from(self.seconds));
        let event = NewEvent::for_soul(EventKind::PersonaOverlay, &key, &author.actor, &author.origin);
        let mut evaluated = Default::default();
        let state = keeper.store()?.change_persona(&key, &event, keeper.now(), &mut |state| {
            let context = with_activation(&given, state.activated);
            evaluated = evaluate(&rules, &context, |mood| persona.moods.allows(mood));
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

impl Request {
    fn check(&self) -> Result<(), PersonaError> {
        match (&self.rules, &self.context) {
            (Some(_), _) if self.clear => Err(PersonaError::RulesAndClear),
            (None, Some(_)) => Err(PersonaError::ContextWithoutRules),
            _ if !(1..=MAX_OVERLAY_SECONDS).contains(&self.seconds) => Err(PersonaError::BadSeconds(self.seconds)),
            _ => Ok(()),
        }
    }
}

impl Response {
    fn new(keeper: &Keeper, state: &State) -> Self {
        let now = keeper.now().seconds();
        let overlays = state.active_overlays(now).map(|overlay| PersonaOverlay {
            rule: overlay.rule.clone(),
            traits: overlay.traits,
            mood: overlay.mood.clone(),
            metadata: overlay.metadata.clone(),
            until: Time::of_seconds(overlay.until),
        });
        Self { overlays: overlays.collect(), applied: None, not_allowed: Vec::new(), inactive: is_inactive(keeper) }
    }
}

/// The context, with what the caller need not say: whether rules were evaluated before.
fn with_activation(context: &Value, activated: bool) -> Value {
    let mut context = context.clone();
    if activated && context["metadata"].get("previouslyActivated").is_none() {
        match context.get_mut("metadata").and_then(Value::as_object_mut) {
            Some(metadata) => drop(metadata.insert("previouslyActivated".into(), true.into())),
            None => {
                let mut object = context.as_object().cloned().unwrap_or_default();
                object.insert("metadata".into(), json!({ "previouslyActivated": true }));
                context = object.into();
            }
        }
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_clear_exclude_each_other() {
        let read = |keys: Value| {
            let mut request = json!({ "agent": "aria" });
            request.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
            serde_json::from_value::<Request>(request).unwrap()
        };
        let show = read(json!({}));
        assert!(show.check().is_ok() && show.grant() == Grant::Read && show.seconds == 3600);
        assert_eq!(read(json!({ "rules": [], "seconds": 10.0 })).seconds, 10);
        for change in [json!({ "rules": [] }), json!({ "clear": true }), json!({ "rules": [], "context": {} })] {
            assert!(read(change.clone()).check().is_ok() && read(change).grant() == Grant::Write);
        }
        for wrong in [
            json!({ "rules": [], "clear": true }),
            json!({ "context": {} }),
            json!({ "rules": [], "seconds": 0 }),
            json!({ "rules": [], "seconds": MAX_OVERLAY_SECONDS + 1 }),
        ] {
            assert!(read(wrong.clone()).check().is_err(), "{wrong}");
        }
    }
}
