//! The composition: which concepts together make a frame.
//!
//! A way is a list of roles that one sentence must fill with different words, such as `self < owner|law win`. A role is
//! one concept or several (`|`). `no.tell` is an act that the clause forbids or denies; `not.ask` excludes sentences that
//! state it; `<` between two roles asks for that order, and `<<` for the order with no other party between them: in "if
//! this file and the operator differ, the operator wins" it is not the file that wins. `@80` at the end asks for words
//! within 80 bytes, `clause` for words of one clause. `joined` ways are read only in a sentence that several files make
//! up, `hidden` ones only in a sentence that had to be decoded.

use super::concept::{self, Concepts};
use super::lexicon::Languages;
use super::reading::{ACTS, PARTY, PERSON, Token};
use crate::scan::steps;

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It stands in a file.
    Plain,
    /// It was put together from several files.
    Joined,
    /// It was decoded: letters turned round, base64, what cannot be seen.
    Hidden,
}

/// What a role accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Role {
    stated: Concepts,
    negated: Concepts,
    /// Whether its word stands after that of the role before.
    follows: bool,
    /// Whether nobody else is named between the two.
    directly: bool,
}

impl Role {
    fn accepts(self, token: &Token) -> bool {
        token.concepts & (if token.negated { self.negated | self.stated & !ACTS } else { self.stated }) != 0
    }
}

/// One way to fill a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    roles: Vec<Role>,
    /// The concepts of roles that have only one.
    needed: Concepts,
    without: Concepts,
    within: usize,
    /// Where alone it is read: that a sentence is split over files, or encoded, is a sign itself.
    only: Option<Origin>,
    /// Whether all words must stand in one clause.
    clause: bool,
}

/// So many combinations of words are tried for a way in one sentence. No sentence that people write needs a tenth of it.
const BUDGET: usize = 4_000;

/// So many ends of clauses may stand between the words of a way; with more between them, words have met by chance.
const CLAUSES: u16 = 1;

/// How far apart the words of a way may stand, unless it says so.
const WITHIN: usize = 180;

