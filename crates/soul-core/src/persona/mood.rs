use serde::{Deserialize, Serialize};

use super::{Trait, Traits};
use crate::model::{Field, Soul};

/// A point in the space of moods, each axis from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Pad {
    /// From bad to good.
    pub valence: f64,
    /// From calm to stirred.
    pub arousal: f64,
    /// From yielding to commanding.
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
    /// The point.
    #[must_use]
    pub const fn new(valence: f64, arousal: f64, dominance: f64) -> Self {
        Self { valence, arousal, dominance }
    }

    /// Where a mood is.
    #[must_use]
    pub fn of(mood: &str) -> Self {
        NAMED.iter().find(|(name, _)| *name == mood).map_or(Self::default(), |(_, pad)| *pad)
    }

    /// Where an agent of such traits rests.
    #[must_use]
    pub fn resting(traits: &Traits) -> Self {
        let temper = Temper::of(traits);
        let valence = 0.4 * temper.agreeableness + 0.2 * temper.honesty - 0.1;
        let arousal = 0.3 * temper.emotionality + 0.3 * temper.extraversion - 0.1;
        let dominance = 0.4 * temper.extraversion - 0.2 * temper.agreeableness;
        Self::new(valence, arousal, dominance).map(|axis| axis.clamp(-1.0, 1.0))
    }

    /// What it feels like, in one word.
    #[must_use]
    pub fn label(self, traits: &Traits) -> &'static str {
        let Self { valence: v, arousal: a, dominance: d } = self;
        let Temper { openness, conscientiousness, .. } = Temper::of(traits);
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

    fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self::new(
            join(self.valence, other.valence),
            join(self.arousal, other.arousal),
            join(self.dominance, other.dominance),
        )
    }

    fn distance(self, other: Self) -> f64 {
        let Self { valence, arousal, dominance } = self.zip(other, |a, b| (a - b) * (a - b));
        (valence + arousal + dominance).sqrt()
    }
}

/// The traits that a mood depends on; what nothing is known of has a usual value.
struct Temper {
    honesty: f64,
    emotionality: f64,
    extraversion: f64,
    agreeableness: f64,
    conscientiousness: f64,
    openness: f64,
}

impl Temper {
    fn of(traits: &Traits) -> Self {
        let score = |of, usual| traits.get(of).unwrap_or(usual);
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

/// The moods that a soul knows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Moods {
    /// The one that it starts in and comes back to.
    pub default: Option<String>,
    /// Those that it may be in; empty if the author names none.
    pub allowed: Vec<String>,
}

impl Moods {
    /// What a soul says.
    #[must_use]
    pub fn of(soul: &Soul) -> Self {
        let texts = |field| soul.texts(field).map(str::trim).filter(|mood| !mood.is_empty()).map(str::to_owned);
        Self { default: texts(Field::DefaultMood).next(), allowed: texts(Field::Mood).collect() }
    }

    /// Those that the agent may be in: the author's list, or else the named moods and the default.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let named = NAMED.iter().map(|(name, _)| *name).filter(|_| self.allowed.is_empty());
        let default = self.default.as_deref().filter(|mood| self.allowed.is_empty() && !is_named(mood));
        self.allowed.iter().map(String::as_str).chain(named).chain(default)
    }

    /// Whether the agent may be in a mood.
    #[must_use]
    pub fn allows(&self, mood: &str) -> bool {
        self.choices().any(|choice| choice == mood)
    }

    /// The mood that the agent comes back to: the default, if that is allowed.
    #[must_use]
    pub fn home(&self) -> Option<&str> {
        self.default.as_deref().filter(|mood| self.allows(mood))
    }

    /// The allowed mood that is nearest to a point; none if the resting point is nearer.
    fn nearest(&self, pad: Pad, resting: Pad) -> Option<&str> {
        let placed = self.choices().filter(|mood| is_named(mood) && Some(*mood) != self.home());
        let near = placed.map(|mood| (pad.distance(Pad::of(mood)), mood)).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        (near.0 < pad.distance(resting)).then_some(near.1)
    }
}

fn is_named(mood: &str) -> bool {
    NAMED.iter().any(|(name, _)| *name == mood)
}

/// A mood that somebody set or something caused. It passes by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mood {
    /// Its name; none if what happened did not amount to one.
    pub name: Option<String>,
    /// Where it began.
    pub pad: Pad,
    /// For how many turns the agent has been away from its resting point.
    pub sustained: u32,
    /// When it began, in seconds since 1970.
    pub since: i64,
}

/// How an agent feels at a moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feeling {
    /// The mood; none if the soul has none.
    pub mood: Option<String>,
    /// The point.
    pub pad: Pad,
    /// What the point feels like, in one word.
    pub label: String,
}

impl Mood {
    /// A mood that was chosen.
    #[must_use]
    pub fn set(name: &str, now: i64) -> Self {
        Self { name: Some(name.to_owned()), pad: Pad::of(name), sustained: 0, since: now }
    }

