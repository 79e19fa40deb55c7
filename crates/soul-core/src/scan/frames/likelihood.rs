//! How likely a sentence is an attack: a linear model over all of its words and the concepts that they name.
//!
//! A frame says that the words of an attack have met in one sentence; in a long manual they meet by chance. The model
//! weighs the whole sentence. What fills a frame and is unlikely an attack is found with low confidence, and a sentence that
//! is very likely one is reported without a frame, by the [learned rule](crate::scan::learned). It reads only words that
//! poisoned sentences have: any other word can neither weigh against one nor stand between two of its words. Text that was
//! decoded, or put together from several files, is not weighed.
//!
//! `cargo xtask scan-train` makes the weights, from sentences that were written for it and from the innocent files of the
//! corpora.

use super::concept::{self, Concepts};
use super::each;
use super::lexicon::Languages;
use super::reader::{self, Sentence};
use super::reading;
use super::ways::Origin;
use crate::scan::fold::fold;
use crate::scan::learned::{Reader, SIZE, Vocabulary, WORDS, score, slot};

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
        weights: &[i8; SIZE],
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

    /// The score of a sentence.
    pub(super) fn score(&self, sentence: &Sentence<'_>, spoken: Languages) -> f64 {
        let (mut sum, mut count) = (0, 0);
        features(sentence, spoken, self.vocabulary, &mut |at| {
            sum += i64::from(self.weights[at as usize].cast_signed());
            count += 1;
        });
        score(sum, count)
    }
}

/// The model that is built in. A test reads it; without it, nothing is weighed and every frame counts.
pub(super) fn embedded() -> Option<Likelihood<'static>> {
    Likelihood::parse(FILE)
}

/// The features of a sentence: its words with their neighbours, its concepts, and pairs of these in the sentence and in one
/// clause.
fn features(sentence: &Sentence<'_>, spoken: Languages, vocabulary: Vocabulary<'_>, feature: &mut impl FnMut(u32)) {
    let bytes = sentence.text.as_bytes();
    let mut at = sentence.start;
    while at < sentence.end {
        at = Reader::default().read(bytes, at, sentence.end, &mut |word| vocabulary.has(word), feature);
    }
    let tokens = || sentence.tokens.iter().filter(|token| token.languages & spoken != 0);
    let clauses = tokens().map(|token| token.clause).max().unwrap_or(0);
    let named = |clause: Option<u16>| {
        let of = tokens().filter(|token| clause.is_none_or(|clause| token.clause == clause));
        let mut codes: Vec<u64> = of.flat_map(|token| codes(token.concepts, token.negated)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let all = named(None);
    all.iter().for_each(|code| feature(slot(code.wrapping_mul(ALONE))));
    pairs(&all, ANYWHERE, feature);
    for clause in 0..=clauses {
        pairs(&named(Some(clause)), TOGETHER, feature);
    }
}

/// What tells the kinds of features apart.
const ALONE: u64 = 0x9fb2_1c65_1e98_df25;
const ANYWHERE: u64 = 0xc2b2_ae3d_27d4_eb4f;
const TOGETHER: u64 = 0x2545_f491_4f6c_dd1d;

/// A sentence with more concepts than this is a list of words.
const MOST: usize = 24;

fn pairs(codes: &[u64], kind: u64, feature: &mut impl FnMut(u32)) {
    let codes = &codes[..codes.len().min(MOST)];
    for (at, first) in codes.iter().enumerate() {
        for second in &codes[at + 1..] {
            feature(slot((first << 16 | second).wrapping_mul(kind)));
        }
    }
}

/// A number for each concept of a token, and another one if it is denied.
fn codes(concepts: Concepts, negated: bool) -> impl Iterator<Item = u64> {
    each(concepts).map(move |concept| 1 + 2 * concept as u64 + u64::from(negated))
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
