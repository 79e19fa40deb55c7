//! The persona definition, from plain keys and back.

use serde_json::{Map, Value, json};

use super::frontmatter::js_trim;
use super::{Document, Group, Limits, Plain};
use crate::formats::fields::Named;
use crate::model::Field;
use crate::persona::Trait;
use crate::text::{Span, Spanned, slug};

pub(super) const DEFAULT_NAME: &str = "Unnamed Agent";
pub(super) const DEFAULT_ID: &str = "unnamed-agent";
pub(super) const VOICE: [&str; 3] = ["provider", "voiceId", "languageCode"];
pub(super) const AVATAR: [&str; 3] = ["type", "sourceUrl", "descriptionForGeneration"];

impl Document {
    /// The persona: what the plain keys say, and beyond it what only `persona` can hold.
    pub(super) fn persona(&self) -> Map<String, Value> {
        let mut persona = self.plain.persona(self.companions.get(Field::Style));
        persona.extend(self.beyond.clone());
        persona
    }
}

impl Plain {
    /// The persona as far as the plain keys go.
    pub(super) fn persona(&self, style: Option<&str>) -> Map<String, Value> {
        let mut persona = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                persona.insert(key.into(), value);
            }
        };
        let name = Self::text(self.name.as_ref());
        let id = Self::text(self.id.as_ref()).map_or_else(|| slug(name.unwrap_or(DEFAULT_ID)), str::to_owned);
        put("id", Some(id.into()));
        put("name", Some(name.unwrap_or(DEFAULT_NAME).into()));
        put("description", Some(Self::text(self.role.as_ref()).unwrap_or_default().into()));
        put("version", Some("1.0.0".into()));
        put("baseSystemPrompt", Some(prompt(&self.body, style).into()));
        let traits = self
            .traits
            .as_ref()
            .map(|traits| traits.items.iter().filter_map(|named| Some((Trait::from_key(&named.key)?.as_str(), named))));
        put("personalityTraits", traits.map(|traits| object(traits).into()));
        put("moodAdaptation", self.mood_adaptation());
        let of = |named: &Option<Group<Named>>, keys: [&'static str; 3]| {
            let known = |named: &Named| keys.into_iter().find(|key| *key == named.key);
            let kept = named.as_ref()?.items.iter().filter_map(|named| Some((known(named)?, named)));
            Some(object(kept).into())
        };
        put("voiceConfig", of(&self.voice, VOICE));
        put("avatarConfig", of(&self.avatar, AVATAR));
        put("hardLimits", self.limits.as_ref().map(limits));
        put("metadata", self.metadata.as_ref().map(|named| named.value.clone()));
        persona
    }

    fn mood_adaptation(&self) -> Option<Value> {
        let default = Self::text(self.default_mood.as_ref()).filter(|mood| !mood.is_empty())?;
        let mut adaptation = json!({ "enabled": true, "defaultMood": default });
        if let (Some(moods), Some(adaptation)) = (&self.moods, adaptation.as_object_mut()) {
            let moods = moods.items.iter().map(|mood| mood.text.as_str()).collect::<Vec<_>>();
            adaptation.insert("allowedMoods".into(), moods.into());
        }
        Some(adaptation)
    }

    /// As much of a persona as plain keys can say.
    pub(super) fn of_persona(persona: &Map<String, Value>) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(unplaced);
        let moods = |list: &Value| {
            let items = list.as_array()?.iter().map(|mood| mood.as_str().map(unplaced)).collect::<Option<_>>()?;
            Some(Group { key_span: Span::default(), items })
        };
        let adaptation = persona.get("moodAdaptation");
        Self {
            name: text(persona.get("name")),
            id: text(persona.get("id")),
            role: text(persona.get("description")).filter(|role| !role.text.is_empty()),
            traits: persona.get("personalityTraits").and_then(|traits| {
                named(traits, &|key, value| {
                    Trait::from_key(key).is_some() && value.as_f64().is_some_and(|score| (0.0..=1.0).contains(&score))
                })
            }),
            voice: persona
                .get("voiceConfig")
                .and_then(|voice| named(voice, &|key, value| VOICE.contains(&key) && value.is_string())),
            avatar: persona
                .get("avatarConfig")
                .and_then(|avatar| named(avatar, &|key, value| AVATAR.contains(&key) && value.is_string())),
            default_mood: adaptation.and_then(|adaptation| text(adaptation.get("defaultMood"))),
            moods: adaptation.and_then(|adaptation| moods(adaptation.get("allowedMoods")?)),
            limits: persona.get("hardLimits").and_then(|limits| match limits {
                Value::String(limit) => Some(Limits::One(unplaced(limit))),
                list => moods(list).map(Limits::Many),
            }),
            metadata: persona.get("metadata").filter(|value| !value.is_null()).map(|value| Named {
                key: "metadata".into(),
                value: value.clone(),
                span: Span::default(),
            }),
            persona: None,
            extras: Vec::new(),
            body: persona.get("baseSystemPrompt").map(flat_prompt).unwrap_or_default(),
            body_span: Span::default(),
        }
    }
}

/// The fields of a persona that its plain form does not give back: computed, so that nothing has
/// to be listed, and nothing can be forgotten.
pub(super) fn beyond_plain(persona: &Map<String, Value>, plain: &Plain) -> Map<String, Value> {
    let given = plain.persona(None);
    let lost = persona.iter().filter(|(key, value)| !value.is_null() && given.get(*key) != Some(value));
    lost.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn unplaced(text: &str) -> Spanned {
    Spanned { text: text.to_owned(), span: Span::default() }
}

fn object<'a>(entries: impl Iterator<Item = (&'static str, &'a Named)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (key, named) in entries {
        object.entry(key).or_insert_with(|| named.value.clone());
    }
    object
}

fn named(value: &Value, keep: &dyn Fn(&str, &Value) -> bool) -> Option<Group<Named>> {
    let kept = value.as_object()?.iter().filter(|(key, value)| keep(key, value));
    let items = kept.map(|(key, value)| Named { key: key.clone(), value: value.clone(), span: Span::default() });
    Some(Group { key_span: Span::default(), items: items.collect() })
}

fn limits(limits: &Limits) -> Value {
    match limits {
        Limits::One(limit) => limit.text.as_str().into(),
        Limits::Many(limits) => limits.items.iter().map(|limit| limit.text.as_str()).collect::<Vec<_>>().into(),
    }
}

/// Body and style as one prompt.
fn prompt(body: &str, style: Option<&str>) -> String {
    let style = style.filter(|style| !style.is_empty()).map(|style| format!("## Style\n\n{style}"));
    let parts = [Some(body.to_owned()).filter(|body| !body.is_empty()), style];
    js_trim(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")).to_owned()
}

/// A prompt of any form as one text: a template as it is, parts in the order of their priority.
pub(super) fn flat_prompt(prompt: &Value) -> String {
    match prompt {
        Value::String(text) => text.clone(),
        Value::Object(template) => template.get("template").and_then(Value::as_str).unwrap_or_default().to_owned(),
        Value::Array(parts) => {
            let part = |part: &Value| {
                let priority = part.get("priority").and_then(Value::as_f64).unwrap_or(0.0);
                Some((priority, part.get("content")?.as_str()?.to_owned()))
            };
            let mut parts: Vec<_> = parts.iter().filter_map(part).collect();
            parts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            parts.into_iter().map(|(_, content)| content).collect::<Vec<_>>().join("\n\n")
        }
        _ => String::new(),
    }
}
