//! Logistic regression by stochastic gradient with a step for each weight.

use soul_core::scan::learned::{LENGTHS, SIZE, WORDS};

use super::examples::{Examples, Source};

/// How often the examples are gone through, and from when on the weights are averaged.
const ROUNDS: usize = 6;
const SETTLED: usize = 3;
/// How far a weight moves, and how fast any weight fades.
const STEP: f32 = 0.05;
const DECAY: f32 = 3e-4;

/// Innocent windows that score above this are shown again.
const NEAR: f32 = -1.0;

/// Weights from the examples that may be used. After each round the innocent windows that score highest are put among
/// the examples.
pub(super) fn train(examples: &Examples, of: impl Fn(&Source) -> bool) -> Trained {
    let (attacks, innocents, vocabulary) = examples.texts(of);
    let mut learner = Learner::new(SIZE, STEP);
    let mut sums = vec![0.0f32; SIZE];
    let mut hard: Vec<(usize, usize, usize)> = Vec::new();
    for round in 0..ROUNDS {
        let mut shown: Vec<(&[u32], f32, f32)> = Vec::new();
        for text in &attacks {
            let offset = round % text.pieces().clamp(1, 3);
            let windows = text.attacking(offset);
            shown.extend(windows.into_iter().map(|(first, end)| (text.slice(first, end), 1.0, text.weight)));
        }
        for text in &innocents {
            for least in LENGTHS {
                let offset = (round * 7) % text.pieces().clamp(1, 5);
                let tiles = text.tiles(least, offset).into_iter();
                shown.extend(tiles.map(|(first, end)| (text.slice(first, end), 0.0, text.weight)));
            }
        }
        for (at, first, end) in &hard {
            shown.push((innocents[*at].slice(*first, *end), 0.0, 2.0));
        }
        shuffle(&mut shown, round as u64);
        for (features, label, weight) in &shown {
            learner.learn(features, *label, *weight);
        }
        if round >= SETTLED {
            sums.iter_mut().zip(&learner.weights).for_each(|(sum, weight)| *sum += weight);
        }
        for (at, text) in innocents.iter().enumerate() {
            for first in 0..text.pieces() {
                for least in LENGTHS {
                    let end = text.end(first, least);
                    if learner.raw(text.slice(first, end)) > NEAR {
                        hard.push((at, first, end));
                    }
                }
            }
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let settled = (ROUNDS - SETTLED) as f32;
    Trained::new(&sums.into_iter().map(|sum| sum / settled).collect::<Vec<_>>(), learner.bias, vocabulary)
}

/// Weights as they are kept. A score of [`UNIT`] is one unit of the logarithm of the odds in every model, so that scores
/// of models that were trained on different folds can be compared.
pub(crate) struct Trained {
    pub(crate) weights: Box<[i8; SIZE]>,
    pub(crate) vocabulary: Box<[u8; WORDS / 8]>,
    /// What has to be added to a score.
    pub(crate) bias: f64,
}

/// What a weight of 1 is kept as.
pub(super) const UNIT: f32 = 40.0;

impl Trained {
    fn new(weights: &[f32], bias: f32, vocabulary: Box<[u8; WORDS / 8]>) -> Self {
        let mut small = Box::new([0; SIZE]);
        small.copy_from_slice(&rounded(weights));
        Self { weights: small, vocabulary, bias: f64::from(bias * UNIT) }
    }
}

/// Weights as they are kept.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn rounded(weights: &[f32]) -> Vec<i8> {
    weights.iter().map(|weight| (weight * UNIT).round().clamp(-127.0, 127.0) as i8).collect()
}

/// The same order every time, and not that of the file.
pub(super) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, usize::try_from(state % (at as u64 + 1)).unwrap_or(0));
    }
}

pub(super) struct Learner {
    pub(super) weights: Vec<f32>,
    squares: Vec<f32>,
    pub(super) bias: f32,
    step: f32,
    /// The first so many weights never fall below this.
    bounded: (usize, f32),
}

impl Learner {
    pub(super) fn new(size: usize, step: f32) -> Self {
        Self { weights: vec![0.0; size], squares: vec![1e-3; size], bias: 0.0, step, bounded: (0, 0.0) }
    }

    /// The same, with a bound below the first so many weights.
    pub(super) fn bounded(self, count: usize, lowest: f32) -> Self {
        Self { bounded: (count, lowest), ..self }
    }

    #[allow(clippy::cast_precision_loss)]
    fn raw(&self, features: &[u32]) -> f32 {
        let sum: f32 = features.iter().map(|at| self.weights[*at as usize]).sum();
        sum / (features.len().max(1) as f32).sqrt() + self.bias
    }

    #[allow(clippy::cast_precision_loss)]
    pub(super) fn learn(&mut self, features: &[u32], label: f32, weight: f32) {
        if features.is_empty() {
            return;
        }
        let said = 1.0 / (1.0 + (-self.raw(features)).exp());
        let error = (said - label) * weight;
        if error.abs() < 1e-3 {
            return;
        }
        self.bias -= 0.01 * error;
        let value = error / (features.len() as f32).sqrt();
        for at in features {
            let at = *at as usize;
            let slope = value + DECAY * self.weights[at];
            self.squares[at] += slope * slope;
            self.weights[at] -= self.step * slope / self.squares[at].sqrt();
            if at < self.bounded.0 {
                self.weights[at] = self.weights[at].max(self.bounded.1);
            }
        }
    }
}
