//! What callers hand in as JSON, read key by key. A slip is answered with what was probably meant: a key that
//! nobody reads would change nothing, and nobody would know.

use serde_json::{Map, Value};
use soul_core::persona::{Drift, Patch, Relationship, Rule, Trace, Trait, Trigger};
use soul_core::text::{closest, shown};

use super::Error;

/// The most traces that are looked at.
const MAX_TRACES: usize = 1_000_000;

/// What happened, and how drift is to be looked for in it.
pub(crate) struct Events {
    pub(crate) traces: Vec<Option<Trace>>,
    pub(crate) relationship: Option<Relationship>,
    pub(crate) config: Drift,
}

type Wrong = String;

fn bad(what: &'static str) -> impl Fn(Wrong) -> Error {
    move |why| Error::BadInput(what, why)
}

/// A list of traces, or an object that holds one, a relationship and a config. A `config` of its own counts over
/// that one; what neither says is as `usual`.
pub(crate) fn events(given: &Value, config: Option<&Value>, usual: Drift) -> Result<Events, Error> {
    const KEYS: [&str; 3] = ["traces", "relationship", "config"];
    let (list, relationship, along) = match given.as_object() {
        None => (given, &Value::Null, &Value::Null),
        Some(whole) => {
            // Other programs keep more with their traces than we ask for, but nobody means `trace`.
            for key in whole.keys().filter(|key| !KEYS.contains(&key.as_str())) {
                if let Some(near) = closest(key, KEYS).filter(|near| !whole.contains_key(*near)) {
                    return Err(bad("the traces")(unknown(key, Some(near))));
                }
            }
            (&given["traces"], &given["relationship"], &given["config"])
        }
    };
    Ok(Events {
        traces: traces(list).map_err(bad("the traces"))?,
        relationship: self::relationship(relationship)?,
        config: drift(config.unwrap_or(along), usual).map_err(bad("the config"))?,
    })
}

fn traces(list: &Value) -> Result<Vec<Option<Trace>>, Wrong> {
    let list = list.as_array().ok_or("it is not a list")?;
    if list.len() > MAX_TRACES {
        return Err("there are more than a million traces traces".to_owned());
    }
    let read = |(index, trace)| felt(trace).map_err(|why| format!("trace {}: {why}", index + 1));
    list.iter().enumerate().map(read).collect()
}

/// What a trace felt like; none if it left no feeling.
fn felt(trace: &Value) -> Result<Option<Trace>, Wrong> {
    const KEYS: [&str; 2] = ["valence", "arousal"];
    if trace.is_null() {
        return Ok(None);
    }
    let trace = trace.as_object().ok_or("it is neither an object nor null")?;
    let axis = |key: &str| if trace.get(key).is_some_and(Value::is_null) { Ok(None) } else { number(trace, key) };
    let (valence, arousal) = (axis("valence")?, axis("arousal")?);
    for (key, value) in trace.iter().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        if KEYS.iter().any(|known| value.get(known).is_some()) {
            return Err(format!("its feeling is inside {}; put `valence` and `arousal` into the trace", shown(key)));
        }
        if let Some(near) = closest(key, KEYS).filter(|near| !trace.contains_key(*near)) {
            return Err(unknown(key, Some(near)));
        }
    }
    // Without an arousal nothing can be told from it.
    Ok(valence.map(|valence| Trace { valence, arousal: arousal.unwrap_or(f64::NAN) }))
}

/// How a relationship changed, by itself or as the `relationship` of an object.
pub(crate) fn relationship(given: &Value) -> Result<Option<Relationship>, Error> {
    let given = given.get("relationship").unwrap_or(given);
    if given.is_null() {
        return Ok(None);
    }
    changed(given).map(Some).map_err(bad("the relationship"))
}

fn changed(given: &Value) -> Result<Relationship, Wrong> {
    const KEYS: [&str; 4] = ["trustDelta", "affectionDelta", "tensionDelta", "respectDelta"];
    let given = object(given, &KEYS)?;
    let read = |key| match number(given, key)?.unwrap_or(0.0) {
        delta if (-100.0..=100.0).contains(&delta) => Ok(delta),
        delta => Err(format!("`{key}` is {delta}, but must be from -100 to 100")),
    };
    let [trust_delta, affection_delta, tension_delta, respect_delta] = KEYS.map(read);
    Ok(Relationship {
        trust_delta: trust_delta?,
        affection_delta: affection_delta?,
        tension_delta: tension_delta?,
        respect_delta: respect_delta?,
    })
}

