//! How likely a sentence is an attack: a linear model over the [features](super::features) of its words.
//!
//! A frame says that the words of an attack have met in one sentence; in a long manual they meet by chance. The model
//! weighs the whole sentence. What fills a frame and is unlikely an attack is found with low confidence, and a sentence that
//! is very likely one is reported without a frame, by the [learned rule](crate::scan::learned). No word by itself makes a
//! sentence much less likely, wherever it is put. Text that was decoded, or put together from several files, is not weighed.
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

/// The model, as it is read from its file.
#[derive(Debug, Clone, Copy)]
pub struct Likelihood<'a> {
    /// Below this score a frame is of low confidence.
    pub least: f64,
    /// Above this score a sentence is reported without a frame.
    pub alone: f64,
    partners: &'a [[u8; 16]; CONCEPTS],
    vocabulary: Vocabulary<'a>,
    weights: &'a [u8; SIZE],
}

/// The file: two scores, the partners of each concept, the vocabulary, the weights.
static FILE: &[u8] = include_bytes!("likelihood.bin");

impl<'a> Likelihood<'a> {
    /// The model in a file; none if it was made for other concepts.
    #[must_use]
    pub fn parse(file: &'a [u8]) -> Option<Self> {
        let (scores, rest) = file.split_first_chunk::<8>()?;
        let (partners, rest) = rest.split_at_checked(16 * CONCEPTS)?;
        let (vocabulary, weights) = rest.split_first_chunk::<{ WORDS / 8 }>()?;
        let (scores, _) = scores.as_chunks::<4>();
        let [least, alone] = [scores[0], scores[1]].map(|bytes| f64::from(f32::from_le_bytes(bytes)));
        let partners = partners.as_chunks::<16>().0.try_into().ok()?;
        Some(Self { least, alone, partners, vocabulary: Vocabulary(vocabulary), weights: weights.try_into().ok()? })
    }

    /// The bytes of a file.
    #[must_use]
    pub fn file(
        [least, alone]: [f32; 2],
        partners: &Partners,
        vocabulary: &[u8; WORDS / 8],
        weights: &[i8],
    ) -> Vec<u8> {
        let mut file = [least.to_le_bytes(), alone.to_le_bytes()].concat();
        file.extend(partners.iter().flat_map(|partners| partners.to_le_bytes()));
        file.extend(vocabulary);
        file.extend(weights.iter().map(|weight| weight.cast_unsigned()));
        file
    }

    /// Whether a sentence with these concepts is weighed without a frame. Most sentences have no such pair.
    pub(super) fn may_be(&self, concepts: Concepts) -> bool {
        each(concepts).any(|concept| u128::from_le_bytes(self.partners[concept]) & concepts != 0)
    }

    /// The score of a sentence, which is read once.
    pub(super) fn score(&self, sentence: &mut Sentence<'_>) -> f64 {
        if let Some(score) = sentence.score {
            return score;
        }
        let spoken = sentence.spoken();
        let (mut sum, mut count) = (0, 0);
        features(sentence, spoken, self.vocabulary, &mut |at| {
            sum += i64::from(self.weights[at as usize].cast_signed());
            count += 1;
        });
        *sentence.score.insert(score(sum, count))
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
