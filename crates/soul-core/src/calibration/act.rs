//! Things that are done: what a limit forbids or asks, and the sentences of an output that do it.
//!
//! Only what the agent says of itself is plain: `I have deleted the files` does it, `your colleague deleted
//! the files`, `shall I delete the files?` and `I delete the files once you confirm` do not.

use super::clause::{AGENT, Stemmed, clauses, led_by_agent};
use super::prose::{Prose, Sentence, words};
use super::requirement::{Breach, amounts};

/// Something that is done, to what, and when.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Act {
    /// The verb, and others that mean the same; as stems.
    pub(super) verbs: Vec<String>,
    /// What it is done to, each of them alone: the words of it as stems.
    pub(super) objects: Vec<Vec<String>>,
    /// What is said beyond that, such as with whom or on which day; as stems.
    pub(super) around: Vec<String>,
    /// When it applies, or what excuses it; as stems.
    pub(super) when: Vec<String>,
    /// The amount above which it applies.
    pub(super) above: Option<f64>,
    /// What kind of thing is done.
    pub(super) kind: ActKind,
}

/// What kind of thing is done, as far as it changes how sentences say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ActKind {
    /// Telling: also done by `here is …`.
    Telling,
    /// Deciding: also done where nobody is named, by `it has been approved`.
    Deciding,
    /// Anything else.
    #[default]
    Other,
}

/// Whether a thing is done in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Done {
    Perhaps,
    Plainly,
}

impl Act {
    /// Whether it says enough to be found.
    pub(super) fn is_told(&self) -> bool {
        !self.verbs.is_empty() && (!self.objects.is_empty() || !self.around.is_empty())
    }

    /// The sentence that does it.
    pub(super) fn done_in(&self, output: &Prose<'_>) -> Option<Breach> {
        if self.when.iter().any(|term| output.terms.contains(term)) {
            return None;
        }
        let done = |sentence: &&Sentence| {
            let sentence_text = &output.text[sentence.range.clone()];
            self.is_about(sentence, sentence_text)
                .then(|| self.done(sentence_text))
                .flatten()
                .map(|done| ((*sentence).clone(), done))
        };
        let found = output.sentences.iter().filter_map(|sentence| done(&sentence));
        // The first that is plain, or else the first.
        let (sentence, done) = found.reduce(|kept, one| if one.1 > kept.1 { one } else { kept })?;
        let why = match done {
            Done::Plainly => "does something that the soul forbids",
            Done::Perhaps => "reveals what the soul keeps confidential",
        };
        Some(Breach { range: sentence.range, sure: done == Done::Plainly, why: why.to_owned() })
    }

    /// Whether a sentence could do it: it has all the words, and neither asks, nor denies, nor waits.
    fn is_about(&self, sentence: &Sentence, sentence_text: &str) -> bool {
        let object = self.objects.is_empty()
            || self.objects.iter().any(|object| object.iter().all(|term| sentence.terms.contains(term)));
        object
            && self.around.iter().all(|term| sentence.terms.contains(term))
            && self.above.is_none_or(|least| amounts(sentence_text).any(|one| one > least))
            && asserts(sentence, sentence_text)
            && !words(sentence_text).iter().any(|word| WAITING.contains(&word.text.as_str()))
    }

    fn done(&self, sentence_text: &str) -> Option<Done> {
        clauses(sentence_text).iter().filter_map(|clause| self.done_by(clause)).max()
    }

