//! The weights that say how likely a sentence is an attack.
//!
//! They are learned from pairs of sentences that were written for this purpose, a poisoned one and an innocent one about the
//! same subject, from honest personas, and from the innocent files of the corpora; `personas-2.jsonl` is left out, so that it
//! can be measured with. Each of five folds leaves out whole repositories and whole writers, and what the models say of
//! these decides the [bars](super::bars).

use std::collections::HashMap;

use serde::Deserialize;
use soul_core::rules::{Matcher, RULES, Rule};
use soul_core::scan::learned::{Vocabulary, WORDS, score};
use soul_core::scan::likelihood::{
    CONCEPTS, Example, Likelihood, Partners, SINGLE, SIZE, Score, examples, has_partners, words,
};

use super::bars::{Held, HeldOut};
use super::examples::{Examples, FOLDS};
use super::learner::{Learner, UNIT, rounded, shuffle};
use crate::corpora::{Corpora, Row, number};
use crate::scan_eval::parallel;

const FILE: &str = "crates/soul-core/src/scan/frames/likelihood.bin";
const PAIRS: &str = include_str!("pairs.jsonl");
const HONEST: &str = include_str!("honest.jsonl");

/// What a sentence of each kind counts.
const POISON: f32 = 6.0;
const TWIN: f32 = 5.0;
const HONEST_FILE: f32 = 50.0;
const REAL: f32 = 1.5;
const RULE: f32 = 30.0;

/// How often the sentences are gone through, and from when on the weights are averaged.
const ROUNDS: usize = 28;
const SETTLED: usize = 14;

/// How far a weight moves, and the lowest weight of what can be put into any sentence: a word, its parts, a concept.
const STEP: f32 = 0.25;
const LOWEST: f32 = -0.1;

/// What can stand around a sentence: nothing, a word, a key, a cell.
const AROUND: [(&str, &str); 10] = [
    ("", ""),
    ("untrusted ", " untrusted"),
    ("marmalade ", " marmalade"),
    ("quarterly ", " quarterly"),
    ("please ", " please"),
    ("reviewed ", " reviewed"),
    ("{\n  \"description\": \"", "\"\n}"),
    ("description: \"", "\""),
    ("role: ", ""),
    ("| always | ", " |"),
];

/// The share of innocent sentences that are weighed without a frame.
const WEIGHED: f64 = 0.05;

#[derive(Deserialize)]
struct Pair {
    writer: String,
    poison: String,
    twin: String,
}

#[derive(Deserialize)]
struct Honest {
    writer: String,
    text: String,
}

/// One of the two models.
struct Model {
    weights: Vec<i8>,
    bias: f64,
}

/// Both models: of the subject, which learns from everything, and of the stance, which learns from sentences about the
/// same subjects alone.
pub(super) struct Models([Model; 2]);

impl Models {
    fn learn(texts: &[Text], of: impl Fn(&Text) -> bool) -> Self {
        let all = learn(texts, &of);
        Self([all, learn(texts, |text| !text.kind.is_real() && of(text))])
    }

    pub(super) fn score(&self, sentence: &Example) -> Score {
        let [subject, stance] = [&self.0[0], &self.0[1]].map(|model| {
            let sum = sentence.features.iter().map(|at| i64::from(model.weights[*at as usize])).sum();
            score(sum, u32::try_from(sentence.features.len()).unwrap_or(u32::MAX)) + model.bias
        });
        Score { subject, stance }
    }

    /// A bar as the scanner has it, which adds no bias.
    fn bar(&self, Score { subject, stance }: Score) -> Score {
        Score { subject: subject - self.0[0].bias, stance: stance - self.0[1].bias }
    }

    fn weights(&self) -> Vec<[i8; 2]> {
        self.0[0].weights.iter().zip(&self.0[1].weights).map(|(subject, stance)| [*subject, *stance]).collect()
    }
}

/// A text with its sentences.
pub(super) struct Text {
    /// The fold that must not learn it; none for the examples of rules, which say what the rules are about.
    fold: Option<usize>,
    pub(super) kind: Kind,
    weight: f32,
    pub(super) sentences: Vec<Example>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Poison,
    Twin,
    Honest,
    Agent,
    Document,
}

