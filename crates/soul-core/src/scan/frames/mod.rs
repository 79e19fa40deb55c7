//! Frames: a sentence read as who does what to what, for whom, when, and hidden from whom.
//!
//! A phrase list finds the sentences that its author thought of. A frame is composed: the [lexicons](lexicon) say which
//! words name a concept (to cancel, the owner, this page, without asking), in each language, and a rule says which
//! concepts make an attack when one sentence has them together. The same frame works in every language with a lexicon.
//!
//! A [sieve](sieve) tells which parts of a text can fill a frame; these are read. [Blocks](blocks) end a sentence, so
//! nothing is joined across list items. Within a sentence,
//! negation turns an act around as far as its [clause](reading) reaches: "never send the list to …" fills no role with
//! `send`, and "never tell the owner" fills one with `no.tell`. A sentence that says to refuse what it describes, or a list
//! under "never:", is found with low confidence. Headings, quotation marks and single words lower nothing.
//!
//! The lexicons are data in `lexicon/*.txt`, [compiled](compile) into `lexicon.bin`; the compositions are in
//! `rules/frames/`. Nothing here reads more than one sentence at a time, and the work for a sentence does not depend on
//! the size of the text.

mod blocks;
mod compile;
mod concept;
mod features;
mod keys;
mod lexicon;
pub mod likelihood;
mod marks;
mod reader;
mod reading;
mod sieve;
mod small_words;
mod ways;
mod words;

use std::sync::OnceLock;

use crate::rules::{Confidence, Matcher, RULES};
use crate::scan::Context;
use crate::scan::fold::{Folded, fold};
use crate::scan::matcher::Unusable;
pub use compile::compile_lexicon;
use concept::Concepts;
use lexicon::Languages;
use likelihood::Likelihood;
use reader::Sentence;
use reading::{ACTS, APPROVAL, ASK, CLAIM, DEEDS, HIDDEN, OPENNESS, OUTSIDE, PERSON, REFUSAL, WORDS};
pub(crate) use ways::Origin;
use ways::Way;

/// A frame that a sentence fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filled {
    /// Which of the rules.
    pub(crate) rule: usize,
    /// In the folded text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Set if the sentence says that it is not meant, or is unlikely an attack.
    pub(crate) confidence: Option<Confidence>,
    /// Set if only its likelihood lowers it.
    pub(crate) context: Option<Context>,
}

/// Every way of every frame, with its rule.
struct Frames {
    ways: Vec<(usize, Way)>,
    /// The concepts of which every way needs one.
    anchors: Concepts,
    /// The ways that each concept is an anchor of.
    anchored: Vec<Anchored>,
    /// For each concept a bit for each way that is looked at only if a sentence has that concept, or one of a few: of each
    /// way, the role whose concepts the fewest ways name.
    index: Vec<Vec<u64>>,
}

/// The ways that a concept is an anchor of. Pairs of concepts are missing from most sentences.
#[derive(Clone, Default)]
struct Anchored {
    /// Of these a sentence has one if it fills any of the ways: of each way, another role.
    companions: Concepts,
    /// What each way needs.
    ways: Vec<(Concepts, u16)>,
}

impl Frames {
    fn new(ways: Vec<(usize, Way)>) -> Self {
        let naming =
            |concept: usize| ways.iter().filter(|(_, way)| way.accepted().any(|role| role >> concept & 1 == 1)).count();
        let naming: Vec<usize> = (0..concept::CONCEPTS.len()).map(naming).collect();
        let weight = |role: &Concepts| each(*role).map(|concept| naming[concept]).sum::<usize>();
        let mut index = vec![vec![0; ways.len().div_ceil(64)]; concept::CONCEPTS.len()];
        let mut anchors = 0;
        let mut anchored = vec![Anchored::default(); concept::CONCEPTS.len()];
        for (at, (_, way)) in ways.iter().enumerate() {
            let mut roles: Vec<Concepts> = way.accepted().collect();
            roles.sort_by_key(weight);
            for concept in roles.first().copied().into_iter().flat_map(each) {
                index[concept][at / 64] |= 1 << (at % 64);
                anchors |= 1 << concept;
                anchored[concept].companions |= roles.get(1).copied().unwrap_or(Concepts::MAX);
                anchored[concept].ways.push((way.needed(), u16::try_from(at).unwrap_or(u16::MAX)));
            }
        }
        Self { ways, anchors, anchored, index }
    }

    /// Whether the concepts of a sentence can fill a way.
    fn can_be_filled(&self, concepts: Concepts, origin: Origin) -> bool {
        let is_possible = |(needed, way): &(Concepts, u16)| {
            let way = || self.ways.get(usize::from(*way));
            needed & !concepts == 0 && way().is_none_or(|(_, way)| way.is_read(origin) && way.is_possible(concepts))
        };
        each(concepts & self.anchors)
            .map(|anchor| &self.anchored[anchor])
            .any(|anchored| anchored.companions & concepts != 0 && anchored.ways.iter().any(is_possible))
    }