impl Way {
    /// Reads a way; none if it names an unknown concept or no role.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut way = Self { roles: Vec::new(), needed: 0, without: 0, within: WITHIN, only: None, clause: false };
        let (mut follows, mut directly) = (false, false);
        for term in text.split_whitespace() {
            if term == "<" || term == "<<" {
                (follows, directly) = (true, term == "<<");
            } else if term == "joined" {
                way.only = Some(Origin::Joined);
            } else if term == "hidden" {
                way.only = Some(Origin::Hidden);
            } else if term == "clause" {
                way.clause = true;
            } else if let Some(within) = term.strip_prefix('@') {
                way.within = within.parse().ok()?;
            } else if let Some(names) = term.strip_prefix("not.") {
                for name in names.split('|') {
                    way.without |= concept::bit(name)?;
                }
            } else {
                let mut role = Role { follows, directly, ..Role::default() };
                for name in term.split('|') {
                    match name.strip_prefix("no.") {
                        Some(name) => role.negated |= concept::bit(name)?,
                        None => role.stated |= concept::bit(name)?,
                    }
                }
                let accepted = role.stated | role.negated;
                way.needed |= if accepted.is_power_of_two() { accepted } else { 0 };
                way.roles.push(role);
                (follows, directly) = (false, false);
            }
        }
        (!way.roles.is_empty()).then_some(way)
    }

    /// Whether it is read in a text that comes from there.
    pub(super) fn is_read(&self, origin: Origin) -> bool {
        self.only.is_none_or(|only| only == origin)
    }

    /// What each role accepts: no sentence fills the way that lacks all concepts of one of them.
    pub(super) fn accepted(&self) -> impl Iterator<Item = Concepts> {
        self.roles.iter().map(|role| role.stated | role.negated)
    }

    /// The concepts without which no sentence fills it.
    pub(super) fn needed(&self) -> Concepts {
        self.needed
    }

    /// Whether the concepts of a sentence can fill every role.
    pub(super) fn is_possible(&self, concepts: Concepts) -> bool {
        self.needed & !concepts == 0 && self.roles.iter().all(|role| (role.stated | role.negated) & concepts != 0)
    }

    /// The first and last byte of the words that fill the roles, all in one of the languages.
    pub(super) fn find(&self, tokens: &[Token], languages: Languages) -> Option<(usize, usize)> {
        let excluded = |token: &Token| token.concepts & self.without != 0 && !token.negated;
        if self.without != 0 && tokens.iter().any(excluded) {
            return None;
        }
        // Words that are near enough to each other are together in one of these parts of the sentence. A part that ends
        // where the one before did has nothing new.
        let mut reached = 0;
        let mut budget = BUDGET;
        for (first, token) in tokens.iter().enumerate() {
            let near = tokens[first..].partition_point(|other| other.start < token.start + self.within);
            let near = &tokens[first..first + near];
            let all = near.iter().fold(0, |all, token| all | token.concepts);
            if first + near.len() > reached && self.is_possible(all) && self.has_each(near, languages) {
                let found = self.fill(near, 0, languages, &mut [usize::MAX; 8], &mut budget);
                if found.is_some() {
                    return found;
                }
            }
            reached = first + near.len();
        }
        None
    }

    /// Whether each role has a word, as it is meant and in one of the languages: combinations are tried only then.
    fn has_each(&self, tokens: &[Token], languages: Languages) -> bool {
        let has = |role: &Role| tokens.iter().any(|token| role.accepts(token) && token.languages & languages != 0);
        steps::add(self.roles.len());
        self.roles.iter().all(has)
    }

    /// Whether two words stand in clauses that can belong together.
    fn is_near(&self, one: &Token, other: &Token) -> bool {
        one.clause.abs_diff(other.clause) <= if self.clause { 0 } else { CLAUSES }
    }

    fn fill(
        &self,
        tokens: &[Token],
        role: usize,
        languages: Languages,
        used: &mut [usize; 8],
        budget: &mut usize,
    ) -> Option<(usize, usize)> {
        let Some(wanted) = self.roles.get(role).filter(|_| role < used.len()) else {
            let start = used[..role].iter().map(|at| tokens[*at].start).min()?;
            let end = used[..role].iter().map(|at| tokens[*at].end).max()?;
            return (end - start <= self.within).then_some((start, end));
        };
        let from = if wanted.follows && role > 0 { used[role - 1] + 1 } else { 0 };
        for (at, token) in tokens.iter().enumerate().skip(from) {
            let free = used[..role].iter().all(|other| is_apart(&tokens[*other], token));
            if wanted.directly && role > 0 && is_interrupted(tokens, used[role - 1], at) {
                break;
            }
            let near = self.only == Some(Origin::Joined)
                || used[..role].iter().all(|other| self.is_near(&tokens[*other], token));
            if free && near && wanted.accepts(token) && token.languages & languages != 0 {
                used[role] = at;
                *budget = budget.checked_sub(1)?;
                steps::add(1);
                if let Some(found) = self.fill(tokens, role + 1, languages & token.languages, used, budget) {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// Whether another party is named after one word and before another.
fn is_interrupted(tokens: &[Token], first: usize, second: usize) -> bool {
    tokens[first + 1..second].iter().any(|token| {
        token.concepts & PARTY != 0 && token.start >= tokens[first].end && token.end <= tokens[second].start
    })
}

/// Whether two words can fill two roles: they stand apart, or one names a person inside of an act ("the owner asks").
fn is_apart(a: &Token, b: &Token) -> bool {
    let names = |a: &Token, b: &Token| {
        let person = a.concepts & PERSON != 0 && a.concepts & ACTS == 0;
        person && b.concepts & PERSON == 0 && b.start <= a.start && a.end < b.end
    };
    a.end <= b.start || b.end <= a.start || names(a, b) || names(b, a)
}