impl Kind {
    const fn is_real(self) -> bool {
        matches!(self, Self::Agent | Self::Document)
    }
}

pub(super) fn train(corpora: &Corpora, more: &[Row], folds: &Examples, dry: bool) -> Result<(), String> {
    let lines = |text: &'static str| text.lines().enumerate();
    let wrong = |at: usize, error: serde_json::Error| format!("line {}: {error}", at + 1);
    let pairs: Vec<Pair> = lines(PAIRS)
        .map(|(at, line)| serde_json::from_str(line).map_err(|error| wrong(at, error)))
        .collect::<Result<_, _>>()?;
    let honest: Vec<Honest> = lines(HONEST)
        .map(|(at, line)| serde_json::from_str(line).map_err(|error| wrong(at, error)))
        .collect::<Result<_, _>>()?;
    let mut writers: Vec<&str> = pairs.iter().map(|pair| &*pair.writer).collect();
    writers.extend(honest.iter().map(|honest| &*honest.writer));
    writers.sort_unstable();
    writers.dedup();
    let fold = |writer: &str| writers.iter().position(|known| *known == writer).unwrap_or(0) % FOLDS;
    let vocabulary = vocabulary(&pairs);
    // What a rule gives as an example of itself, wherever it stands.
    let everywhere = |texts: fn(&'static Rule) -> &'static [&'static str]| -> Vec<String> {
        let texts = frame_rules().flat_map(texts);
        texts.flat_map(|text| AROUND.iter().map(move |(before, after)| format!("{before}{text}{after}"))).collect()
    };
    let (hits, misses) = (everywhere(|rule| rule.hits), everywhere(|rule| rule.misses));
    let mut sources: Vec<(Option<usize>, Kind, f32, &str)> = Vec::new();
    for pair in &pairs {
        let fold = Some(fold(&pair.writer));
        sources.extend([(fold, Kind::Poison, POISON, &*pair.poison), (fold, Kind::Twin, TWIN, &*pair.twin)]);
    }
    sources.extend(honest.iter().map(|honest| (Some(fold(&honest.writer)), Kind::Honest, HONEST_FILE, &*honest.text)));
    let kind = |row: &Row| if row.kind == "agent" { Kind::Agent } else { Kind::Document };
    sources.extend(corpora.innocents.iter().map(|row| (Some(folds.fold(&row.source)), kind(row), REAL, &*row.text)));
    sources.extend(more.iter().map(|row| {
        let fold = usize::try_from(number(&row.source) % FOLDS as u64).unwrap_or(0);
        (Some(fold), kind(row), REAL, &*row.text)
    }));
    sources.extend(hits.iter().map(|text| (None, Kind::Poison, RULE, &**text)));
    sources.extend(misses.iter().map(|text| (None, Kind::Twin, RULE, &**text)));
    let texts: Vec<Text> = parallel(&sources, |(fold, kind, weight, text)| {
        let sentences = examples(text, Vocabulary(&vocabulary));
        Text { fold: *fold, kind: *kind, weight: *weight, sentences }
    });
    let partners = partners(&texts);
    let each: Vec<usize> = (0..FOLDS).collect();
    let models = parallel(&each, |fold| Models::learn(&texts, |text| text.fold != Some(*fold)));
    let held = texts.iter().filter_map(|text| Some(Held::new(models.get(text.fold?)?, &partners, text))).collect();
    let held = HeldOut(held);
    let bars = held.bars();
    held.print(bars);
    if dry {
        return Ok(());
    }
    let models = Models::learn(&texts, |_| true);
    // What a rule gives as an example of itself is never lowered, whatever stands before and after it.
    let framed = parallel(&hits, |text| {
        let sentences = examples(text, Vocabulary(&vocabulary));
        sentences.iter().filter(|sentence| sentence.framed).map(|sentence| models.score(sentence)).collect::<Vec<_>>()
    });
    let least = framed.iter().flatten().fold(bars.least, |least, score| Score {
        subject: least.subject.min(score.subject - 1.0),
        stance: least.stance.min(score.stance - 1.0),
    });
    println!("  with the examples of rules, a frame counts from {:.1} and {:.1} on", least.subject, least.stance);
    let file = [least, bars.alone].map(|bar| models.bar(bar));
    let bytes = Likelihood::file(file, &partners, &vocabulary, &models.weights());
    std::fs::write(FILE, &bytes).map_err(|error| format!("{FILE}: {error}"))?;
    println!("{FILE}: {} bytes", bytes.len());
    Ok(())
}

fn frame_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(|rule| matches!(rule.matcher, Matcher::Frame(_)))
}

