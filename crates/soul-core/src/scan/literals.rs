//! Where literals are in a text: a filter of four bytes says for most places that no literal stands there.
//!
//! Of each literal the four bytes that are rarest in text are in the filter, which fits the first cache. The places of
//! a text are looked up independently of each other; an automaton would wait at each byte for the one before, and its
//! table would be a hundred times as large and take longer to build than a small text to scan.

mod quads;
mod short;

use super::required::frequency;
use super::swar;
use quads::Ranks;
use short::Short;

/// Literals to look for.
#[derive(Debug)]
pub(super) struct Literals {
    literals: Vec<Literal>,
    /// A bit for each hash of four bytes, and how many bits are set before each word.
    filter: Box<[u64; WORDS]>,
    ranks: Box<[u16; WORDS]>,
    /// Where the candidates of each bit that is set begin.
    first: Vec<u32>,
    candidates: Vec<Candidate>,
    /// Literals that are too short for the filter, by their length: a few.
    short: Vec<Short>,
}

/// A literal, in lower case if any case counts.
type Literal = Box<[u8]>;

/// A literal, and where its four bytes are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    literal: u32,
    offset: u32,
    /// Up to eight bytes of the literal around the four, to compare without a look at the rest: most places that have the
    /// four have no more.
    probe: u64,
    /// How many bytes these are, and how many of them stand before the four.
    count: u8,
    before: u8,
}

impl Candidate {
    /// None if the literal is far too long.
    fn new(number: u32, literal: &[u8], offset: usize) -> Option<Self> {
        let from = offset.min(literal.len().saturating_sub(8));
        let probe = swar::eight(literal, from);
        let (count, before) = (literal.len().min(8), offset - from);
        let (count, before) = (u8::try_from(count).ok()?, u8::try_from(before).ok()?);
        Some(Self { literal: number, offset: u32::try_from(offset).ok()?, probe, count, before })
    }

    /// Whether the text around the four bytes at a place can be the literal.
    #[inline(always)]
    fn may_be_at(&self, text: &[u8], at: usize) -> bool {
        let from = at.wrapping_sub(usize::from(self.before));
        swar::first(swar::eight(text, from), usize::from(self.count)) == self.probe
    }
}

/// So many bytes of a literal are in the filter.
const WIDTH: usize = 4;

/// So many bits has a hash.
const BITS: u32 = 17;
const WORDS: usize = 1 << (BITS - 6);

/// So many places within eight bytes have all of their own there.
const PLACES: usize = 8 - WIDTH + 1;

impl Literals {
    /// None if a literal is empty.
    pub(super) fn new<P: AsRef<[u8]>>(literals: &[P], any_case: bool) -> Option<Self> {
        let cased = |literal: &P| match any_case {
            true => literal.as_ref().to_ascii_lowercase().into_boxed_slice(),
            false => Box::from(literal.as_ref()),
        };
        let literals: Vec<Literal> = literals.iter().map(cased).collect();
        let ranks = Ranks::new();
        let (mut placed, mut short) = (Vec::new(), [const { Vec::new() }; WIDTH]);
        for (number, bytes) in (0..).zip(&literals) {
            let often = |quad: &[u8; WIDTH]| (ranks.of(*quad), frequency(quad));
            let quads = bytes.array_windows::<WIDTH>().map(often).enumerate();
            let rarest = quads.min_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            if let Some((offset, _)) = rarest {
                let candidate = Candidate::new(number, bytes, offset)?;
                placed.push((hash(swar::eight(bytes, offset)), candidate));
            } else {
                bytes.first()?;
                short[bytes.len()].push((bytes.clone(), number));
            }
        }
        let short = short.into_iter().filter(|same| !same.is_empty()).map(Short::new).collect();
        placed.sort_unstable();
        let (mut filter, mut ranks) = (Box::new([0_u64; WORDS]), Box::new([0_u16; WORDS]));
        let (mut first, mut candidates) = (Vec::new(), Vec::new());
        for same in placed.chunk_by(|(a, _), (b, _)| a == b) {
            filter[same[0].0 / 64] |= 1 << (same[0].0 % 64);
            first.push(u32::try_from(candidates.len()).ok()?);
            candidates.extend(same.iter().map(|(_, candidate)| *candidate));
        }
        first.push(u32::try_from(candidates.len()).ok()?);
        let mut before = 0;
        for (rank, word) in ranks.iter_mut().zip(filter.iter()) {
            *rank = before;
            before += u16::try_from(word.count_ones()).ok()?;
        }
        Some(Self { literals, filter, ranks, first, candidates, short })
    }

