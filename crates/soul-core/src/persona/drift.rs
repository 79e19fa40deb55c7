use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::{Bounds, Trait, Traits};

/// How one event felt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trace {
    /// From negative (−1) to positive (1).
    pub valence: f64,
    /// From calm (−1) to excited (1).
    pub arousal: f64,
}

/// How a relationship changed, each from −100 to 100.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Relationship {
    pub trust_delta: f64,
    pub affection_delta: f64,
    pub tension_delta: f64,
    pub respect_delta: f64,
}

/// Settings for drift detection.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    pub enabled: bool,
    /// The fewest traces that allow a conclusion, including those without a feeling.
    pub min_traces: usize,
    /// The largest change that a proposal makes.
    pub max_delta: f64,
}

impl Default for Drift {
    fn default() -> Self {
        Self { enabled: true, min_traces: 10, max_delta: 0.05 }
    }
}

/// A change of one trait that recent experience suggests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DriftProposal"))]
pub struct Proposal {
    /// The trait to change.
    #[serde(rename = "trait", serialize_with = "short")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "short_trait"))]
    pub trait_: Trait,
    /// How far to move the score, rounded to thousandths.
    pub delta: f64,
    /// How much evidence there is, from 0.3 to 1.
    pub confidence: f64,
    /// The evidence, in words.
    pub evidence: String,
}

fn short<S: Serializer>(trait_: &Trait, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(trait_.short())
}

#[cfg(feature = "schema")]
fn short_trait(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    if generator.contract().is_deserialize() {
        return generator.subschema_for::<Trait>();
    }
    schemars::json_schema!({ "type": "string", "enum": Trait::ALL.map(Trait::short) })
}

/// The most proposals at once.
const MOST: usize = 2;

/// The steps that traces and an optional relationship suggest: at most two, the larger one first. `None` is a trace
/// without a feeling.
///
/// ```
/// use soul_core::persona::{Drift, Trace, Trait, Traits, drift};
/// let conflict = [Some(Trace { valence: -0.6, arousal: 0.7 }); 10];
/// let found = drift(&conflict, None, &Traits::default(), Drift::default());
/// assert_eq!((found[0].trait_, found[0].delta), (Trait::Agreeableness, -0.022));
/// ```
#[must_use]
pub fn drift(
    traces: &[Option<Trace>],
    relationship: Option<&Relationship>,
    traits: &Traits,
    config: Drift,
) -> Vec<Proposal> {
    let felt: Vec<Trace> = traces.iter().flatten().copied().collect();
    if !config.enabled || traces.len() < config.min_traces || felt.is_empty() {
        return Vec::new();
    }
    let count = f64::from(u32::try_from(felt.len()).unwrap_or(u32::MAX));
    let share = |is: fn(&Trace) -> bool| {
        f64::from(u32::try_from(felt.iter().filter(|trace| is(trace)).count()).unwrap_or(u32::MAX)) / count
    };
    let (conflicts, pleasures) = (
        share(|trace| trace.valence < -0.3 && trace.arousal > 0.4),
        share(|trace| trace.valence > 0.3 && trace.arousal > 0.3),
    );
    let (mut conflict, mut positive) = (conflicts, pleasures);
    let routine = share(|trace| trace.arousal < 0.3 && trace.valence.abs() < 0.3);
    let intensity = felt.iter().map(|trace| trace.arousal.abs()).sum::<f64>() / count;
    let Relationship { trust_delta: trust, affection_delta: affection, tension_delta: tension, respect_delta: respect } =
        relationship.copied().unwrap_or_default();
    if trust < -10.0 {
        conflict += trust.abs() / 100.0 * 0.5;
    }
    if affection > 10.0 {
        positive += affection / 100.0 * 0.3;
    }
    if tension > 10.0 {
        conflict += tension / 100.0 * 0.3;
    }
    let confidence = (0.3 + count / 50.0 * 0.7).min(1.0);
    let max = config.max_delta;
    let of_traces = |what: &str, by: f64| format!("{what} {by:.2} in {} traces", felt.len());
    let of_both = |what: &str, share: f64, with: f64| {
        let more = if with > share { format!(", {with:.2} with the relationship") } else { String::new() };
        of_traces(what, share) + &more
    };
    let candidates = [
        (conflict > 0.3, Trait::Agreeableness, -conflict * max * confidence, of_both("conflict", conflicts, conflict)),
        (
            positive > 0.3,
            Trait::Extraversion,
            positive * max * confidence,
            of_both("positive mood", pleasures, positive),
        ),
        (
            intensity > 0.6,
            Trait::Emotionality,
            (intensity - 0.5) * max * confidence,
            of_traces("mean arousal", intensity),
        ),
        (routine > 0.3, Trait::Conscientiousness, routine * max * confidence * 0.5, of_traces("routine", routine)),
        (trust < -15.0, Trait::HonestyHumility, trust / 100.0 * max * confidence, format!("trust changed by {trust}")),
        (
            respect > 15.0,
            Trait::Conscientiousness,
            respect / 100.0 * max * confidence,
            format!("respect changed by {respect}"),
        ),
    ];
    let mut proposals: Vec<Proposal> = candidates
        .into_iter()
        .filter(|(speaks, ..)| *speaks)
        .map(|(_, trait_, delta, evidence)| {
            let current = traits.get(trait_).unwrap_or(Bounds::UNWRITTEN);
            let delta = delta.max(-max).min(max).max(-current).min(1.0 - current);
            Proposal { trait_, delta: thousandths(delta), confidence, evidence }
        })
        .collect();
    proposals.sort_by(|a, b| b.delta.abs().total_cmp(&a.delta.abs()));
    proposals.truncate(MOST);
    proposals
}

/// The nearest thousandth, a half upwards.
fn thousandths(delta: f64) -> f64 {
    let whole = delta * 1000.0;
    let below = whole.floor();
    let rounded = if whole - below >= 0.5 { below + 1.0 } else { below };
    // Zero has no direction.
    if rounded == 0.0 { 0.0 } else { rounded / 1000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up() {
        assert_eq!([-0.0225, 0.0225, -0.0004, 0.0004].map(thousandths), [-0.022, 0.023, 0.0, 0.0]);
    }

    #[test]
    fn what_has_no_arousal_speaks_for_little() {
        let traces = [Some(Trace { valence: -0.9, arousal: f64::NAN }); 20];
        assert_eq!(drift(&traces, None, &Traits::default(), Drift::default()), []);
    }

    #[test]
    fn a_relationship_speaks_too_and_two_are_the_most() {
        let traces = [Some(Trace { valence: 0.9, arousal: 0.9 }); 50];
        let all =
            Relationship { trust_delta: -100.0, affection_delta: 100.0, tension_delta: 0.0, respect_delta: 100.0 };
        let found = drift(&traces, Some(&all), &Traits::default(), Drift::default());
        let found: Vec<_> = found.iter().map(|one| (one.trait_, one.delta)).collect();
        assert_eq!(found, [(Trait::Extraversion, 0.05), (Trait::HonestyHumility, -0.05)]);
    }
}
