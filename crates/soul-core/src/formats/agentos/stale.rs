//! What `persona:` keeps of a persona, against plain keys that were edited since.

use serde_json::{Map, Value};

use super::Plain;
use super::frontmatter::js_trim;
use super::persona::{AVATAR, DEFAULT_ID, DEFAULT_NAME, VOICE};
use crate::persona::Trait;

/// Of the fields that `persona` holds, those that still agree with the plain keys, and the paths of those that do
/// not. An author who edits a plain key means it, whatever was kept beside it.
pub(super) fn still_true(
    beyond: Map<String, Value>,
    plain: &Plain,
    style: Option<&str>,
) -> (Map<String, Value>, Vec<Vec<String>>) {
    let stated = plain.persona(style);
    let implied = Plain::of_persona(&beyond).persona(None);
    let agrees = |key: &str| match key {
        "version" => true,
        // The body stands for the prompt; what surrounds it is the style's.
        "baseSystemPrompt" => implied.get(key).and_then(Value::as_str) == Some(js_trim(&plain.body)),
        _ => match (stated.get(key), implied.get(key)) {
            (Some(stated), implied) => implied == Some(stated) || is_default(key, stated),
            // A plain key that would be there, had its author not deleted it.
            (None, Some(implied)) => implied.as_object().is_some_and(Map::is_empty),
            (None, None) => true,
        },
    };
    let (mut kept, mut stale) = (Map::new(), Vec::new());
    for (key, value) in beyond {
        match value {
            value if agrees(&key) => {
                kept.insert(key, value);
            }
            Value::Object(value) if GROUPS.contains(&key.as_str()) => {
                let stated = stated.get(&key).and_then(Value::as_object);
                let (value, parts) = current_parts(&key, value, stated);
                stale.extend(parts.into_iter().map(|part| vec![key.clone(), part]));
                if !value.is_empty() {
                    kept.insert(key, value.into());
                }
            }
            _ => stale.push(vec![key]),
        }
    }
    (kept, stale)
}

/// The mappings of a persona that plain keys give only a part of.
const GROUPS: [&str; 4] = ["personalityTraits", "moodAdaptation", "voiceConfig", "avatarConfig"];

/// A mapping kept under `persona`, with what the plain keys state in place of what they contradict, and the keys
/// that were contradicted.
fn current_parts(
    group: &str,
    kept: Map<String, Value>,
    stated: Option<&Map<String, Value>>,
) -> (Map<String, Value>, Vec<String>) {
    let plain_name = |key: &str| match group {
        "personalityTraits" => Trait::from_key(key).map(Trait::as_str),
        "voiceConfig" => VOICE.into_iter().find(|known| *known == key),
        "avatarConfig" => AVATAR.into_iter().find(|known| *known == key),
        _ => ["defaultMood", "allowedMoods"].into_iter().find(|known| *known == key),
    };
    let (mut current, mut stale) = (Map::new(), Vec::new());
    let mut named = Vec::new();
    for (key, value) in kept {
        let Some(name) = plain_name(&key) else {
            current.insert(key, value);
            continue;
        };
        match stated.and_then(|stated| stated.get(name)) {
            Some(stated) if *stated == value => {
                current.insert(key, value);
            }
            stated => {
                stale.push(key);
                current.extend(stated.map(|stated| (name.to_owned(), stated.clone())));
            }
        }
        named.push(name);
    }
    let unnamed = stated.into_iter().flatten().filter(|(key, _)| !named.contains(&key.as_str()));
    for (key, value) in unnamed {
        current.entry(key.clone()).or_insert_with(|| value.clone());
    }
    (current, stale)
}

/// Whether a plain value is one that nobody wrote.
fn is_default(key: &str, value: &Value) -> bool {
    match key {
        "id" => value == DEFAULT_ID,
        "name" => value == DEFAULT_NAME,
        "description" => value == "",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Group;
    use super::*;
    use crate::formats::fields::Named;
    use crate::text::{Span, Spanned};

    #[test]
    fn an_edited_body_wins_over_a_kept_prompt() {
        let kept = json!({ "baseSystemPrompt": [{"content": "old"}], "label": "L" });
        let plain = Plain { body: "new".into(), ..Plain::default() };
        let (beyond, stale) = still_true(kept.as_object().unwrap().clone(), &plain, None);
        assert_eq!(beyond.keys().collect::<Vec<_>>(), ["label"]);
        assert_eq!(stale, [["baseSystemPrompt"]]);
    }

    #[test]
    fn only_the_contradicted_part_of_a_mapping_is_dropped() {
        let kept = json!({
            "moodAdaptation": {
                "enabled": true,
                "sensitivityFactor": 0.4,
                "defaultMood": "calm",
                "allowedMoods": ["calm", "focused"],
                "moodPrompts": { "calm": "Breathe." },
            },
            "personalityTraits": { "honesty": 0.8, "openness": 0.3, "humour": 0.7 },
            "voiceConfig": { "provider": "piper", "customParams": { "rate": 2 } },
        });
        let spanned = |text: &str| Spanned { text: text.into(), span: Span::default() };
        let score = |key: &str, score: f64| Named { key: key.into(), value: score.into(), span: Span::default() };
        let group = |items| Group { key_span: Span::default(), items };
        let plain = Plain {
            default_mood: Some(spanned("focused")),
            moods: Some(Group { key_span: Span::default(), items: vec![spanned("calm"), spanned("focused")] }),
            traits: Some(group(vec![score("honestyHumility", 0.8), score("openness", 0.9)])),
            ..Plain::default()
        };
        let (beyond, stale) = still_true(kept.as_object().unwrap().clone(), &plain, None);
        assert_eq!(
            Value::from(beyond),
            json!({
                "moodAdaptation": {
                    "enabled": true,
                    "sensitivityFactor": 0.4,
                    "defaultMood": "focused",
                    "allowedMoods": ["calm", "focused"],
                    "moodPrompts": { "calm": "Breathe." },
                },
                "personalityTraits": { "honesty": 0.8, "openness": 0.9, "humour": 0.7 },
                // The author deleted `voice`, so its plain part is gone too.
                "voiceConfig": { "customParams": { "rate": 2 } },
            })
        );
        assert_eq!(
            stale,
            [["moodAdaptation", "defaultMood"], ["personalityTraits", "openness"], ["voiceConfig", "provider"]]
        );
    }
}
