use serde::{Deserialize, Serialize};

use super::{Trait, Traits};

/// A point in the mood space of pleasure, arousal and dominance (PAD). Each axis goes from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MoodPoint"))]
pub struct Pad {
    /// From negative (−1) to positive (1).
    pub valence: f64,
    /// From calm (−1) to excited (1).
    pub arousal: f64,
    /// From submissive (−1) to dominant (1).
    pub dominance: f64,
}

/// The moods that have a place of their own; any other is in the middle.
const NAMED: [(&str, Pad); 8] = [
    ("neutral", Pad::new(0.0, 0.0, 0.0)),
    ("focused", Pad::new(0.2, 0.1, 0.55)),
    ("empathetic", Pad::new(0.55, 0.15, 0.25)),
    ("curious", Pad::new(0.35, 0.45, 0.15)),
    ("assertive", Pad::new(0.15, 0.35, 0.7)),
    ("analytical", Pad::new(0.1, -0.1, 0.45)),
    ("frustrated", Pad::new(-0.65, 0.6, 0.2)),
    ("creative", Pad::new(0.45, 0.35, 0.35)),
];

impl Pad {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn new(valence: f64, arousal: f64, dominance: f64) -> Self {
        Self { valence, arousal, dominance }
    }

    /// The point of a named mood; the origin for any other.
    #[must_use]
    pub fn for_mood(mood: &str) -> Self {
        NAMED.iter().find(|(name, _)| *name == mood).map_or(Self::default(), |(_, pad)| *pad)
    }

    /// The moods that have a point of their own.
    pub fn mood_names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    pub(super) fn is_named(mood: &str) -> bool {
        Self::mood_names().any(|name| name == mood)
    }

    /// The resting point of an agent with these traits.
    #[must_use]
    pub fn resting(traits: &Traits) -> Self {
        let temper = Temper::from_traits(traits);
        let valence = 0.4 * temper.agreeableness + 0.2 * temper.honesty - 0.1;
        let arousal = 0.3 * temper.emotionality + 0.3 * temper.extraversion - 0.1;
        let dominance = 0.4 * temper.extraversion - 0.2 * temper.agreeableness;
        Self::new(valence, arousal, dominance).map(|axis| axis.clamp(-1.0, 1.0))
    }

    /// One word that describes the point.
    #[must_use]
    pub fn label(self, traits: &Traits) -> &'static str {
        let Self { valence: v, arousal: a, dominance: d } = self;
        let Temper { openness, conscientiousness, .. } = Temper::from_traits(traits);
        let labels = [
            (v > 0.3 && a > 0.3 && d > 0.0, "excited"),
            (v < -0.2 && a > 0.2 && d < 0.0, "frustrated"),
            (v > 0.2 && a < -0.1, "serene"),
            (a < 0.0 && v.abs() < 0.3, "contemplative"),
            (v > 0.0 && a > 0.0 && openness > 0.6, "curious"),
            (d > 0.3 && a > 0.0, "assertive"),
            (a > 0.3 && d > 0.2 && v < 0.0, "provocative"),
            (a < 0.1 && v.abs() < 0.2 && conscientiousness > 0.7, "analytical"),
            (v > 0.0 && a > 0.0, "engaged"),
        ];
        labels.into_iter().find(|(fits, _)| *fits).map_or("bored", |(_, label)| label)
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self::new(change(self.valence), change(self.arousal), change(self.dominance))
    }

    pub(super) fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self::new(
            join(self.valence, other.valence),
            join(self.arousal, other.arousal),
            join(self.dominance, other.dominance),
        )
    }

    pub(super) fn distance(self, other: Self) -> f64 {
        let Self { valence, arousal, dominance } = self.zip(other, |a, b| (a - b) * (a - b));
        (valence + arousal + dominance).sqrt()
    }
}

/// The traits that a mood depends on; what nothing is known of has a usual value.
pub(super) struct Temper {
    pub(super) honesty: f64,
    pub(super) emotionality: f64,
    pub(super) extraversion: f64,
    pub(super) agreeableness: f64,
    pub(super) conscientiousness: f64,
    pub(super) openness: f64,
}

impl Temper {
    pub(super) fn from_traits(traits: &Traits) -> Self {
        let score = |trait_, usual| traits.get(trait_).unwrap_or(usual);
        Self {
            honesty: score(Trait::HonestyHumility, 0.8),
            emotionality: score(Trait::Emotionality, 0.5),
            extraversion: score(Trait::Extraversion, 0.6),
            agreeableness: score(Trait::Agreeableness, 0.7),
            conscientiousness: score(Trait::Conscientiousness, 0.8),
            openness: score(Trait::Openness, 0.7),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Pad, b: Pad) -> bool {
        a.distance(b) < 1e-12
    }

    #[test]
    fn an_agent_rests_where_its_traits_put_it() {
        assert!(close(Pad::resting(&Traits::default()), Pad::new(0.34, 0.23, 0.1)));
        let stirred = Traits::from_iter([(Trait::Emotionality, 1.0), (Trait::Agreeableness, 0.0)]);
        assert!(close(Pad::resting(&stirred), Pad::new(0.06, 0.38, 0.24)));
    }

    #[test]
    fn labels_follow_the_point() {
        let label = |v, a, d| Pad::new(v, a, d).label(&Traits::default());
        assert_eq!(label(0.5, 0.5, 0.2), "excited");
        assert_eq!(label(-0.5, 0.5, -0.2), "frustrated");
        assert_eq!(label(0.5, -0.5, 0.0), "serene");
        assert_eq!(label(0.0, -0.5, 0.0), "contemplative");
        assert_eq!(label(0.1, 0.1, 0.0), "curious");
        assert_eq!(label(-0.5, 0.1, 0.5), "assertive");
        assert_eq!(label(-0.5, 0.5, 0.25), "provocative");
        assert_eq!(label(-0.1, 0.05, 0.0), "analytical");
        assert_eq!(label(-0.5, 0.1, 0.0), "bored");
        let closed = Traits::from_iter([(Trait::Openness, 0.2)]);
        assert_eq!(Pad::new(0.1, 0.1, 0.0).label(&closed), "engaged");
    }
}
