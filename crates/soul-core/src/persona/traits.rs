#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::model::{Field, Soul, Value};
use crate::text::{closest, shown};

/// A personality trait of the HEXACO model.
///
/// ```
/// use soul_core::persona::Trait;
/// for spelling in ["honestyHumility", "honesty", "honesty_humility"] {
///     assert_eq!(Trait::from_key(spelling), Some(Trait::HonestyHumility));
/// }
/// assert_eq!(Trait::from_key("Openness"), None);
/// assert_eq!(Trait::nearest("Openness"), Some(Trait::Openness));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trait {
    /// Sincere and modest, or strategic.
    HonestyHumility,
    /// Emotional, or composed.
    Emotionality,
    /// Lively, or reserved.
    Extraversion,
    /// Accommodating, or confrontational.
    Agreeableness,
    /// Organized, or improvising.
    Conscientiousness,
    /// Unconventional, or conventional.
    Openness,
}

impl Trait {
    /// Every trait, in the order in which a persona lists them.
    pub const ALL: [Self; 6] = [
        Self::HonestyHumility,
        Self::Emotionality,
        Self::Extraversion,
        Self::Agreeableness,
        Self::Conscientiousness,
        Self::Openness,
    ];

    /// The key in a persona.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HonestyHumility => "honestyHumility",
            Self::Emotionality => "emotionality",
            Self::Extraversion => "extraversion",
            Self::Agreeableness => "agreeableness",
            Self::Conscientiousness => "conscientiousness",
            Self::Openness => "openness",
        }
    }

    /// The key in a drift proposal, where honesty-humility is `honesty`.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::HonestyHumility => "honesty",
            other => other.as_str(),
        }
    }

    /// The trait with this key. Honesty-humility has three spellings; case matters.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        match key {
            "honesty" | "honesty_humility" => Some(Self::HonestyHumility),
            _ => Self::ALL.into_iter().find(|one| one.as_str() == key),
        }
    }

    /// The trait that a misspelt key most likely means.
    #[must_use]
    pub fn nearest(key: &str) -> Option<Self> {
        let spellings = Self::ALL.into_iter().flat_map(|one| [one.as_str(), one.short()]);
        closest(key, spellings).and_then(Self::from_key)
    }
}

impl fmt::Display for Trait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Trait {
    fn schema_name() -> Cow<'static, str> {
        "Trait".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A personality trait of the HEXACO model.",
            "enum": Self::spellings(generator),
        })
    }
}

#[cfg(feature = "schema")]
impl Trait {
    /// What is written; for what is read, the other spellings too.
    fn spellings(generator: &schemars::SchemaGenerator) -> Vec<&'static str> {
        let aliases =
            if generator.contract().is_deserialize() { ["honesty", "honesty_humility"].as_slice() } else { &[] };
        Self::ALL.into_iter().map(Self::as_str).chain(aliases.iter().copied()).collect()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Traits {
    fn schema_name() -> Cow<'static, str> {
        "Traits".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let score = || serde_json::json!({ "type": "number", "minimum": 0, "maximum": 1 });
        let scores = Trait::spellings(generator).into_iter().map(|one| (one.to_owned(), score()));
        schemars::json_schema!({
            "type": "object",
            "description": "Scores of the HEXACO traits, each from 0 to 1. Unknown traits are left out.",
            "properties": scores.collect::<serde_json::Map<_, _>>(),
            "additionalProperties": false,
        })
    }
}

impl Serialize for Trait {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Trait {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Key;
        impl Visitor<'_> for Key {
            type Value = Trait;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a trait")
            }

            fn visit_str<E: Error>(self, key: &str) -> Result<Trait, E> {
                Trait::from_key(key).ok_or_else(|| E::custom(format!("{} is not a trait", shown(key))))
            }
        }
        deserializer.deserialize_str(Key)
    }
}

/// Trait scores, each from 0 to 1. In JSON an object of the known ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Traits([Option<f64>; 6]);

impl Traits {
    /// The scores that a soul defines. If a trait is given twice, the last one counts.
    #[must_use]
    pub fn from_soul(soul: &Soul) -> Self {
        let scores = soul.items_of(Field::Trait).filter_map(|item| match &item.value {
            Value::Entry { key, value } => Some((Trait::from_key(key)?, value.as_f64()?)),
            _ => None,
        });
        scores.collect()
    }

    /// The score of a trait.
    #[must_use]
    pub const fn get(&self, trait_: Trait) -> Option<f64> {
        self.0[trait_ as usize]
    }

    /// Sets a score, clamped to 0..=1; NaN removes it.
    pub fn set(&mut self, trait_: Trait, score: f64) {
        // Zero has no direction.
        self.0[trait_ as usize] = (!score.is_nan()).then(|| score.clamp(0.0, 1.0) + 0.0);
    }

    /// The known scores, in the order of [`Trait::ALL`].
    pub fn known(&self) -> impl Iterator<Item = (Trait, f64)> {
        Trait::ALL.into_iter().filter_map(|trait_| Some((trait_, self.get(trait_)?)))
    }

    /// Whether no score is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl FromIterator<(Trait, f64)> for Traits {
    fn from_iter<I: IntoIterator<Item = (Trait, f64)>>(scores: I) -> Self {
        let mut traits = Self::default();
        scores.into_iter().for_each(|(trait_, score)| traits.set(trait_, score));
        traits
    }
}

impl Serialize for Traits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (trait_, score) in self.known() {
            map.serialize_entry(trait_.as_str(), &score)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Traits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scores;
        impl<'de> Visitor<'de> for Scores {
            type Value = Traits;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("traits with their scores")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Traits, A::Error> {
                let mut traits = Traits::default();
                while let Some((trait_, score)) = map.next_entry::<Trait, f64>()? {
                    traits.set(trait_, score);
                }
                Ok(traits)
            }
        }
        deserializer.deserialize_map(Scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_as_they_were() {
        let scores = [(Trait::Openness, 0.050_000_000_000_000_044), (Trait::HonestyHumility, 1.7)];
        let mut traits = Traits::from_iter(scores);
        let json = serde_json::to_string(&traits).unwrap();
        assert_eq!(json, r#"{"honestyHumility":1.0,"openness":0.050000000000000044}"#);
        assert_eq!(serde_json::from_str::<Traits>(&json).unwrap(), traits);
        assert_eq!(
            serde_json::from_str::<Traits>(r#"{"honesty": 0.5}"#).unwrap().get(Trait::HonestyHumility),
            Some(0.5)
        );
        assert!(serde_json::from_str::<Traits>(r#"{"charm": 0.5}"#).is_err());
        traits.set(Trait::Openness, -0.0);
        assert!(serde_json::to_string(&traits).unwrap().contains(r#""openness":0.0"#));
    }

    #[test]
    fn near_misses_are_named() {
        assert_eq!(Trait::nearest("honestly"), Some(Trait::HonestyHumility));
        assert_eq!(Trait::nearest("extroversion"), Some(Trait::Extraversion));
        assert_eq!(Trait::nearest("charm"), None);
    }
}