/// The words and beginnings of words that at least two poisoned sentences have.
fn vocabulary(pairs: &[Pair]) -> Box<[u8; WORDS / 8]> {
    let mut counts: HashMap<usize, u32> = HashMap::new();
    for place in pairs.iter().flat_map(|pair| words(&pair.poison)) {
        *counts.entry(place).or_default() += 1;
    }
    let mut vocabulary = Box::new([0; WORDS / 8]);
    for (place, _) in counts.into_iter().filter(|(_, count)| *count >= 2) {
        vocabulary[place / 8] |= 1 << (place % 8);
    }
    vocabulary
}

fn learn(texts: &[Text], of: impl Fn(&Text) -> bool) -> Model {
    let mut shown: Vec<(&[u32], f32, f32)> = Vec::new();
    for text in texts.iter().filter(|text| of(text)) {
        let label = if text.kind == Kind::Poison { 1.0 } else { 0.0 };
        shown.extend(text.sentences.iter().map(|sentence| (&*sentence.features, label, text.weight)));
    }
    let mut learner = Learner::new(SIZE, STEP).bounded(SINGLE, LOWEST);
    let mut sums = vec![0.0; SIZE];
    for round in 0..ROUNDS {
        shuffle(&mut shown, round as u64 + 1);
        for (features, label, weight) in &shown {
            learner.learn(features, *label, *weight);
        }
        if round >= SETTLED {
            sums.iter_mut().zip(&learner.weights).for_each(|(sum, weight)| *sum += weight);
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let settled = (ROUNDS - SETTLED) as f32;
    let weights: Vec<f32> = sums.into_iter().map(|sum: f32| sum / settled).collect();
    Model { weights: rounded(&weights), bias: f64::from(learner.bias * UNIT) }
}

/// The pairs of concepts that poisoned sentences have more often than innocent ones, until as many innocent sentences have
/// one as may be weighed.
fn partners(texts: &[Text]) -> Partners {
    let mut counts: HashMap<(usize, usize), [u32; 2]> = HashMap::new();
    let concepts = |example: &Example| (0..CONCEPTS).filter(|at| example.concepts >> at & 1 == 1).collect::<Vec<_>>();
    let weighed = |text: &&Text| text.kind == Kind::Poison || text.kind.is_real();
    for text in texts.iter().filter(weighed) {
        for sentence in &text.sentences {
            let concepts = concepts(sentence);
            for (at, first) in concepts.iter().enumerate() {
                for second in &concepts[at + 1..] {
                    counts.entry((*first, *second)).or_default()[usize::from(text.kind.is_real())] += 1;
                }
            }
        }
    }
    let mut order: Vec<((usize, usize), [u32; 2])> =
        counts.into_iter().filter(|(_, [poison, _])| *poison >= 5).collect();
    order.sort_by_key(|(pair, [poison, real])| (u64::from(real + 20) * 1_000_000 / u64::from(*poison), *pair));
    let real: Vec<u128> = texts
        .iter()
        .filter(|text| text.kind.is_real())
        .flat_map(|text| text.sentences.iter().map(|sentence| sentence.concepts))
        .collect();
    let mut partners = [0; CONCEPTS];
    for ((first, second), _) in order {
        let mut tried = partners;
        tried[first] |= 1 << second;
        let weighed = real.iter().filter(|concepts| has_partners(&tried, **concepts)).count();
        #[allow(clippy::cast_precision_loss)]
        if weighed as f64 > real.len() as f64 * WEIGHED {
            break;
        }
        partners = tried;
    }
    partners
}
