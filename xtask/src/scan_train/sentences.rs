//! The weights that say how likely a sentence is an attack.
//!
//! They are learned from pairs of sentences that were written for this purpose, a poisoned one and an innocent one about the
//! same subject, from honest personas, and from the innocent files of the corpora; `personas-2.jsonl` is left out, so that it
//! can be measured with. Each of five folds leaves out whole repositories and whole writers, and what the models say of
//! these decides the thresholds.

use std::collections::HashMap;

use serde::Deserialize;
use soul_core::rules::{Matcher, RULES, Rule};
use soul_core::scan::learned::{Vocabulary, WORDS, score};
use soul_core::scan::likelihood::{
    CONCEPTS, Example, Likelihood, Partners, SINGLE, SIZE, examples, has_partners, words,
};

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
const HONEST_FILE: f32 = 10.0;
const REAL: f32 = 1.5;
const RULE: f32 = 6.0;

/// How often the sentences are gone through, and from when on the weights are averaged.
const ROUNDS: usize = 16;
const SETTLED: usize = 8;

/// How far a weight moves, and the lowest weight of what can be put into any sentence: a word, its parts, a concept.
const STEP: f32 = 0.15;
const LOWEST: f32 = -0.1;

/// The share of agents' files and of documents of unseen repositories, and of innocent sentences and personas of unseen
/// writers, that may be reported without a frame. Documents about attacks talk as attacks do, and no agent is made of them.
const FILES: f64 = 0.0015;
const DOCUMENTS: f64 = 0.005;
const TWINS: f64 = 0.004;
const PERSONAS: f64 = 0.0065;

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

/// The share of poisoned sentences of unseen writers that fill a frame and are lowered all the same.
const LOWERED: f64 = 0.12;

/// The share of innocent sentences that are weighed without a frame.
const WEIGHED: f64 = 0.03;

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

struct Model {
    weights: Vec<i8>,
    bias: f64,
}

/// A text with its sentences.
struct Text {
    /// The fold that must not learn it; none for the examples of rules, which say what the rules are about.
    fold: Option<usize>,
    kind: Kind,
    weight: f32,
    sentences: Vec<Example>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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
    let models = parallel(&each, |fold| learn(&texts, |text| text.fold != Some(*fold)));
    let held: Vec<(&Text, Scores)> =
        texts.iter().filter_map(|text| Some((text, Scores::of(models.get(text.fold?)?, &partners, text)))).collect();
    let thresholds = Thresholds::choose(&held);
    thresholds.print(&held);
    if dry {
        return Ok(());
    }
    let model = learn(&texts, |_| true);
    // What a rule gives as an example of itself is never lowered, whatever stands before and after it.
    let framed = parallel(&hits, |text| {
        let sentences = examples(text, Vocabulary(&vocabulary));
        Scores::of(&model, &partners, &Text { fold: None, kind: Kind::Poison, weight: RULE, sentences }).framed
    });
    let framed = framed.into_iter().filter(|score| score.is_finite());
    let least = framed.map(|score| score - 1.0).fold(thresholds.least, f64::min);
    println!("  with the examples of rules, a frame counts from {least:.1} on");
    #[allow(clippy::cast_possible_truncation)]
    let scores = [least, thresholds.alone].map(|score| (score - model.bias) as f32);
    let bytes = Likelihood::file(scores, &partners, &vocabulary, &model.weights);
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

/// The highest scores of a text: of sentences that are weighed without a frame, and of those that fill one.
struct Scores {
    alone: f64,
    framed: f64,
}

impl Scores {
    fn of(model: &Model, partners: &Partners, text: &Text) -> Self {
        let mut scores = Self { alone: f64::NEG_INFINITY, framed: f64::NEG_INFINITY };
        for sentence in &text.sentences {
            let sum = sentence.features.iter().map(|at| i64::from(model.weights[*at as usize])).sum();
            let score = score(sum, u32::try_from(sentence.features.len()).unwrap_or(u32::MAX)) + model.bias;
            if has_partners(partners, sentence.concepts) {
                scores.alone = scores.alone.max(score);
            }
            if sentence.framed {
                scores.framed = scores.framed.max(score);
            }
        }
        scores
    }
}

struct Thresholds {
    least: f64,
    alone: f64,
}

impl Thresholds {
    fn choose(held: &[(&Text, Scores)]) -> Self {
        let of = |kind: Kind, score: fn(&Scores) -> f64| {
            let mut all: Vec<f64> =
                held.iter().filter(|(text, _)| text.kind == kind).map(|(_, scores)| score(scores)).collect();
            all.sort_by(|a, b| b.total_cmp(a));
            all
        };
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let from = |all: &[f64], share: f64| all.get((all.len() as f64 * share) as usize).copied().unwrap_or(0.0);
        let bounds = [(Kind::Agent, FILES), (Kind::Document, DOCUMENTS), (Kind::Twin, TWINS), (Kind::Honest, PERSONAS)];
        let alone = bounds.map(|(kind, share)| from(&of(kind, |scores| scores.alone), share));
        let mut framed = of(Kind::Poison, |scores| scores.framed);
        framed.retain(|score| score.is_finite());
        Self { least: from(&framed, 1.0 - LOWERED), alone: alone.into_iter().fold(0.0, f64::max) }
    }

    fn print(&self, held: &[(&Text, Scores)]) {
        println!("sentences, by models that have not seen their writer or repository:");
        for (name, kind) in [
            ("poisoned", Kind::Poison),
            ("twins", Kind::Twin),
            ("honest", Kind::Honest),
            ("agents", Kind::Agent),
            ("documents", Kind::Document),
        ] {
            let all: Vec<&Scores> =
                held.iter().filter(|(text, _)| text.kind == kind).map(|(_, scores)| scores).collect();
            let count = |of: &dyn Fn(&&&Scores) -> bool| all.iter().filter(of).count();
            println!(
                "  {name:<9} {:>6}: {:>5} weighed, {:>5} reported without a frame; {:>5} fill a frame, {:>5} of these are lowered; {:>5} reported in all",
                all.len(),
                count(&|scores| scores.alone.is_finite()),
                count(&|scores| scores.alone > self.alone),
                count(&|scores| scores.framed.is_finite()),
                count(&|scores| scores.framed.is_finite() && scores.framed < self.least),
                count(&|scores| scores.alone > self.alone || scores.framed >= self.least),
            );
        }
        println!("  a frame counts from {:.1} on, a sentence alone from {:.1} on", self.least, self.alone);
    }
}
