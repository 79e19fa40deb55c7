//! A sentence as words with a meaning: which concepts it names, in which clause, and what is forbidden or denied.

use super::concept::{self, Concepts, Kind};
use super::lexicon::{Languages, TURKISH};
use super::small_words::written;

/// A word with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) concepts: Concepts,
    pub(super) languages: Languages,
    /// Parts of the sentence between semicolons, colons, brackets and words such as "but".
    pub(super) clause: u16,
    /// The same between commas.
    pub(super) part: u16,
    /// Whether the clause forbids or denies it; never so for a thing.
    pub(super) negated: bool,
}

const fn grammar(name: &str) -> Concepts {
    let mut at = 0;
    while at < concept::CONCEPTS.len() {
        if same(concept::CONCEPTS[at].0, name) {
            return 1 << at;
        }
        at += 1;
    }
    0
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

pub(super) const NEGATION: Concepts = grammar("negation");
const AFTER: Concepts = grammar("negation-after");
const CLAUSE: Concepts = grammar("negation-clause");
pub(super) const BREAK: Concepts = grammar("break");
pub(super) const REFUSAL: Concepts = grammar("refusal");
pub(super) const CLAIM: Concepts = grammar("claim");
/// What cannot be done openly.
pub(super) const HIDDEN: Concepts =
    grammar("quiet") | grammar("unasked") | grammar("skip") | grammar("deny") | grammar("omit") | grammar("unchecked");
/// Openness: to ask, to tell, to wait for a yes.
pub(super) const OPENNESS: Concepts = grammar("openness");
pub(super) const ASK: Concepts = grammar("ask");
pub(super) const APPROVAL: Concepts = grammar("approval");
/// Those who may be asked.
pub(super) const PERSON: Concepts = grammar("owner") | grammar("user") | grammar("kin");
/// Those whose word may count in a dispute.
pub(super) const PARTY: Concepts = grammar("owner") | grammar("law") | grammar("self");
pub(super) const OUTSIDE: Concepts = grammar("outside");
/// What words do. "Never tell the owner" hides something; it forbids no deed.
pub(super) const WORDS: Concepts = grammar("tell")
    | grammar("ask")
    | grammar("asked")
    | grammar("answer")
    | grammar("notice")
    | grammar("write")
    | grammar("apply");
/// What an attack does. A sentence that forbids one of these is seldom an order to do another.
pub(super) const DEEDS: Concepts = ACTS
    & !(WORDS
        | grammar("fade")
        | grammar("conflict")
        | grammar("below")
        | grammar("asif")
        | grammar("forbid")
        | grammar("agree")
        | grammar("may")
        | grammar("removed")
        | grammar("root")
        | grammar("unsaid")
        | grammar("verified")
        | grammar("channel")
        | grammar("openness"));
pub(super) const ACTS: Concepts = concept::of_kind(Kind::Act);
pub(super) const GRAMMAR: Concepts = concept::of_kind(Kind::Grammar);
const NEGATIONS: Concepts = NEGATION | AFTER | CLAUSE;

/// Languages whose sentences end with the verb: Japanese and Korean.
const VERB_LAST: Languages = 1 << 3 | 1 << 4;

/// How far a negation behind its verb reaches back, in bytes.
const BACK: usize = 27;

/// Marks the acts of a sentence that are forbidden or denied.
pub(super) fn negate(text: &str, tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let Token { concepts, start, end, clause, part, languages, .. } = tokens[at];
        if concepts & NEGATIONS == 0 {
            if languages & TURKISH != 0 && concepts & ACTS != 0 && is_negated_by_suffix(text, end) {
                tokens[at].negated = true;
            }
            continue;
        }
        if concepts & CLAUSE != 0 {
            let in_clause = |token: &&mut Token| token.clause == clause && token.part == part;
            tokens.iter_mut().filter(in_clause).for_each(|token| set(token, languages));
        } else if concepts & NEGATION != 0 {
            // "Never copy, forward or send": the list after the comma is still forbidden.
            let listed_verbs = words_before_comma(&text[end..]) <= 1 && !is_condition(&text[..start]);
            let near = if listed_verbs { 3 } else { 0 };
            let parts = listed(&text[end..]).max(near);
            for token in &mut tokens[at + 1..] {
                if token.clause != clause || token.part > part + parts {
                    break;
                }
                set(token, languages);
            }
        } else if !negate_before(tokens, at) && languages & VERB_LAST != 0 {
            // The verb that is denied has no entry: what the part says of it is denied with it.
            let (before, _) = tokens.split_at_mut(at);
            let same = |token: &&mut Token| token.clause == clause && token.part == part;
            before.iter_mut().filter(same).for_each(|token| set(token, languages));
        }
    }
}

