use serde::{Deserialize, Serialize};

use super::pad::Temper;
use super::{Pad, Traits};
use crate::model::{Field, Soul, Value};

/// The moods that a soul defines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moods {
    /// The mood that the agent starts in and returns to.
    pub default: Option<String>,
    /// The moods that the agent may be in; empty if the author lists none.
    pub allowed: Vec<String>,
    /// Whether the agent always stays in the default mood, because the author disabled moods.
    #[serde(default)]
    pub fixed: bool,
}

impl Moods {
    /// The longest mood name that is shown, in characters.
    pub const LONGEST: usize = 64;

    /// The moods that a soul defines.
    #[must_use]
    pub fn from_soul(soul: &Soul) -> Self {
        let texts = |field| soul.texts(field).map(str::trim).filter(|mood| !mood.is_empty()).map(str::to_owned);
        let fixed = soul.items_of(Field::Persona).any(|item| match &item.value {
            Value::Entry { key, value } => key == "moodAdaptation" && value["enabled"] == false,
            _ => false,
        });
        Self { default: texts(Field::DefaultMood).next(), allowed: texts(Field::Mood).collect(), fixed }
    }

    /// The prompt that the author of a soul wrote for a mood.
    #[must_use]
    pub fn prompt<'a>(soul: &'a Soul, mood: &str) -> Option<&'a str> {
        let prompts = soul.items_of(Field::Persona).filter_map(|item| match &item.value {
            Value::Entry { key, value } if key == "moodAdaptation" => value["moodPrompts"].as_object(),
            _ => None,
        });
        let prompt = prompts.flatten().find(|(name, _)| name.trim() == mood)?.1;
        prompt.as_str().map(str::trim).filter(|prompt| !prompt.is_empty())
    }

    /// The moods that the agent may be in: the author's list, or else the built-in moods and the default.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let unlisted = self.allowed.is_empty();
        let named = Pad::mood_names().filter(move |_| unlisted).map(|name| -> &str { name });
        let default = self.default.as_deref().filter(|mood| unlisted && !Pad::is_named(mood));
        self.allowed.iter().map(String::as_str).chain(named).chain(default)
    }

    /// Whether the agent may be in a mood.
    #[must_use]
    pub fn allows(&self, mood: &str) -> bool {
        self.choices().any(|choice| choice == mood)
    }

    /// The mood that the agent returns to: the default, if it is allowed.
    #[must_use]
    pub fn home(&self) -> Option<&str> {
        self.default.as_deref().filter(|mood| self.allows(mood))
    }

    /// The allowed mood that is nearest to a point; none if the resting point is nearer. Of those that
    /// share a place, the default comes first.
    fn nearest(&self, pad: Pad, resting: Pad) -> Option<&str> {
        let home = self.home();
        let choices = home.into_iter().chain(self.choices().filter(|mood| Some(*mood) != home));
        let near =
            choices.map(|mood| (pad.distance(Pad::for_mood(mood)), mood)).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        (near.0 <= pad.distance(resting)).then_some(near.1)
    }
}

/// A mood that was set or caused by an event. It fades by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MoodState"))]
pub struct Mood {
    /// Name of the mood; null if the event was too weak to name one.
    pub name: Option<String>,
    /// The point where the mood started.
    pub pad: Pad,
    /// For how many turns the agent has been away from its resting point.
    pub sustained: u32,
    /// When the mood started, in seconds since 1970-01-01T00:00:00Z.
    pub since: i64,
}

/// How an agent feels at the time of the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feeling {
    /// Name of the mood; null if the soul defines none.
    pub mood: Option<String>,
    /// The point in the mood space.
    pub pad: Pad,
    /// One word that describes the point.
    pub label: String,
}

impl Mood {
    /// A mood that is set by name.
    #[must_use]
    pub fn set(name: &str, now: i64) -> Self {
        Self { name: Some(name.to_owned()), pad: Pad::for_mood(name), sustained: 0, since: now }
    }

    /// The mood after an event; `before` is `None` if the agent is at rest.
    #[must_use]
    pub fn moved(before: Option<&Self>, event: Pad, moods: &Moods, traits: &Traits, now: i64) -> Self {
        let resting = Pad::resting(traits);
        let (pad, sustained) = before.map_or((resting, 0), |mood| mood.faded(traits, now));
        let reach = 0.5 + 0.8 * Temper::from_traits(traits).emotionality;
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
        let rate = rate(traits, sustained);
        let hours = f64::from(u32::try_from(now.saturating_sub(self.since).max(0)).unwrap_or(u32::MAX)) / 3600.0;
        1.0 - (-rate * hours).exp()
    }

    /// The first second at which it may be over: half of it has passed then. `None` if it is over. Near that second,
    /// where rounding decides, it is the current one.
    pub(super) fn next_turn(&self, traits: &Traits, now: i64) -> Option<i64> {
        const NEAR: i64 = 2;
        let half = self.half_passed(traits, now);
        match now {
            now if now < half - NEAR => Some(half - NEAR),
            now if now <= half + NEAR => Some(now),
            _ => None,
        }
    }

