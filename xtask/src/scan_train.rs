//! `cargo xtask scan-train [DIRECTORY]`: makes the weights of the learned rule.
//!
//! Logistic regression by stochastic gradient with a step for each weight, over stretches of the
//! texts as the scanner cuts them; after each round the innocent stretches that score highest are
//! put among the examples. Thresholds come from folds that the weights have not seen. No chance is
//! involved: the same corpora give the same bytes.

use std::collections::HashMap;
use std::path::Path;

use soul_core::scan::learned::{self, LENGTHS, Model, SIZE};

use crate::corpora::{Corpora, Row, directory, embedded};

/// Where the weights are kept.
pub(crate) const WEIGHTS: &str = "crates/soul-core/src/rules/learned/weights.bin";

/// How many innocent files may be reported while thresholds are chosen.
const ALARMS: usize = 1;
pub(crate) const FOLDS: u64 = 5;

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let corpora = Corpora::read(&directory(words))?;
    let folds = cross_validate(&corpora, |row| row.number() % FOLDS);
    let thresholds = folds.thresholds();
    println!("by text, five folds: {}", folds.table(&thresholds));
    if words.iter().any(|word| word == "--by-source") {
        let sources: Vec<String> = {
            let mut sources: Vec<_> = corpora.innocents.iter().map(|row| row.source.clone()).collect();
            sources.sort();
            sources.dedup();
            sources
        };
        let by_source = cross_validate(&corpora, |row| match sources.iter().position(|source| *source == row.source) {
            Some(at) => at as u64 % FOLDS,
            None => row.number() % FOLDS,
        });
        println!("by source, five folds, the same thresholds: {}", by_source.table(&thresholds));
    }
    let weights = train(&corpora, |_| true);
    let mut bytes: Vec<u8> = thresholds.iter().flat_map(|threshold| (*threshold as f32).to_le_bytes()).collect();
    bytes.extend(weights.iter().map(|weight| weight.cast_unsigned()));
    std::fs::create_dir_all(Path::new(WEIGHTS).parent().ok_or("no folder")?).map_err(|error| error.to_string())?;
    std::fs::write(WEIGHTS, &bytes).map_err(|error| format!("{WEIGHTS}: {error}"))?;
    let none = weights.iter().filter(|weight| **weight == 0).count();
    println!("{WEIGHTS}: {} bytes, {none} weights are 0, thresholds {thresholds:?}", bytes.len());
    Ok(())
}

/// A text cut into pieces: the features of all, and where each piece ends.
struct Text {
    features: Vec<u32>,
    ends: Vec<usize>,
    bytes: Vec<usize>,
}

impl Text {
    fn read(text: &str) -> Self {
        let mut read = Self { features: Vec::new(), ends: Vec::new(), bytes: Vec::new() };
        learned::read(text, |bytes, features| {
            read.features.extend_from_slice(features);
            read.ends.push(read.features.len());
            read.bytes.push(bytes);
        });
        read
    }

    fn slice(&self, first: usize, end: usize) -> &[u32] {
        let start = if first == 0 { 0 } else { self.ends[first - 1] };
        &self.features[start..self.ends[end - 1]]
    }

    /// Where the stretch ends that begins at a piece and has a length.
    fn end(&self, first: usize, length: usize) -> usize {
        let mut bytes = 0;
        let mut end = first;
        while end == first || (end < self.bytes.len() && bytes < length) {
            bytes += self.bytes[end];
            end += 1;
        }
        end
    }

    /// Stretches of a length that do not overlap.
    fn tiles(&self, length: usize, offset: usize) -> Vec<(usize, usize)> {
        let mut tiles = Vec::new();
        let mut first = offset;
        while first < self.bytes.len() {
            let end = self.end(first, length);
            tiles.push((first, end));
            first = end;
        }
        tiles
    }
}

/// How often the examples are gone through, and from when on the weights are averaged.
const ROUNDS: usize = 6;
const SETTLED: usize = 3;
/// How far a weight moves, and how fast it fades.
const STEP: f32 = 0.05;
const DECAY: f32 = 3e-4;
/// Every piece of an attack of at most so many bytes is one.
const SHORT: usize = 400;
/// Innocent stretches that score above this are shown again.
const NEAR: f32 = -1.0;

