//! What a soul asks of every output, in a form that can be checked, and whether an output keeps it.

use std::ops::Range;

use super::act::Act;
use super::form::Form;
use super::prose::{Prose, Word, words};
use crate::diagnostics::Code;
use crate::text::Span;

/// One thing that is asked, and where.
#[derive(Debug, Clone)]
pub(super) struct Requirement {
    pub(super) condition: Condition,
    /// The author's own words.
    pub(super) text: String,
    pub(super) file: String,
    pub(super) span: Span,
}

/// What can be asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// A word or phrase of the list of those to be avoided.
    Banned(Phrase),
    /// A phrase that a limit forbids.
    Unsaid(Phrase),
    /// Something that is not to be done.
    Never(Act),
    /// Something that is to be done where it applies.
    Always(Act),
    /// A form that is not to be used.
    Without(Form),
    /// At most so many words.
    MostWords(usize),
    /// At most so many sentences.
    MostSentences(usize),
    /// At most so many words in a sentence.
    MostSentenceWords(usize),
}

impl Condition {
    /// What two that ask the same have in common: a word may be on two lists.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Banned(phrase) | Self::Unsaid(phrase) => phrase.literal.to_lowercase(),
            other => format!("{other:?}"),
        }
    }
}

/// A word or several.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    pub(super) literal: String,
    words: Vec<Word>,
}

impl Phrase {
    pub(super) fn new(literal: &str) -> Self {
        Self { literal: literal.to_owned(), words: words(literal) }
    }
}

/// How an output breaks what is asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Breach {
    /// Where, in the output.
    pub(super) range: Range<usize>,
    /// Whether it is plain, and not only likely.
    pub(super) sure: bool,
    /// What is wrong, as the end of a sentence that begins with the output.
    pub(super) why: String,
}

impl Requirement {
    /// The kind of diagnostic that a breach of it is.
    pub(super) const fn code(&self) -> Code {
        match self.condition {
            Condition::Banned(_) => Code::BannedWord,
            _ => Code::LimitContradicted,
        }
    }

    /// How an output breaks it, if it does.
    pub(super) fn broken_by(&self, output: &Prose<'_>) -> Option<Breach> {
        let sure = |range, why: String| Some(Breach { range, sure: true, why });
        match &self.condition {
            Condition::Banned(phrase) | Condition::Unsaid(phrase) => {
                let range = output.find(&phrase.words, &phrase.literal)?;
                let quoted = crate::text::shown(&output.text[range.clone()]);
                sure(range, format!("says {quoted}, which the soul says to avoid"))
            }
            Condition::Without(form) => {
                let (range, feature) = form.found_in(output)?;
                sure(range, format!("has {feature}, which the soul forbids"))
            }
            Condition::MostWords(most) => {
                let count = output.words.len();
                let first = output.words.get(*most)?;
                sure(first.range.clone(), format!("has {count} words, more than {most}"))
            }
            Condition::MostSentences(most) => {
                let count = output.sentences.len();
                let first = output.sentences.get(*most)?;
                sure(first.range.clone(), format!("has {count} sentences, more than {most}"))
            }
            Condition::MostSentenceWords(most) => {
                let long = output.sentences.iter().find(|sentence| sentence.words > *most)?;
                let why = format!("has a sentence of {} words, more than {most}", long.words);
                sure(long.range.clone(), why)
            }
            Condition::Never(act) => act.done_in(output),
            Condition::Always(act) => act.left_out_in(output),
        }
    }
}

/// The numbers of a text, without what stands around them.
pub(super) fn amounts(text: &str) -> impl Iterator<Item = f64> {
    let pieces = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')'));
    pieces.filter_map(|piece| {
        let number = piece.trim_matches(|c: char| !c.is_ascii_digit()).replace(',', "");
        number.parse::<f64>().ok().filter(|value| value.is_finite())
    })
}