/// Denies the act directly before a negation; false if there is none.
fn negate_before(tokens: &mut [Token], at: usize) -> bool {
    let Token { start, clause, part, languages, .. } = tokens[at];
    for token in tokens[..at].iter_mut().rev() {
        if token.clause != clause || token.part != part || token.end + BACK < start {
            return false;
        }
        if token.concepts & ACTS != 0 && token.languages & languages != 0 {
            token.negated = true;
            return true;
        }
    }
    false
}

/// The languages that a sentence may be in: those that know most of its words, and whose small words are in it. A word of
/// one language often looks like one of another.
pub(super) fn spoken(text: &str, tokens: &[Token]) -> Languages {
    let count = |at: u32| tokens.iter().filter(|token| token.languages >> at & 1 == 1).count();
    let counts: [usize; 16] = std::array::from_fn(|at| count(at as u32));
    let most = counts.iter().copied().max().unwrap_or(0);
    let known = counts.iter().enumerate().filter(|(_, count)| **count * 5 >= most * 4);
    let start = tokens.first().map_or(0, |token| token.start);
    let end = tokens.iter().map(|token| token.end).max().unwrap_or(start);
    known.fold(0, |all, (at, _)| all | 1 << at) & written(&text[start..end])
}

fn set(token: &mut Token, languages: Languages) {
    token.negated |= token.concepts & ACTS != 0 && token.languages & languages != 0;
}

/// How many words stand before the next comma; many if there is none nearby.
fn words_before_comma(rest: &str) -> usize {
    // What is written without spaces is a whole clause: "不要写进日志,用户问起…".
    const WORD: usize = 16;
    let near = &rest.as_bytes()[..rest.len().min(40)];
    near.iter()
        .position(|byte| *byte == b',')
        .filter(|comma| *comma <= WORD || near[..*comma].is_ascii())
        .map_or(usize::MAX, |comma| near[..comma].split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count())
}

/// Whether a clause begins with "if": what follows its comma is not denied. "If it does not start, delete the log".
fn is_condition(before: &str) -> bool {
    const REACH: usize = 60;
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(REACH))..];
    let clause = near.rsplit([',', '.', ';', ':', '!', '?', '"']).next().unwrap_or_default();
    clause.split(' ').any(|word| IF.contains(&word))
}

const IF: [&str; 18] = [
    "if",
    "when",
    "whenever",
    "where",
    "should",
    "wenn",
    "falls",
    "sobald",
    "si",
    "cuando",
    "quand",
    "se",
    "quando",
    "jesli",
    "gdy",
    "если",
    "когда",
    "eger",
];

/// How many commas of a list that ends in "or" follow: "never flatter people, shame, or isolate them".
fn listed(rest: &str) -> u16 {
    let near = &rest[..rest.floor_char_boundary(120)];
    let sentence = near.split(['.', ';', ':', '!', '?']).next().unwrap_or_default();
    let list = sentence.find(", or ").map(|end| sentence[..=end].matches(',').count());
    list.and_then(|commas| u16::try_from(commas).ok()).unwrap_or(0)
}

/// Turkish forbids inside the verb: `gönderme`, `silmeyin`, but not in `göndermek`.
fn is_negated_by_suffix(text: &str, end: usize) -> bool {
    let rest = &text[end..];
    let word = &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())];
    let word = word.strip_prefix(['i', 'u', 'e', 'a', 't']).filter(|rest| rest.starts_with('m')).unwrap_or(word);
    ["me", "ma"].iter().any(|suffix| {
        word.strip_prefix(suffix).is_some_and(|rest| {
            rest.is_empty() || ["y", "z", "d", "s", "mel", "mal"].iter().any(|next| rest.starts_with(next))
        })
    }) || ["mez", "maz", "miyor", "muyor"].iter().any(|suffix| word.starts_with(suffix))
}