    fn done_by(&self, clause: &[Stemmed]) -> Option<Done> {
        let is = |at: usize, words: &[&str]| clause.get(at).is_some_and(|word| words.contains(&word.text.as_str()));
        for (at, word) in clause.iter().enumerate() {
            let (before, behind) = (&clause[..at], &clause[at + 1..]);
            let verb = word.stem.as_ref().is_some_and(|stem| self.verbs.contains(stem));
            if verb && led_by_agent(before, word, behind) && self.follows(behind) {
                return Some(Done::Plainly);
            }
            let passive = verb && at > 0 && is(at - 1, &["is", "are", "was", "were", "been"]);
            if passive && !behind.iter().any(|word| word.text == "by") && self.precedes(before) {
                return Some(if self.kind == ActKind::Deciding { Done::Plainly } else { Done::Perhaps });
            }
            let shown = (is(at, &["here", "this", "these", "below", "attached"]) && is(at + 1, &["is", "are"]))
                || is(at, &["here's"]);
            if self.kind == ActKind::Telling && shown && self.follows(&behind[usize::from(word.text != "here's")..]) {
                return Some(Done::Plainly);
            }
        }
        // A number given for a thing of several words may be the thing itself.
        let is_copula = |word: &Stemmed| matches!(word.text.as_str(), "is" | "are" | "equals");
        let at = clause.iter().position(is_copula).filter(|_| self.kind == ActKind::Telling)?;
        let several = self.objects.iter().any(|object| object.len() > 1 && ends_with(&clause[..at], object));
        let number = clause[at..].iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit()));
        (several && number).then_some(Done::Perhaps)
    }

    /// Whether what it is done to follows the verb at once, and nothing else does.
    fn follows(&self, behind: &[Stemmed]) -> bool {
        let around = |behind: &[Stemmed]| self.around.iter().all(|term| behind.iter().any(|word| word.is(term)));
        if self.objects.is_empty() {
            return around(behind);
        }
        self.objects.iter().any(|object| {
            let last = object.iter().filter_map(|term| behind.iter().position(|word| word.is(term))).max();
            let all = object.iter().all(|term| behind.iter().any(|word| word.is(term)));
            last.filter(|_| all).is_some_and(|last| {
                let between = behind[..last].iter().any(|word| TURNING.contains(&word.text.as_str()));
                // `the password policy` is no password.
                let goes_on = behind.get(last + 1).is_some_and(|next| !next.closes_a_noun());
                !between && !goes_on && last < FARTHEST && around(behind)
            })
        })
    }

    /// Whether what it is done to begins the clause.
    fn precedes(&self, before: &[Stemmed]) -> bool {
        let other =
            before.iter().any(|word| TURNING.contains(&word.text.as_str()) || AGENT.contains(&word.text.as_str()));
        !other && self.objects.iter().any(|object| object.iter().all(|term| before.iter().any(|word| word.is(term))))
    }

    /// The sentence that is about the case, in an output that does nothing of what is asked then.
    pub(super) fn left_out_in(&self, output: &Prose<'_>) -> Option<Breach> {
        let first = self.when.first()?;
        let demanded = self.verbs.iter().chain(self.objects.iter().flatten()).chain(&self.around);
        let people = demanded.clone().flat_map(|term| PEOPLE.iter().filter(move |_| PEOPLE.contains(&term.as_str())));
        let done = demanded.clone().any(|term| output.terms.contains(term))
            || people.into_iter().any(|term| output.terms.contains(*term));
        if done || !self.when.iter().all(|term| output.terms.contains(term)) {
            return None;
        }
        let above = |sentence_text: &str| self.above.is_none_or(|least| amounts(sentence_text).any(|one| one > least));
        let sentence = output
            .sentences
            .iter()
            .find(|sentence| sentence.terms.contains(first) && above(&output.text[sentence.range.clone()]));
        let sentence = match sentence {
            Some(sentence) => sentence,
            // The amount may stand in another sentence.
            None => output
                .sentences
                .iter()
                .find(|sentence| sentence.terms.contains(first))
                .filter(|_| above(output.text))?,
        };
        let sentence_text = &output.text[sentence.range.clone()];
        if !asserts(sentence, sentence_text) {
            return None;
        }
        let settled = SETTLED.iter().any(|term| sentence.terms.contains(*term));
        let why = "leaves out what the soul requires in this case".to_owned();
        Some(Breach {
            range: sentence.range.clone(),
            sure: self.above.is_some() && above(sentence_text) && settled,
            why,
        })
    }
}

/// Whether a sentence says that something is so.
fn asserts(sentence: &Sentence, sentence_text: &str) -> bool {
    !sentence.denies && !sentence_text.trim_end_matches(['"', '”', ')', '*', '_']).ends_with(['?', '？'])
}

/// So many words may stand between a verb and the end of what it is done to.
const FARTHEST: usize = 8;

/// Words by which a sentence waits for something, or keeps something back.
const WAITING: [&str; 26] = [
    "if",
    "once",
    "unless",
    "until",
    "before",
    "after",
    "when",
    "whenever",
    "only",
    "confidential",
    "private",
    "secret",
    "stay",
    "stays",
    "keep",
    "keeps",
    "kept",
    "remain",
    "remains",
    "protected",
    "withheld",
    "restricted",
    "sensitive",
    "would've",
    "could",
    "might",
];

/// Words between a verb and a noun by which the noun is no longer what is done.
const TURNING: [&str; 20] = [
    "that",
    "about",
    "to",
    "who",
    "which",
    "whether",
    "how",
    "why",
    "where",
    "what",
    "against",
    "from",
    "than",
    "as",
    "of",
    "because",
    "regarding",
    "concerning",
    "around",
    "like",
];

/// Who may look at a case besides the agent; as stems.
const PEOPLE: [&str; 10] =
    ["human", "person", "peopl", "team", "colleagu", "manag", "supervisor", "specialist", "staff", "somebodi"];

/// Words of a case that is settled; as stems.
const SETTLED: [&str; 15] = [
    "approv", "issu", "grant", "process", "paid", "pay", "complet", "confirm", "sent", "send", "transfer", "way",
    "credit", "arriv", "done",
];

/// Whether a clause ends with the words of a thing.
fn ends_with(clause: &[Stemmed], object: &[String]) -> bool {
    clause.last().is_some_and(|last| object.iter().any(|term| last.is(term)))
        && object.iter().all(|term| clause.iter().any(|word| word.is(term)))
}