    /// What an event makes of what an agent feels; `before` is none if it rests.
    #[must_use]
    pub fn moved(before: Option<&Self>, event: Pad, moods: &Moods, traits: &Traits, now: i64) -> Self {
        let resting = Pad::resting(traits);
        let (pad, sustained) = before.map_or((resting, 0), |mood| mood.faded(traits, now));
        let reach = 0.5 + 0.8 * Temper::of(traits).emotionality;
        let turns = f64::from(sustained);
        let back = |delta: f64, from: f64, to: f64| delta != 0.0 && (to - from) * delta > 0.0;
        let pull = |delta: f64, from: f64, to: f64| {
            let worn = sustained > 3 && back(delta, from, to);
            delta * reach * if worn { 1.0 - ((turns - 3.0) * 0.05).min(0.35) } else { 1.0 }
        };
        let step = Pad::new(
            pull(event.valence, pad.valence, resting.valence),
            pull(event.arousal, pad.arousal, resting.arousal),
            pull(event.dominance, pad.dominance, resting.dominance),
        );
        let pad = pad.zip(step, |axis, step| (axis + step).clamp(-1.0, 1.0));
        Self { name: moods.nearest(pad, resting).map(str::to_owned), pad, sustained, since: now }
    }

    /// Where it is by now, and for how many turns away from rest.
    fn faded(&self, traits: &Traits, now: i64) -> (Pad, u32) {
        let resting = Pad::resting(traits);
        let away = self.pad.distance(resting) > 0.08;
        let sustained = if away { (self.sustained + 1).min(20) } else { self.sustained.saturating_sub(2) };
        let passed = self.passed(traits, sustained, now);
        (self.pad.zip(resting, |axis, rest| axis + (rest - axis) * passed), sustained)
    }

    /// How much of it has passed, from 0 to 1.
    fn passed(&self, traits: &Traits, sustained: u32, now: i64) -> f64 {
        let Temper { emotionality, conscientiousness, .. } = Temper::of(traits);
        let rate = 0.05 * (0.6 + 0.5 * emotionality + 0.3 * (1.0 - conscientiousness));
        let rate = rate * (1.0 - (0.04 * f64::from(sustained)).min(0.4));
        let hours = f64::from(u32::try_from(now.saturating_sub(self.since).max(0)).unwrap_or(u32::MAX)) / 3600.0;
        1.0 - (-rate * hours).exp()
    }

    /// How the agent feels now. A mood holds until half of it has passed; then it is the default again.
    #[must_use]
    pub fn feeling(mood: Option<&Self>, moods: &Moods, traits: &Traits, now: i64) -> Feeling {
        let resting = Pad::resting(traits);
        let pad = mood.map_or(resting, |mood| mood.faded(traits, now).0);
        let holds = mood.filter(|mood| mood.pad.distance(pad) <= pad.distance(resting));
        // An author who takes a mood off the list ends it.
        let held = holds.and_then(|mood| mood.name.as_deref()).filter(|name| moods.allows(name));
        let mood = held.or(moods.home()).map(str::to_owned);
        Feeling { mood, pad, label: pad.label(traits).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3600;

    fn moods() -> Moods {
        let allowed = ["neutral", "frustrated", "curious", "helpful"];
        Moods { default: Some("neutral".into()), allowed: allowed.map(str::to_owned).to_vec() }
    }

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
    fn a_mood_holds_until_half_of_it_has_passed() {
        let traits = Traits::default();
        for name in ["frustrated", "helpful"] {
            let mood = Mood::set(name, 0);
            let at = |hours| Mood::feeling(Some(&mood), &moods(), &traits, hours * HOUR);
            assert_eq!(at(0).mood.as_deref(), Some(name));
            assert_eq!(at(15).mood.as_deref(), Some(name));
            assert_eq!(at(17).mood.as_deref(), Some("neutral"));
            assert!(close(at(10_000).pad, Pad::resting(&traits)));
            assert_eq!(at(-5).mood.as_deref(), Some(name));
        }
    }

    #[test]
    fn events_add_up_to_an_allowed_mood() {
        let (moods, traits) = (moods(), Traits::default());
        let blow = Pad::new(-0.5, 0.3, 0.1);
        let mut mood = None;
        for turn in 0..3 {
            mood = Some(Mood::moved(mood.as_ref(), blow, &moods, &traits, turn * 60));
        }
        let feeling = Mood::feeling(mood.as_ref(), &moods, &traits, 180);
        assert_eq!(feeling.mood.as_deref(), Some("frustrated"));
        assert!(feeling.pad.valence < -0.6);
        // A word of an event that is no blow leaves the agent as it is.
        let calm = Mood::moved(None, Pad::default(), &moods, &traits, 0);
        assert_eq!(Mood::feeling(Some(&calm), &moods, &traits, 0).mood.as_deref(), Some("neutral"));
        // An author who forbids a mood ends it.
        let strict = Moods { default: Some("neutral".into()), allowed: vec!["neutral".into()] };
        assert_eq!(Mood::feeling(mood.as_ref(), &strict, &traits, 180).mood.as_deref(), Some("neutral"));
    }

    #[test]
    fn the_way_back_is_harder_after_long() {
        let traits = Traits::default();
        let back = Pad::new(0.1, 0.0, 0.0);
        let step = |sustained| {
            let mood = Mood { name: None, pad: Pad::new(-0.9, 0.0, 0.0), sustained, since: 0 };
            Mood::moved(Some(&mood), back, &moods(), &traits, 0).pad.valence + 0.9
        };
        assert!((step(0) - 0.09).abs() < 1e-12);
        assert!((step(9) - 0.09 * 0.65).abs() < 1e-12);
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

    #[test]
    fn without_a_list_the_named_moods_are_allowed() {
        let moods = Moods { default: Some("helpful_engaged".into()), allowed: Vec::new() };
        assert!(moods.allows("focused") && moods.allows("helpful_engaged") && !moods.allows("gloomy"));
        let wrong = Moods { default: Some("gloomy".into()), allowed: vec!["calm".into()] };
        assert_eq!(wrong.home(), None);
    }
}