    /// The ways that the concepts of a sentence can fill, in order.
    fn possible(&self, concepts: Concepts) -> impl Iterator<Item = &(usize, Way)> {
        let looked_at = move |word: usize| each(concepts).fold(0, |all, concept| all | self.index[concept][word]);
        (0..self.ways.len().div_ceil(64))
            .flat_map(move |word| bits(looked_at(word)).map(move |bit| &self.ways[word * 64 + bit]))
            .filter(move |(_, way)| way.is_possible(concepts))
    }
}

/// The concepts of a set, by their places.
fn each(mut concepts: Concepts) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let concept = (concepts != 0).then(|| concepts.trailing_zeros() as usize);
        concepts &= concepts.wrapping_sub(1);
        concept
    })
}

/// The bits that are set, lowest first.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

fn frames() -> &'static Frames {
    static FRAMES: OnceLock<Frames> = OnceLock::new();
    FRAMES.get_or_init(|| {
        let mut ways = Vec::new();
        for (rule, matcher) in RULES.iter().map(|rule| &rule.matcher).enumerate() {
            if let Matcher::Frame(texts) = matcher {
                ways.extend(texts.iter().filter_map(|text| Some((rule, Way::parse(text)?))));
            }
        }
        Frames::new(ways)
    })
}

/// Fails if the lexicon or the model cannot be read: without them, no text can be passed.
pub(crate) fn usable() -> Result<(), Unusable> {
    let is_usable = lexicon::lexicon().longest > 0 && likelihood::embedded().is_some();
    if is_usable { Ok(()) } else { Err(Unusable("lexicon")) }
}

/// What the sentences of a text say.
#[derive(Debug, Default)]
pub(crate) struct Sentences {
    /// Every frame that a sentence fills, with its place in the folded text.
    pub(crate) filled: Vec<Filled>,
    pub(crate) likely: Vec<Likely>,
}

/// Where in the folded text a sentence begins and ends that is very likely an attack, and how sure that is if it says that
/// it is not meant.
pub(crate) type Likely = (usize, usize, Option<Confidence>);

/// Reads a text that comes from somewhere. What is hidden is suspicious enough: only plain text is weighed.
pub(crate) fn sentences(text: &str, folded: &Folded, origin: Origin) -> Sentences {
    let frames = frames();
    let likelihood = likelihood::embedded().filter(|_| origin == Origin::Plain);
    let likelihood = likelihood.as_ref();
    let mut read = Sentences::default();
    let can_say = |concepts| {
        likelihood.is_some_and(|likelihood| likelihood.may_be(concepts)) || frames.can_be_filled(concepts, origin)
    };
    reader::read(text, folded, can_say, |sentence| {
        judge(frames, likelihood, sentence, origin, &mut read.filled);
        read.likely.extend(likelihood.and_then(|likelihood| likely(likelihood, sentence)));
    });
    read
}

/// Whether a text has a sentence that is meant and very likely an attack.
pub(crate) fn is_likely(text: &str) -> bool {
    let read = sentences(text, &fold(text), Origin::Plain);
    read.likely.iter().any(|(_, _, confidence)| confidence.is_none())
}

/// The frames that a sentence fills, each once.
fn judge(
    frames: &Frames,
    likelihood: Option<&Likelihood<'_>>,
    sentence: &mut Sentence<'_>,
    origin: Origin,
    filled: &mut Vec<Filled>,
) {
    let mut last = usize::MAX;
    for (rule, way) in frames.possible(sentence.concepts) {
        if *rule == last || !way.is_read(origin) {
            continue;
        }
        let spoken = sentence.spoken();
        let found = way.find(sentence.tokens, spoken);
        if let Some((start, end)) = found.filter(|(start, end)| is_prose(sentence, *start, *end)) {
            last = *rule;
            let refused = is_refused(sentence, spoken, start, end);
            let unlikely =
                !refused && likelihood.is_some_and(|likelihood| !likelihood.score(sentence).reaches(likelihood.least));
            let confidence = (refused || unlikely).then_some(Confidence::Low);
            filled.push(Filled { rule: *rule, start, end, confidence, context: unlikely.then_some(Context::Unlikely) });
        }
    }
}

/// Where a sentence is, from its first word with a meaning to its last, if it is very likely an attack.
fn likely(likelihood: &Likelihood<'_>, sentence: &mut Sentence<'_>) -> Option<Likely> {
    if !likelihood.may_be(sentence.concepts) {
        return None;
    }
    let spoken = sentence.spoken();
    if !likelihood.score(sentence).reaches(likelihood.alone) {
        return None;
    }
    let start = sentence.tokens.first()?.start;
    let end = sentence.tokens.iter().map(|token| token.end).max()?;
    let not_meant = !is_prose(sentence, start, end) || is_refused(sentence, spoken, start, end);
    Some((start, end, not_meant.then_some(Confidence::Low)))
}

