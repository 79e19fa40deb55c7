use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Trait, Traits};

/// A rule that changes a persona for a while when its trigger fires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OverlayRule"))]
pub struct Rule {
    /// Identifier of the rule.
    pub id: String,
    /// When the rule applies.
    pub trigger: Trigger,
    /// What the rule changes.
    #[serde(default)]
    pub patch: Patch,
}

/// The condition under which an overlay rule applies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OverlayTrigger"))]
#[serde(untagged)]
pub enum Trigger {
    /// `always`, `first_activation`, `task_completed` or `error`; any other word is the name of an event, a
    /// state or a role.
    Word(String),
    /// Keys and values that the context must all have.
    Values(Map<String, Value>),
}

/// The changes that an overlay rule makes to a persona.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OverlayPatch"))]
#[serde(rename_all = "camelCase", default)]
pub struct Patch {
    /// Trait scores that replace the current ones.
    pub persona_traits: Map<String, Value>,
    /// The mood to set; ignored if the soul does not allow it.
    pub mood: Option<String>,
    /// Data that other programs attach; it is kept and not interpreted.
    pub metadata: Map<String, Value>,
}

/// A mood that an overlay rule asked for and the soul does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OverlayMoodNotAllowed"))]
pub struct NotAllowed {
    /// Identifier of the rule.
    pub rule: String,
    /// Name of the mood.
    pub mood: String,
}

/// The result of evaluating overlay rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluated {
    /// The rules that apply, each with its allowed changes.
    pub applied: Vec<(String, Patch)>,
    /// The moods that were refused.
    pub not_allowed: Vec<NotAllowed>,
}

/// Evaluates rules against a context. A mood that is not allowed is dropped from its rule; a rule without other
/// changes then does not apply.
#[must_use]
pub fn evaluate(rules: &[Rule], context: &Value, allows: impl Fn(&str) -> bool) -> Evaluated {
    let mut evaluated = Evaluated::default();
    for rule in rules.iter().filter(|rule| rule.trigger.is_met(context)) {
        let mut patch = rule.patch.clone();
        if let Some(mood) = patch.mood.take_if(|mood| !allows(mood)) {
            evaluated.not_allowed.push(NotAllowed { rule: rule.id.clone(), mood });
            if patch == Patch::default() {
                continue;
            }
        }
        evaluated.applied.push((rule.id.clone(), patch));
    }
    evaluated
}

/// A persona with patches merged into it, in order.
///
/// ```
/// use serde_json::json;
/// use soul_core::persona::{Rule, evaluate, resolve};
///
/// let persona = json!({ "personalityTraits": { "openness": 0.5 } });
/// let rules: Vec<Rule> = serde_json::from_value(json!([
///     { "id": "bold", "trigger": "always", "patch": { "personaTraits": { "openness": 0.9 } } },
///     { "id": "warm", "trigger": "always", "patch": { "personaTraits": { "agreeableness": 0.8 } } },
/// ])).unwrap();
/// let applied = evaluate(&rules, &json!({}), |_| true).applied;
/// let both = json!({ "personalityTraits": { "openness": 0.9, "agreeableness": 0.8 } });
/// assert_eq!(resolve(persona.as_object().unwrap(), &applied), *both.as_object().unwrap());
/// ```
#[must_use]
pub fn resolve(persona: &Map<String, Value>, applied: &[(String, Patch)]) -> Map<String, Value> {
    let mut persona = persona.clone();
    for (_, patch) in applied {
        if !patch.persona_traits.is_empty() {
            let mut traits = object(&persona, "personalityTraits");
            for (key, score) in &patch.persona_traits {
                let same =
                    |other: &&String| Trait::from_key(key).is_some() && Trait::from_key(other) == Trait::from_key(key);
                let known = traits.keys().find(same).cloned();
                traits.insert(known.unwrap_or_else(|| key.clone()), within(key, score));
            }
            persona.insert("personalityTraits".into(), traits.into());
        }
        if let Some(mood) = &patch.mood {
            let mut adaptation = object(&persona, "moodAdaptation");
            if adaptation.get("enabled").is_none_or(Value::is_null) {
                adaptation.insert("enabled".into(), true.into());
            }
            adaptation.insert("defaultMood".into(), mood.as_str().into());
            persona.insert("moodAdaptation".into(), adaptation.into());
        }
        if !patch.metadata.is_empty() {
            let mut fields = object(&persona, "customFields");
            fields.extend(patch.metadata.clone());
            persona.insert("customFields".into(), fields.into());
        }
    }
    persona
}