fn train(corpora: &Corpora, of: impl Fn(&Row) -> bool) -> Box<[i8; SIZE]> {
    let read = |rows: &[Row]| rows.iter().filter(|row| of(row)).map(|row| Text::read(&row.text)).collect::<Vec<_>>();
    let (benign, attacks, near) = (read(&corpora.innocents), read(&corpora.attacks), read(&corpora.near));
    let notes: Vec<Text> = corpora.notes.iter().map(|text| Text::read(text)).collect();
    let mut learner = Learner::new();
    let mut sums = vec![0.0f32; SIZE];
    let mut hard: Vec<(usize, usize, usize)> = Vec::new();
    for round in 0..ROUNDS {
        let mut examples: Vec<(&[u32], f32, f32)> = Vec::new();
        for text in &attacks {
            for (length, least) in LENGTHS.into_iter().enumerate() {
                let total: usize = text.bytes.iter().sum();
                // A short stretch of a long attack may be innocent.
                let short = total <= SHORT;
                if length >= 2 || total <= least * 3 || length == 0 && short {
                    let offset = round % text.bytes.len().clamp(1, 3);
                    for (first, end) in text.tiles(least, offset) {
                        examples.push((text.slice(first, end), 1.0, 1.0));
                    }
                }
            }
        }
        for text in &near {
            examples.push((text.slice(0, text.bytes.len()), 0.0, 4.0));
        }
        for text in benign.iter().chain(&notes) {
            for least in LENGTHS {
                let offset = (round * 7) % text.bytes.len().clamp(1, 5);
                examples.extend(text.tiles(least, offset).into_iter().map(|(a, b)| (text.slice(a, b), 0.0, 1.0)));
            }
        }
        for (at, first, end) in &hard {
            examples.push((benign[*at].slice(*first, *end), 0.0, 2.0));
        }
        shuffle(&mut examples, round as u64);
        for _ in 0..2 {
            for (features, label, weight) in &examples {
                learner.learn(features, *label, *weight);
            }
        }
        if round >= SETTLED {
            sums.iter_mut().zip(&learner.weights).for_each(|(sum, weight)| *sum += weight);
        }
        // The innocent stretches that are nearest to an attack are examples of the next round.
        for (at, text) in benign.iter().enumerate() {
            for first in 0..text.bytes.len() {
                for least in LENGTHS {
                    let end = text.end(first, least);
                    if learner.raw(text.slice(first, end)) > NEAR {
                        hard.push((at, first, end));
                    }
                }
            }
        }
    }
    learner.weights = sums;
    learner.weights()
}

/// The same order every time, and not that of the file.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, usize::try_from(state % (at as u64 + 1)).unwrap_or(0));
    }
}

struct Learner {
    weights: Vec<f32>,
    squares: Vec<f32>,
    bias: f32,
}

impl Learner {
    fn new() -> Self {
        Self { weights: vec![0.0; SIZE], squares: vec![1e-3; SIZE], bias: 0.0 }
    }

    #[allow(clippy::cast_precision_loss)]
    fn raw(&self, features: &[u32]) -> f32 {
        let sum: f32 = features.iter().map(|at| self.weights[*at as usize]).sum();
        sum / (features.len().max(1) as f32).sqrt() + self.bias
    }