fn drift(given: &Value, usual: Drift) -> Result<Drift, Wrong> {
    const KEYS: [&str; 5] =
        ["enabled", "minTracesForAnalysis", "maxDeltaPerCycle", "analysisInterval", "emotionalWeighting"];
    if given.is_null() {
        return Ok(usual);
    }
    let given = object(given, &KEYS)?;
    let enabled = match given.get("enabled") {
        None => usual.enabled,
        Some(enabled) => enabled.as_bool().ok_or("`enabled` is neither true nor false")?,
    };
    let min_traces = match given.get("minTracesForAnalysis") {
        None => usual.min_traces,
        Some(least) => {
            let least = least.as_u64().and_then(|least| usize::try_from(least).ok());
            least.ok_or("`minTracesForAnalysis` is not a whole number of 0 or more")?
        }
    };
    let max_delta = number(given, "maxDeltaPerCycle")?.unwrap_or(usual.max_delta);
    if !(0.0..=1.0).contains(&max_delta) {
        return Err(format!("`maxDeltaPerCycle` is {max_delta}, but must be from 0 to 1"));
    }
    Ok(Drift { enabled, min_traces, max_delta })
}

/// A list of rules, or an object whose `rules` are one; each is named once.
pub(crate) fn rules(given: &Value, most: usize) -> Result<Vec<Rule>, Error> {
    let bad = bad("the rules");
    let list = given.get("rules").unwrap_or(given).as_array().ok_or_else(|| bad("it is not a list".to_owned()))?;
    if list.len() > most {
        return Err(bad(format!("there are more than {most}")));
    }
    let mut rules: Vec<Rule> = Vec::new();
    for (index, given) in list.iter().enumerate() {
        let rule = rule(given).map_err(|why| bad(format!("rule {}: {why}", index + 1)))?;
        if rules.iter().any(|other| other.id == rule.id) {
            return Err(bad(format!("two have the id {}", shown(&rule.id))));
        }
        rules.push(rule);
    }
    Ok(rules)
}

fn rule(given: &Value) -> Result<Rule, Wrong> {
    const KEYS: [&str; 3] = ["id", "trigger", "patch"];
    let given = given.as_object().ok_or("it is not an object")?;
    // What other programs note on a rule is theirs.
    let mut others = given.keys().filter(|key| !KEYS.contains(&key.as_str()));
    if let Some((key, near)) = others.find_map(|key| Some((key, closest(key, KEYS)?))) {
        return Err(unknown(key, Some(near)));
    }
    let id = given.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
    let id = id.ok_or("its `id` is not a name")?.to_owned();
    let trigger = match given.get("trigger") {
        Some(Value::String(word)) => Trigger::Word(word.clone()),
        Some(Value::Object(values)) => Trigger::Values(values.clone()),
        _ => return Err("its `trigger` is neither a word nor an object of values".to_owned()),
    };
    let patch = given.get("patch").filter(|patch| !patch.is_null()).map(patch).transpose()?.unwrap_or_default();
    Ok(Rule { id, trigger, patch })
}

fn patch(given: &Value) -> Result<Patch, Wrong> {
    let given =
        object(given, &["personaTraits", "mood", "metadata"]).map_err(|why| format!("in its `patch`, {why}"))?;
    let inner = |key: &str| match given.get(key) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(inner) => inner.as_object().cloned().ok_or(format!("its `{key}` is not an object")),
    };
    let persona_traits = inner("personaTraits")?;
    for key in persona_traits.keys() {
        if Trait::from_key(key).is_none() {
            return Err(unknown(key, Trait::nearest(key).map(Trait::as_str)));
        }
        number(&persona_traits, key)?;
    }
    let mood = match given.get("mood") {
        None | Some(Value::Null) => None,
        Some(mood) => Some(mood.as_str().ok_or("its `mood` is not a text")?.to_owned()),
    };
    Ok(Patch { persona_traits, mood, metadata: inner("metadata")? })
}

/// An object that has none but known keys.
fn object<'a>(given: &'a Value, keys: &[&'static str]) -> Result<&'a Map<String, Value>, Wrong> {
    let object = given.as_object().ok_or("it is not an object")?;
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(unknown(key, closest(key, keys.iter().copied()).or_else(|| only_meant(key, keys)))),
        None => Ok(object),
    }
}

/// The one key that holds the word within it: `trust` for `trustDelta`, `traits` for `personaTraits`.
fn only_meant(word: &str, keys: &[&'static str]) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut holding = keys.iter().filter(|key| word.len() > 2 && key.to_lowercase().contains(&word));
    holding.next().filter(|_| holding.next().is_none()).copied()
}

/// A number, if the key is there.
fn number(of: &Map<String, Value>, key: &str) -> Result<Option<f64>, Wrong> {
    match of.get(key) {
        None => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or(format!("{} is not a number", shown(key))),
    }
}

fn unknown(key: &str, near: Option<&str>) -> Wrong {
    let meant = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no {}{meant}", shown(key))
}