/// A copy of the object under a key; what is none counts as an empty one.
fn object(persona: &Map<String, Value>, key: &str) -> Map<String, Value> {
    persona.get(key).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The score of a trait lies in 0..1, wherever it comes from.
fn within(key: &str, score: &Value) -> Value {
    match score.as_f64().filter(|_| Trait::from_key(key).is_some()) {
        Some(number) if !(0.0..=1.0).contains(&number) => number.clamp(0.0, 1.0).into(),
        _ => score.clone(),
    }
}

impl Trigger {
    fn is_met(&self, context: &Value) -> bool {
        let (metadata, signals) = (&context["metadata"], &context["reasoningSignals"]);
        match self {
            Self::Word(word) => {
                let word = word.to_lowercase();
                match word.as_str() {
                    "always" => true,
                    "first_activation" => is_falsy(&metadata["previouslyActivated"]),
                    "on_error" | "error" => {
                        metadata["lastEvent"] == "error"
                            || signals["lastEvent"] == "error"
                            || metadata["state"] == "failed"
                    }
                    "task_completed" => metadata["lastEvent"] == *word,
                    _ => {
                        [&metadata["lastEvent"], &metadata["state"], &context["roleId"]].iter().any(|it| **it == *word)
                    }
                }
            }
            Self::Values(values) => values.iter().all(|(key, wanted)| {
                let found = match key.split_once('.') {
                    Some(("metadata", path)) => at(metadata, path),
                    Some(("signals", path)) => at(signals, path),
                    Some(_) => at(context, key),
                    None => [metadata, signals, context]
                        .into_iter()
                        .find_map(|place| place.get(key).filter(|it| !it.is_null())),
                };
                found.is_some_and(|found| is_same(found, wanted))
            }),
        }
    }
}

/// The value under a key that may have dots in it, or else at a path of keys.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    value.get(path).or_else(|| path.split('.').try_fold(value, |value, key| value.get(key)))
}

/// Whether a value counts as none.
fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// The same kind and the same value; a number is one, however it is written.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// An overlay rule that is in effect until a given time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ActiveOverlay"))]
pub struct Overlay {
    /// Identifier of the rule.
    pub rule: String,
    /// The trait scores that it sets.
    #[serde(default, skip_serializing_if = "Traits::is_empty")]
    pub traits: Traits,
    /// The mood that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// Data that other programs attached.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// When it ends, in seconds since 1970-01-01T00:00:00Z.
    pub until: i64,
}

impl Overlay {
    /// The effect of a patch until a given time. Unknown traits and scores that are not numbers are ignored.
    #[must_use]
    pub fn new(rule: &str, patch: &Patch, until: i64) -> Self {
        let scores = patch.persona_traits.iter();
        let traits = scores.filter_map(|(key, score)| Some((Trait::from_key(key)?, score.as_f64()?))).collect();
        Self { rule: rule.to_owned(), traits, mood: patch.mood.clone(), metadata: patch.metadata.clone(), until }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn met(trigger: Value, context: Value) -> bool {
        serde_json::from_value::<Trigger>(trigger).unwrap().is_met(&context)
    }

    #[test]
    fn words_are_met_by_what_happened() {
        assert!(met(json!("first_activation"), json!({})));
        assert!(met(json!("first_activation"), json!({"metadata": {"previouslyActivated": 0}})));
        assert!(met(json!("On_Error"), json!({"reasoningSignals": {"lastEvent": "error"}})));
        assert!(met(json!("error"), json!({"metadata": {"state": "failed"}})));
        assert!(!met(json!("error"), json!({"roleId": "error"})));
        assert!(met(json!("task_completed"), json!({"metadata": {"lastEvent": "task_completed"}})));
        assert!(!met(json!("task_completed"), json!({"metadata": {"state": "task_completed"}})));
        assert!(met(json!("paused"), json!({"metadata": {"state": "paused"}})));
        assert!(!met(json!("paused"), json!(null)));
    }

    #[test]
    fn values_are_met_where_they_are_found_first() {
        let context = json!({"roleId": "dev", "metadata": {"n": 3, "deep": {"er": true}}, "reasoningSignals": {"n": 4, "conf": 0.5}});
        assert!(met(json!({"n": 3.0, "signals.n": 4, "roleId": "dev"}), context.clone()));
        assert!(met(json!({"metadata.deep.er": true, "conf": 0.5}), context.clone()));
        assert!(met(json!({"metadata.a.b": 1}), json!({"metadata": {"a.b": 1}})));
        assert!(!met(json!({"n": 4}), context.clone()));
        assert!(!met(json!({"missing": null}), context));
    }

    #[test]
    fn a_mood_that_is_not_allowed_is_left_out() {
        let rules: Vec<Rule> = serde_json::from_value(json!([
            {"id": "only", "trigger": "always", "patch": {"mood": "gloomy"}},
            {"id": "more", "trigger": "always", "patch": {"mood": "gloomy", "personaTraits": {"honesty": 7}}},
            {"id": "nothing", "trigger": "always"},
        ]))
        .unwrap();
        let evaluated = evaluate(&rules, &json!({}), |mood| mood == "calm");
        let applied: Vec<_> = evaluated.applied.iter().map(|(rule, _)| rule.as_str()).collect();
        assert_eq!(applied, ["more", "nothing"]);
        assert_eq!(evaluated.not_allowed.len(), 2);
        let persona = json!({"personalityTraits": {"honestyHumility": 0.5}});
        let resolved = resolve(persona.as_object().unwrap(), &evaluated.applied);
        assert_eq!(Value::from(resolved), json!({"personalityTraits": {"honestyHumility": 1.0}}));
    }
}
