//! Looking for one of several literals, some of which must stand at the edges of words.

use std::sync::{Arc, Mutex, PoisonError};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, packed};

use crate::scan::steps;

/// The edge of a word in a string, where a pattern asks for one. No text has this byte.
pub(super) const EDGE: u8 = 0xff;

/// One of several literals, found fast.
#[derive(Debug)]
pub(super) struct Literals {
    searcher: Searcher,
    /// In the order of their bytes.
    literals: Vec<Edged>,
    /// Whether one must begin or end at the edge of a word.
    is_edged: bool,
}

#[derive(Debug)]
enum Searcher {
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
}

/// A literal, and whether it begins and ends at the edge of a word.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edged {
    bytes: Box<[u8]>,
    begins: bool,
    ends: bool,
}

impl Edged {
    fn new(string: &[u8]) -> Self {
        let bytes = string.iter().copied().filter(|byte| *byte != EDGE).collect();
        Self { bytes, begins: string.first() == Some(&EDGE), ends: string.last() == Some(&EDGE) }
    }

    /// Whether it stands at a place of a text, before an end.
    fn is_at(&self, text: &[u8], place: usize, end: usize) -> bool {
        let after = place + self.bytes.len();
        after <= end
            && text[place..after] == *self.bytes
            && (!self.begins || is_edge(text, place))
            && (!self.ends || is_edge(text, after))
    }
}

/// Whether a word begins or ends at a place.
fn is_edge(text: &[u8], place: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_word(place.checked_sub(1).and_then(|before| text.get(before))) != is_word(text.get(place))
}

/// What finds literals, one for all patterns that look for the same: many do, and a searcher is large.
pub(super) fn shared(strings: &[Vec<u8>]) -> Option<Arc<Literals>> {
    static SHARED: Mutex<Vec<Arc<Literals>>> = Mutex::new(Vec::new());
    let mut literals: Vec<Edged> = strings.iter().map(|string| Edged::new(string)).collect();
    literals.sort_unstable();
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = shared.iter().find(|known| known.literals == literals) {
        return Some(Arc::clone(known));
    }
    let built = Arc::new(Literals::new(literals)?);
    shared.push(Arc::clone(&built));
    Some(built)
}

impl Literals {
    fn new(literals: Vec<Edged>) -> Option<Self> {
        let mut plain: Vec<&[u8]> = literals.iter().map(|literal| &literal.bytes[..]).collect();
        plain.dedup();
        let searcher = match packed::Searcher::new(&plain) {
            Some(searcher) => Searcher::Packed(searcher),
            None => {
                let mut builder = AhoCorasick::builder();
                builder.kind(Some(AhoCorasickKind::ContiguousNFA)).match_kind(MatchKind::LeftmostFirst);
                Searcher::Automaton(builder.build(&plain).ok()?)
            }
        };
        let is_edged = literals.iter().any(|literal| literal.begins || literal.ends);
        Some(Self { searcher, literals, is_edged })
    }

    /// Where the first literal begins that stands in a part of a text.
    pub(super) fn find(&self, text: &[u8], mut from: usize, end: usize) -> Option<usize> {
        loop {
            let part = text.get(from..end)?;
            let found = match &self.searcher {
                Searcher::Packed(searcher) => searcher.find(part).map(|found| found.start()),
                Searcher::Automaton(automaton) => automaton.find(part).map(|found| found.start()),
            };
            let place = from + found?;
            if !self.is_edged || self.is_at(text, place, end) {
                return Some(place);
            }
            steps::add(1);
            from = place + 1;
        }
    }

    /// Whether one of them stands at a place with the edges that it needs.
    fn is_at(&self, text: &[u8], place: usize, end: usize) -> bool {
        let first = &text[place..=place];
        let like = self.literals.partition_point(|literal| literal.bytes[..1] < *first);
        let mut like = self.literals[like..].iter().take_while(|literal| literal.bytes[..1] == *first);
        like.any(|literal| literal.is_at(text, place, end))
    }
}