    /// Calls `found` with the number, start and end of every literal in a text, those inside of others too: in the order
    /// of their ends, the longest first. If any case counts, the text is in lower case.
    pub(super) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize, usize)) {
        let mut all: Vec<Placed> = Vec::with_capacity(text.len() / 64 + 4);
        self.look(text, &mut all);
        self.short.iter().for_each(|short| short.find(text, &mut all));
        // Runs that are in order already, one of the filter and one of each length of short literals.
        all.sort();
        all.into_iter().for_each(|(end, start, literal)| found(literal as usize, start, end));
    }

    /// Looks at each place of a text.
    fn look(&self, text: &[u8], all: &mut Vec<Placed>) {
        let mut at = 0;
        // Twice eight bytes at once, so that there is one test of bounds and one branch for all their places.
        while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<{ PLACES + 8 }>()) {
            let [first, second] = [swar::eight(bytes, 0), swar::eight(bytes, PLACES)];
            if self.has_any(first) | self.has_any(second) {
                self.look_closer(text, at, first, all);
                self.look_closer(text, at + PLACES, second, all);
            }
            at += 2 * PLACES;
        }
        for at in (at..text.len()).step_by(PLACES) {
            self.look_closer(text, at, swar::eight(text, at), all);
        }
    }

    /// Whether the filter has one of the places within eight bytes. Without a branch for each place: most have nothing.
    #[inline(always)]
    fn has_any(&self, bytes: u64) -> bool {
        (0..PLACES).fold(0, |bits, place| bits | self.bit(hash(bytes >> (place * 8)))) & 1 == 1
    }

    /// In the lowest bit, whether the filter has a hash.
    #[inline(always)]
    fn bit(&self, hash: usize) -> u64 {
        self.filter[hash / 64] >> (hash % 64)
    }

    /// Looks at each place within eight bytes of a text.
    fn look_closer(&self, text: &[u8], at: usize, bytes: u64, all: &mut Vec<Placed>) {
        for place in 0..PLACES {
            let hash = hash(bytes >> (place * 8));
            if self.bit(hash) & 1 == 1 {
                self.verify(text, at + place, hash, all);
            }
        }
    }

    /// Adds the literals that stand around a place whose four bytes are in the filter.
    #[inline(never)]
    fn verify(&self, text: &[u8], at: usize, hash: usize, all: &mut Vec<Placed>) {
        let before = self.filter[hash / 64] & ((1 << (hash % 64)) - 1);
        let rank = usize::from(self.ranks[hash / 64]) + before.count_ones() as usize;
        let range = self.first[rank] as usize..self.first[rank + 1] as usize;
        for candidate in self.candidates[range].iter().filter(|candidate| candidate.may_be_at(text, at)) {
            let Some(start) = at.checked_sub(candidate.offset as usize) else { continue };
            let bytes = &self.literals[candidate.literal as usize];
            if text.get(start..).is_some_and(|rest| rest.starts_with(bytes)) {
                insert(all, (start + bytes.len(), start, candidate.literal));
            }
        }
    }
}

/// The end and the start of a literal in a text, and its number.
type Placed = (usize, usize, u32);

/// Adds a literal where it belongs. It is found at some place within it, so those that belong after it are few.
fn insert(all: &mut Vec<Placed>, placed: Placed) {
    let mut at = all.len();
    all.push(placed);
    while at > 0 && all[at - 1] > placed {
        all.swap(at - 1, at);
        at -= 1;
    }
}

/// The hash of the first four of eight bytes.
#[inline(always)]
const fn hash(bytes: u64) -> usize {
    (bytes as u32).wrapping_mul(0x9e37_79b1) as usize >> (u32::BITS - BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_literal_is_found_inside_of_others_too() {
        let literals = Literals::new(&["he", "she", "hers", "é"], true).unwrap();
        let mut found = Vec::new();
        literals.each("ushers é".as_bytes(), |literal, start, end| found.push((literal, start, end)));
        assert_eq!(found, [(1, 1, 4), (0, 2, 4), (2, 2, 6), (3, 7, 9)]);
    }

    #[test]
    fn literals_are_found_wherever_they_stand() {
        let literals = Literals::new(&["über all", "all", "ü", "l"], false).unwrap();
        for before in 0..70 {
            let text = format!("{}über all{}all", "x".repeat(before), "y".repeat(70 - before));
            let mut found = Vec::new();
            literals.each(text.as_bytes(), |literal, start, end| found.push((literal, start - before, end - before)));
            let last = 9 + 70 - before;
            let at_end = [(3, last + 1, last + 2), (1, last, last + 3), (3, last + 2, last + 3)];
            let first = [(2, 0, 2), (3, 7, 8), (0, 0, 9), (1, 6, 9), (3, 8, 9)];
            assert_eq!(found, [&first[..], &at_end[..]].concat());
        }
    }

    #[test]
    fn a_long_text_has_every_literal_in_the_order_of_their_ends() {
        let words = ["he", "she", "hers", "é", "shears", "a longer literal than the others are"];
        let literals = Literals::new(&words, true).unwrap();
        for size in [1_024, 1_025, 2_051] {
            let mut text = String::new();
            let mut at = size;
            while text.len() < size {
                at = at * 7 % 11 + text.len() % 5;
                text.push_str(words.get(at % 8).copied().unwrap_or("s"));
            }
            let mut wanted = Vec::new();
            for end in 1..=text.len() {
                for (number, word) in words.iter().enumerate() {
                    if text.as_bytes()[..end].ends_with(word.as_bytes()) {
                        wanted.push((end, number));
                    }
                }
            }
            let mut found = Vec::new();
            literals.each(text.as_bytes(), |literal, start, end| {
                assert_eq!(&text[start..end], words[literal]);
                found.push((end, literal));
            });
            assert!(found.is_sorted_by_key(|(end, _)| *end));
            found.sort_unstable();
            assert_eq!(found, wanted);
        }
    }
}