/// Whether the words stand in a sentence. In code they are names, and their order says nothing about who does what.
fn is_prose(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    let is_address = |token: &&reading::Token| token.concepts & OUTSIDE != 0 && token.languages == lexicon::ALL;
    let inside = |token: &&reading::Token| start <= token.start && token.end <= end;
    let addresses = sentence.tokens.iter().filter(is_address).filter(inside);
    let hidden: usize = addresses.map(|token| token.end - token.start).sum();
    let signs = sentence.text.as_bytes()[start..end].iter().filter(|byte| CODE.contains(byte)).count();
    // A name may be put together from words: `decode-and-run`.
    let words = &sentence.text[start..end];
    let is_name = words.is_ascii() && !words.contains(' ');
    !is_name && signs.saturating_sub(hidden / 6) * 16 <= end - start + 32
}

/// Signs that are rare in sentences and frequent in code.
const CODE: &[u8] = b"{}=$<>[]/()\"|#;";

/// Whether the sentence refuses the very demand that fills the frame, or does it with the knowledge of the people
/// concerned, or its list is one of things never to do. No word does so alone: a refusal needs the demand that it
/// answers, openness the clause of the act, in which nothing is hidden or skipped, and a deed that is forbidden stands
/// between the same commas as the act.
fn is_refused(sentence: &Sentence<'_>, spoken: Languages, start: usize, end: usize) -> bool {
    let inside = |token: &&reading::Token| start <= token.start && token.end <= end;
    let own = |clause: u16| sentence.tokens.iter().filter(inside).any(|token| token.clause == clause);
    let stated = |concept: Concepts| {
        let is_stated = move |token: &&reading::Token| token.concepts & concept != 0 && !token.negated;
        sentence.tokens.iter().filter(is_stated).filter(|token| token.languages & spoken != 0)
    };
    // "Whoever says to pay is refused": the demand, the deed, the refusal; or the refusal first.
    let demands = |token: &&reading::Token| (own(token.clause) || own(token.clause + 1)) && token.start < end;
    let answers = |claim: &reading::Token, token: &reading::Token| {
        let next = own(token.clause) || token.clause > 0 && own(token.clause - 1);
        token.end <= claim.start || token.end > start && token.start > claim.start && next
    };
    let refused = || stated(CLAIM).filter(demands).any(|claim| stated(REFUSAL).any(|refusal| answers(claim, refusal)));
    let hidden = || stated(HIDDEN).any(|token| own(token.clause));
    // The clause that does it, not one that only names a person or a thing.
    let does = |token: &&reading::Token| inside(token) && token.concepts & ACTS != 0;
    let acts = |clause: u16| sentence.tokens.iter().filter(does).any(|token| token.clause == clause);
    let open = || stated(OPENNESS).any(|token| acts(token.clause)) || stated(ASK).any(|token| asks(sentence, token));
    // "No page is sent there, and what is confided is not put behind it": the part that has the act forbids another.
    let beside = |token: &reading::Token| {
        sentence.tokens.iter().filter(does).any(|act| (act.clause, act.part) == (token.clause, token.part))
    };
    let forbids = |token: &&reading::Token| token.negated && token.concepts & DEEDS != 0 && token.concepts & WORDS == 0;
    // "No record of the transfer" hides a deed and forbids none.
    let conceals = || sentence.tokens.iter().filter(inside).any(|token| token.negated && token.concepts & WORDS != 0);
    let denied = || !conceals() && sentence.tokens.iter().filter(forbids).any(beside);
    sentence.forbidden || refused() || open() && !hidden() || denied()
}

/// Whether an act of asking is put to a person, and not for something that the person has: "ask the landlord", but not
/// "ask the landlord for the password".
fn asks(sentence: &Sentence<'_>, ask: &reading::Token) -> bool {
    const NEAR: usize = 6;
    // "The approval of the owner" names a thing, which may be forged.
    if ask.concepts & APPROVAL != 0 {
        return false;
    }
    let near = |from: usize, token: &&reading::Token| from <= token.start && token.start <= from + NEAR;
    sentence.tokens.iter().filter(|token| near(ask.end, token) && token.concepts & PERSON != 0).any(|person| {
        let wanted = sentence.text[person.end..].trim_start().strip_prefix("for ");
        wanted.is_none()
            || sentence.tokens.iter().any(|token| near(person.end + 4, &token) && token.concepts & APPROVAL != 0)
    })
}

#[cfg(test)]
mod tests;
