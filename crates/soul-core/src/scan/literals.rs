//! Where literals are in a text: one table, one look-up for each byte.
//!
//! The states are those of the automaton of the aho-corasick crate, numbered anew so that the states with a literal come
//! last: the inner loop compares with one number. The crate's own search of overlapping literals does twice the work.

use std::collections::HashMap;

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::noncontiguous::NFA;
use aho_corasick::{Anchored, MatchKind};

#[derive(Debug)]
pub(super) struct Literals {
    /// Bytes that no literal tells apart have the same column.
    columns: [u8; 256],
    /// The row that follows, by row and column.
    next: Vec<u32>,
    /// Rows from here on have literals.
    first: u32,
    width: usize,
    /// Which literals end in a row, from the first one that has any.
    ends: Vec<Vec<u32>>,
    lengths: Vec<usize>,
}

impl Literals {
    /// None if there are more states than there are numbers.
    pub(super) fn new<P: AsRef<[u8]>>(literals: &[P], any_case: bool) -> Option<Self> {
        let mut builder = NFA::builder();
        builder.match_kind(MatchKind::Standard).prefilter(false).ascii_case_insensitive(any_case);
        let automaton = builder.build(literals).ok()?;
        let cased = |byte: u8| if any_case { byte.to_ascii_lowercase() } else { byte };
        let mut used = [false; 256];
        for byte in literals.iter().flat_map(|literal| literal.as_ref()) {
            used[usize::from(cased(*byte))] = true;
        }
        let mut columns = [0; 256];
        let mut bytes = vec![used.iter().position(|used| !used).and_then(|byte| u8::try_from(byte).ok())?];
        for byte in (0..=255).filter(|byte| used[usize::from(*byte)]) {
            columns[usize::from(byte)] = u8::try_from(bytes.len()).ok()?;
            bytes.push(byte);
        }
        for byte in 0..=255_u8 {
            columns[usize::from(byte)] = columns[usize::from(cased(byte))];
        }
        // Every state that can be reached, and what follows it.
        let start = automaton.start_state(Anchored::No).ok()?;
        let mut numbers = HashMap::from([(start, 0_u32)]);
        let mut states = vec![start];
        let mut follows: Vec<u32> = Vec::new();
        let mut at = 0;
        while let Some(state) = states.get(at).copied() {
            for byte in &bytes {
                let next = automaton.next_state(Anchored::No, state, *byte);
                let number = u32::try_from(states.len()).ok()?;
                follows.push(*numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    number
                }));
            }
            at += 1;
        }
        let width = bytes.len();
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|state| automaton.is_match(states[*state]));
        let mut rows = vec![0; states.len()];
        for (row, state) in order.iter().enumerate() {
            rows[*state] = u32::try_from(row * width).ok()?;
        }
        let next = order
            .iter()
            .flat_map(|state| &follows[state * width..][..width])
            .map(|next| rows[*next as usize])
            .collect();
        let plain = order.iter().take_while(|state| !automaton.is_match(states[**state])).count();
        let ends = |state: &usize| {
            let count = automaton.match_len(states[*state]);
            (0..count).map(|index| automaton.match_pattern(states[*state], index).as_u32()).collect()
        };
        Some(Self {
            columns,
            next,
            first: u32::try_from(plain * width).ok()?,
            width,
            ends: order[plain..].iter().map(ends).collect(),
            lengths: literals.iter().map(|literal| literal.as_ref().len()).collect(),
        })
    }

    /// Calls `found` with the number, start and end of every literal in a text, those inside of others too.
    #[inline]
    pub(super) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize, usize)) {
        // The first row is the start: it has no literal, unless one is empty.
        let mut row = 0;
        for (at, byte) in text.iter().enumerate() {
            row = self.next[row as usize + usize::from(self.columns[usize::from(*byte)])];
            if row >= self.first {
                let ends = &self.ends[(row - self.first) as usize / self.width];
                for literal in ends.iter().map(|literal| *literal as usize) {
                    found(literal, at + 1 - self.lengths[literal], at + 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_literal_is_found_inside_of_others_too() {
        let literals = Literals::new(&["he", "she", "hers", "é"], true).unwrap();
        let mut found = Vec::new();
        literals.each("uSHErs é".as_bytes(), |literal, start, end| found.push((literal, start, end)));
        assert_eq!(found, [(1, 1, 4), (0, 2, 4), (2, 2, 6), (3, 7, 9)]);
    }
}
