//! How likely a sentence is an attack: two linear models over the [features](super::features) of its words.
//!
//! A frame says that the words of an attack have met in one sentence; in a long manual they meet by chance. The models
//! weigh the whole sentence. One knows attacks from everything else that people write, the other only from innocent
//! sentences about the same things, which say the opposite; a single model that learns both finds less. What fills a
//! frame and is unlikely an attack is found with low confidence, and a sentence that is very likely one is reported without
//! a frame, by the [learned rule](crate::scan::learned). No word by itself makes a sentence much less likely, wherever it
//! is put. Text that was decoded, or put together from several files, is not weighed.
//!
//! `cargo xtask scan-train` makes the weights, from sentences that were written for it and from the innocent files of the
//! corpora.

use super::concept::{self, Concepts};
use super::each;
use super::features::features;
pub use super::features::{SINGLE, SIZE, words};
use super::lexicon::Languages;
use super::reader::{self, Sentence};
use super::reading;
use super::ways::Origin;
use crate::scan::fold::fold;
use crate::scan::learned::{Vocabulary, WORDS, score};

/// How many concepts there are.
pub const CONCEPTS: usize = concept::CONCEPTS.len();

/// For each concept those of which a sentence must have one beside it to be weighed without a frame.
pub type Partners = [u128; CONCEPTS];

/// What the two models say of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// How much it says what attacks say, and other text does not.
    pub subject: f64,
    /// How much it says so rather than the opposite.
    pub stance: f64,
}

impl Score {
    /// Whether a sentence is as likely an attack as a bar asks, by both models.
    #[must_use]
    pub fn reaches(self, bar: Self) -> bool {
        self.subject >= bar.subject && self.stance >= bar.stance
    }
}

/// Most sentences have fewer features.
const FEATURES: usize = 512;

/// The model, as it is read from its file.
#[derive(Debug, Clone, Copy)]
pub struct Likelihood<'a> {
    /// A frame that does not reach this is of low confidence.
    pub least: Score,
    /// A sentence that reaches this is reported without a frame.
    pub alone: Score,
    partners: &'a [[u8; 16]; CONCEPTS],
    vocabulary: Vocabulary<'a>,
    weights: &'a [[u8; 2]; SIZE],
}

/// The file: two bars, the partners of each concept, the vocabulary, and of each feature the weights in both models.
static FILE: &[u8] = include_bytes!("likelihood.bin");

impl<'a> Likelihood<'a> {
    /// The model in a file; none if it was made for other concepts.
    #[must_use]
    pub fn parse(file: &'a [u8]) -> Option<Self> {
        let (bars, rest) = file.split_first_chunk::<16>()?;
        let (partners, rest) = rest.split_at_checked(16 * CONCEPTS)?;
        let (vocabulary, weights) = rest.split_first_chunk::<{ WORDS / 8 }>()?;
        let (bars, _) = bars.as_chunks::<4>();
        let bar = |at: usize| {
            let [subject, stance] = [bars[at], bars[at + 1]].map(|bytes| f64::from(f32::from_le_bytes(bytes)));
            Score { subject, stance }
        };
        let (least, alone) = (bar(0), bar(2));
        let weights = weights.as_chunks::<2>().0.try_into().ok()?;
        let partners = partners.as_chunks::<16>().0.try_into().ok()?;
        Some(Self { least, alone, partners, vocabulary: Vocabulary(vocabulary), weights })
    }

    /// The bytes of a file.
    #[must_use]
    pub fn file(bars: [Score; 2], partners: &Partners, vocabulary: &[u8; WORDS / 8], weights: &[[i8; 2]]) -> Vec<u8> {
        #[allow(clippy::cast_possible_truncation)]
        let bytes = |score: f64| (score as f32).to_le_bytes();
        let mut file: Vec<u8> = bars.iter().flat_map(|bar| [bytes(bar.subject), bytes(bar.stance)]).flatten().collect();
        file.extend(partners.iter().flat_map(|partners| partners.to_le_bytes()));
        file.extend(vocabulary);
        file.extend(weights.as_flattened().iter().map(|weight| weight.cast_unsigned()));
        file
    }

    /// Whether a sentence with these concepts is weighed without a frame. Most sentences have no such pair.
    pub(super) fn may_be(&self, concepts: Concepts) -> bool {
        each(concepts).any(|concept| u128::from_le_bytes(self.partners[concept]) & concepts != 0)
    }

    /// The score of a sentence, which is read once.
    pub(super) fn score(&self, sentence: &mut Sentence<'_>) -> Score {
        if let Some(score) = sentence.score {
            return score;
        }
        let spoken = sentence.spoken();
        // Weights are far from each other: memory brings many of them at once if nothing stands between.
        let mut read = Vec::with_capacity(FEATURES);
        features(sentence, spoken, self.vocabulary, &mut |at| read.push(at));
        let mut sums = [0, 0];
        for at in &read {
            let [subject, stance] = self.weights[*at as usize].map(|weight| i64::from(weight.cast_signed()));
            sums = [sums[0] + subject, sums[1] + stance];
        }
        let count = u32::try_from(read.len()).unwrap_or(u32::MAX);
        let [subject, stance] = sums.map(|sum| score(sum, count));
        *sentence.score.insert(Score { subject, stance })
    }
}

/// The model that is built in. A test reads it; without it, nothing is weighed and every frame counts.
pub(super) fn embedded() -> Option<Likelihood<'static>> {
    Likelihood::parse(FILE)
}

/// A sentence to learn from or to judge.
#[derive(Debug)]
pub struct Example {
    /// Its features, by their places in the table of weights.
    pub features: Vec<u32>,
    /// The concepts that its words name.
    pub concepts: u128,
    /// Whether it fills a frame and does not say that it is not meant.
    pub framed: bool,
}

/// The sentences of a text, for training.
#[must_use]
pub fn examples(text: &str, vocabulary: Vocabulary<'_>) -> Vec<Example> {
    let folded = fold(text);
    let frames = super::frames();
    let mut examples = Vec::new();
    reader::read(
        text,
        &folded,
        |_| true,
        |sentence| {
            let spoken = sentence.spoken();
            let mut read = Vec::new();
            features(sentence, spoken, vocabulary, &mut |at| read.push(at));
            let mut filled = Vec::new();
            super::judge(frames, None, sentence, Origin::Plain, &mut filled);
            let framed = filled.iter().any(|frame| frame.confidence.is_none());
            examples.push(Example { features: read, concepts: sentence.concepts, framed });
        },
    );
    examples
}

/// Whether sentences with these concepts are weighed without a frame.
#[must_use]
pub fn has_partners(partners: &Partners, concepts: u128) -> bool {
    each(concepts).any(|concept| partners[concept] & concepts != 0)
}

impl Sentence<'_> {
    /// Marks what is forbidden or denied, once, and says which languages the sentence may be in.
    pub(super) fn spoken(&mut self) -> Languages {
        if let Some(spoken) = self.languages {
            return spoken;
        }
        reading::negate(self.text, self.tokens);
        *self.languages.insert(reading::spoken(self.text, self.tokens))
    }
}