    /// When half of it has passed.
    pub(super) fn half_passed(&self, traits: &Traits, now: i64) -> i64 {
        let hours = std::f64::consts::LN_2 / rate(traits, self.faded(traits, now).1);
        #[allow(clippy::cast_possible_truncation)]
        self.since.saturating_add((hours * 3600.0) as i64)
    }

    /// How the agent feels now. A mood lasts until it has faded by half; then the default returns.
    #[must_use]
    pub fn feeling(mood: Option<&Self>, moods: &Moods, traits: &Traits, now: i64) -> Feeling {
        let resting = Pad::resting(traits);
        let mood = mood.filter(|_| !moods.fixed);
        let pad = mood.map_or(resting, |mood| mood.faded(traits, now).0);
        let holds = mood.filter(|mood| mood.pad.distance(pad) <= pad.distance(resting));
        // An author who takes a mood off the list ends it.
        let held = holds.and_then(|mood| mood.name.as_deref()).filter(|name| moods.allows(name));
        let mood = held.or(moods.home()).map(str::to_owned);
        Feeling { mood, pad, label: pad.label(traits).to_owned() }
    }
}

/// How much of a mood passes in an hour.
fn rate(traits: &Traits, sustained: u32) -> f64 {
    let Temper { emotionality, conscientiousness, .. } = Temper::from_traits(traits);
    let rate = 0.05 * (0.6 + 0.5 * emotionality + 0.3 * (1.0 - conscientiousness));
    rate * (1.0 - (0.04 * f64::from(sustained)).min(0.4))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3600;

    fn moods() -> Moods {
        let allowed = ["neutral", "frustrated", "curious", "helpful"];
        Moods { default: Some("neutral".into()), allowed: allowed.map(str::to_owned).to_vec(), fixed: false }
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
            assert!(at(10_000).pad.distance(Pad::resting(&traits)) < 1e-12);
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
        let strict = Moods { allowed: vec!["neutral".into()], ..moods };
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
    fn the_default_is_as_near_as_it_is() {
        let moods_with = |default: &str, allowed: &[&str]| Moods {
            default: Some(default.into()),
            allowed: allowed.iter().map(|mood| (*mood).to_owned()).collect(),
            fixed: false,
        };
        let traits = [0.85, 0.55, 0.7, 0.5, 0.9, 0.6];
        let traits = super::super::Trait::ALL.into_iter().zip(traits).collect();
        let after = |moods: &Moods, events: &[Pad]| {
            let mood =
                events.iter().fold(None, |mood, event| Some(Mood::moved(mood.as_ref(), *event, moods, &traits, 0)));
            Mood::feeling(mood.as_ref(), moods, &traits, 0)
        };
        let focused = moods_with("focused", &["focused", "analytical", "assertive"]);
        let to_its_point = after(&focused, &[Pad::new(-0.07447, -0.186, 0.3936)]);
        assert!(to_its_point.pad.distance(Pad::for_mood("focused")) < 1e-3);
        assert_eq!(to_its_point.mood.as_deref(), Some("focused"));
        // All of them are far away, and the default is the least far.
        let blow = Pad::new(-1.0, 0.5, -0.2);
        let moods = moods_with("focused", &["focused", "curious", "empathetic"]);
        let far = after(&moods, &[blow, blow]);
        let distances = ["focused", "curious", "empathetic"].map(|mood| far.pad.distance(Pad::for_mood(mood)));
        let least = distances.iter().copied().fold(f64::MAX, f64::min);
        assert_eq!(far.pad.distance(Pad::for_mood(far.mood.as_deref().unwrap())), least);
        // A mood without a place of its own is at the middle.
        let middle = moods_with("focused", &["focused", "helpful"]);
        let to_the_middle = Pad::new(-0.27 / 0.94, -0.275 / 0.94, -0.18 / 0.94);
        assert_eq!(after(&middle, &[to_the_middle]).mood.as_deref(), Some("helpful"));
        assert_eq!(after(&moods_with("calm", &["helpful", "calm"]), &[to_the_middle]).mood.as_deref(), Some("calm"));
    }

    #[test]
    fn a_fixed_mood_stays() {
        let moods = Moods { fixed: true, ..moods() };
        let feeling = Mood::feeling(Some(&Mood::set("curious", 0)), &moods, &Traits::default(), 0);
        assert_eq!((feeling.mood.as_deref(), feeling.pad), (Some("neutral"), Pad::resting(&Traits::default())));
    }

    #[test]
    fn without_a_list_the_named_moods_are_allowed() {
        let moods = Moods { default: Some("helpful_engaged".into()), ..Moods::default() };
        assert!(moods.allows("focused") && moods.allows("helpful_engaged") && !moods.allows("gloomy"));
        let wrong = Moods { default: Some("gloomy".into()), allowed: vec!["calm".into()], fixed: false };
        assert_eq!(wrong.home(), None);
    }
}