    #[allow(clippy::cast_precision_loss)]
    fn learn(&mut self, features: &[u32], label: f32, weight: f32) {
        if features.is_empty() {
            return;
        }
        let said = 1.0 / (1.0 + (-self.raw(features)).exp());
        let error = (said - label) * weight;
        if error.abs() < 1e-4 {
            return;
        }
        self.bias -= 0.01 * error;
        let value = error / (features.len() as f32).sqrt();
        for at in features {
            let at = *at as usize;
            let slope = value + DECAY * self.weights[at];
            self.squares[at] += slope * slope;
            self.weights[at] -= STEP * slope / self.squares[at].sqrt();
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn weights(&self) -> Box<[i8; SIZE]> {
        let mut sizes: Vec<f32> = self.weights.iter().map(|weight| weight.abs()).collect();
        sizes.sort_by(f32::total_cmp);
        let largest = sizes[SIZE - SIZE / 1000].max(1e-6);
        let mut small = Box::new([0; SIZE]);
        for (small, weight) in small.iter_mut().zip(&self.weights) {
            *small = (weight / largest * 127.0).round().clamp(-127.0, 127.0) as i8;
        }
        small
    }
}

/// What models said of texts that they had not seen.
pub(crate) struct Folds {
    /// By the hash of the text.
    pub(crate) scores: HashMap<u64, [f64; 4]>,
    benign: Vec<[f64; 4]>,
    near: Vec<[f64; 4]>,
    attacks: Vec<(String, [f64; 4])>,
}

pub(crate) fn cross_validate(corpora: &Corpora, fold_of: impl Fn(&Row) -> u64 + Sync) -> Folds {
    let mut folds = Folds { scores: HashMap::new(), benign: Vec::new(), near: Vec::new(), attacks: Vec::new() };
    let results = std::thread::scope(|scope| {
        let fold_of = &fold_of;
        let handles: Vec<_> = (0..FOLDS)
            .map(|fold| {
                scope.spawn(move || {
                    let weights = train(corpora, |row| fold_of(row) != fold);
                    let model = Model { weights: &weights, thresholds: [0.0; 4] };
                    let unseen = |rows: &[Row]| -> Vec<Row> {
                        rows.iter().filter(|row| fold_of(row) == fold).cloned().collect()
                    };
                    let benign = unseen(&corpora.innocents);
                    let carriers: Vec<&Row> = benign.iter().filter(|row| row.text.len() < 8_000).collect();
                    let scores: Vec<[f64; 4]> = benign.iter().map(|row| model.best(&row.text)).collect();
                    let near: Vec<[f64; 4]> = unseen(&corpora.near).iter().map(|row| model.best(&row.text)).collect();
                    let attacks: Vec<_> = unseen(&corpora.attacks)
                        .iter()
                        .map(|row| {
                            let carrier = carriers[usize::try_from(row.number() % carriers.len() as u64).unwrap_or(0)];
                            (row.source.clone(), model.best(&embedded(&carrier.text, row)))
                        })
                        .collect();
                    let mut by_text: HashMap<u64, [f64; 4]> =
                        benign.iter().zip(&scores).map(|(row, scores)| (row.number(), *scores)).collect();
                    by_text
                        .extend(unseen(&corpora.near).iter().zip(&near).map(|(row, scores)| (row.number(), *scores)));
                    by_text.extend(
                        unseen(&corpora.attacks).iter().zip(&attacks).map(|(row, (_, scores))| (row.number(), *scores)),
                    );
                    (scores, near, attacks, by_text)
                })
            })
            .collect();
        handles.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    for (benign, near, attacks, by_text) in results.into_iter().flatten() {
        folds.scores.extend(by_text);
        folds.benign.extend(benign);
        folds.near.extend(near);
        folds.attacks.extend(attacks);
    }
    folds
}

impl Folds {
    /// The thresholds that spare all but so many innocent files, chosen so that most attacks show.
    pub(crate) fn thresholds(&self) -> [f64; 4] {
        // Which files each length alone would report decides where its threshold may stand.
        let level = |length: usize, rank: usize, lift: f64| {
            let mut order: Vec<f64> = self.benign.iter().map(|scores| scores[length]).collect();
            order.sort_by(|a, b| b.total_cmp(a));
            order[rank] + lift
        };
        let mut best = ([f64::INFINITY; 4], 0);
        let lifts = [0.5, 10.0, 25.0, 50.0];
        let choices: Vec<(usize, f64)> = (0..=ALARMS).flat_map(|rank| lifts.map(|lift| (rank, lift))).collect();
        let total = choices.len().pow(4);
        for pick in 0..total {
            let mut rest = pick;
            let mut tried = [0.0; 4];
            for (length, threshold) in tried.iter_mut().enumerate() {
                let (rank, lift) = choices[rest % choices.len()];
                rest /= choices.len();
                *threshold = level(length, rank, lift);
            }
            let alarms = self.benign.iter().filter(|scores| passes(scores, &tried)).count();
            if alarms <= ALARMS {
                let found = self.attacks.iter().filter(|(_, scores)| passes(scores, &tried)).count();
                if found > best.1 {
                    best = (tried, found);
                }
            }
        }
        best.0
    }

    fn table(&self, thresholds: &[f64; 4]) -> String {
        let count = |rows: &[[f64; 4]]| rows.iter().filter(|scores| passes(scores, thresholds)).count();
        let mut text = format!(
            "false alarms {} of {}, near misses {} of {}",
            count(&self.benign),
            self.benign.len(),
            count(&self.near),
            self.near.len()
        );
        let mut sets: Vec<&str> = self.attacks.iter().map(|(set, _)| set.as_str()).collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let of: Vec<[f64; 4]> = self.attacks.iter().filter(|(name, _)| name == set).map(|(_, s)| *s).collect();
            text.push_str(&format!(", {set} {:.1} %", 100.0 * count(&of) as f64 / of.len() as f64));
        }
        text
    }
}

pub(crate) fn passes(scores: &[f64; 4], thresholds: &[f64; 4]) -> bool {
    scores.iter().zip(thresholds).any(|(score, threshold)| score > threshold)
}
