//! What a soul asks of every output, in a form that can be checked, and whether an output keeps it.

use std::ops::Range;

use super::measures::{is_emoji, shouted};
use super::prose::{Prose, Word, unmarked, words};
use crate::diagnostics::Code;
use crate::text::Span;

/// One thing that is asked, and where.
#[derive(Debug, Clone)]
pub(super) struct Requirement {
    pub(super) what: What,
    /// The author's own words.
    pub(super) text: String,
    pub(super) file: String,
    pub(super) span: Span,
}

/// What can be asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
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

impl What {
    /// What two that ask the same have in common: a word may be on two lists.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Banned(phrase) | Self::Unsaid(phrase) => phrase.literal.to_lowercase(),
            other => format!("{other:?}"),
        }
    }
}

/// A form of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Emoji,
    Exclamation,
    Lists,
    Tables,
    Headings,
    Capitals,
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

/// Something that is done, to what, and when.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Act {
    /// The verb, and others that mean the same; as stems.
    pub(super) verbs: Vec<String>,
    /// What it is done to, or for an `always` the rest of what is done; as stems.
    pub(super) objects: Vec<String>,
    /// When it applies, or what excuses it; as stems.
    pub(super) when: Vec<String>,
    /// The amount above which it applies.
    pub(super) above: Option<f64>,
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
        match self.what {
            What::Banned(_) => Code::BannedWord,
            _ => Code::LimitContradicted,
        }
    }

    /// How an output breaks it, if it does.
    pub(super) fn broken_by(&self, output: &Prose<'_>) -> Option<Breach> {
        let sure = |range, why: String| Some(Breach { range, sure: true, why });
        match &self.what {
            What::Banned(phrase) | What::Unsaid(phrase) => {
                let range = output.find(&phrase.words, &phrase.literal)?;
                let said = crate::text::shown(&output.text[range.clone()]);
                sure(range, format!("says {said}, which is to be avoided"))
            }
            What::Without(form) => {
                let (range, what) = form.found_in(output)?;
                sure(range, format!("has {what}, which the soul forbids"))
            }
            What::MostWords(most) => {
                let count = output.words.len();
                let first = output.words.get(*most)?;
                sure(first.range.clone(), format!("has {count} words, more than {most}"))
            }
            What::MostSentences(most) => {
                let count = output.sentences.len();
                let first = output.sentences.get(*most)?;
                sure(first.range.clone(), format!("has {count} sentences, more than {most}"))
            }
            What::MostSentenceWords(most) => {
                let long = output.sentences.iter().find(|sentence| sentence.words > *most)?;
                let why = format!("has a sentence of {} words, more than {most}", long.words);
                sure(long.range.clone(), why)
            }
            What::Never(act) => act.done_in(output),
            What::Always(act) => act.left_out_in(output),
        }
    }
}

impl Act {
    /// The sentence that does it: with the verb it is plain, with all of its objects alone it is likely.
    fn done_in(&self, output: &Prose<'_>) -> Option<Breach> {
        let excused = || self.when.iter().any(|term| output.terms.contains(term));
        let about = |sentence: &&super::prose::Sentence| {
            let objects = self.objects.iter().all(|term| sentence.terms.contains(term));
            let verb = self.verbs.iter().any(|term| sentence.terms.contains(term));
            let amount =
                self.above.is_none_or(|least| amounts(&output.text[sentence.range.clone()]).any(|one| one > least));
            objects && amount && !sentence.denies && (verb || self.objects.len() > 1)
        };
        let sentence = output.sentences.iter().find(about).filter(|_| !self.objects.is_empty() && !excused())?;
        let sure = self.verbs.iter().any(|term| sentence.terms.contains(term));
        let why = if sure { "does what the soul forbids" } else { "speaks of what the soul keeps back" };
        Some(Breach { range: sentence.range.clone(), sure, why: why.to_owned() })
    }

    /// The sentence that is about the case, in an output that does nothing of what is asked then.
    fn left_out_in(&self, output: &Prose<'_>) -> Option<Breach> {
        let first = self.when.first()?;
        let applies = self.when.iter().all(|term| output.terms.contains(term))
            && self.above.is_none_or(|least| amounts(output.text).any(|one| one > least));
        let done = self.verbs.iter().chain(&self.objects).any(|term| output.terms.contains(term));
        let sentence = output.sentences.iter().find(|sentence| sentence.terms.contains(first));
        let sentence = sentence.filter(|_| applies && !done)?;
        let why = "leaves out what the soul always asks for in this case".to_owned();
        Some(Breach { range: sentence.range.clone(), sure: false, why })
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

impl Form {
    /// Where an output has it, and what it is called.
    fn found_in(self, output: &Prose<'_>) -> Option<(Range<usize>, &'static str)> {
        let character = |is: &dyn Fn(char) -> bool| {
            let (at, c) = output.text.char_indices().find(|(_, c)| is(*c))?;
            Some(at..at + c.len_utf8())
        };
        let line = |is: &dyn Fn(&str) -> bool| {
            let mut at = 0;
            output.text.split_inclusive('\n').find_map(|line| {
                let start = at;
                at += line.len();
                is(line).then(|| start..start + line.trim_end().len())
            })
        };
        match self {
            Self::Emoji => character(&is_emoji).map(|range| (range, "an emoji")),
            Self::Exclamation => character(&|c| c == '!' || c == '！').map(|range| (range, "an exclamation mark")),
            Self::Lists => line(&|line| unmarked(line).1).map(|range| (range, "a list")),
            Self::Tables => {
                line(&|line| line.trim().starts_with('|') && line.contains("---")).map(|range| (range, "a table"))
            }
            Self::Headings => {
                let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
                line(&is_heading).map(|range| (range, "a heading"))
            }
            Self::Capitals => line(&|line| shouted(line) > 0).map(|range| (range, "words in capitals")),
        }
    }
}
