//! The features of a sentence that is weighed: its words and their neighbours, what its words are made of, the concepts
//! that they name, and pairs of these.
//!
//! A word counts only if poisoned sentences have it, and its parts only if they have a word that begins alike: `marmalade`
//! can neither weigh against an attack nor stand between two of its words. Parts of three and four letters know a word in
//! a form that no sentence had before; Russian, Polish and Turkish have many.

use std::collections::HashSet;

use super::concept::{CONCEPTS, Concepts};
use super::each;
use super::lexicon::Languages;
use super::reader::Sentence;
use crate::scan::fold::fold;
use crate::scan::learned::Vocabulary;
use crate::scan::letters::is_alphanumeric;

/// The number of weights: those of [words](WORD), their [parts](PART) and [concepts](CONCEPT), then those of
/// [neighbours](NEIGHBOUR) and of [pairs](PAIR) of concepts.
pub const SIZE: usize = PAIR.start + (1 << PAIR.bits);

/// Of these, so many belong to one word by itself. A word can be put anywhere, so it must not make a sentence unlikely.
pub const SINGLE: usize = NEIGHBOUR.start;

const WORD: Kind = Kind { start: 0, bits: 17 };
const PART: Kind = Kind { start: WORD.start + (1 << WORD.bits), bits: 16 };
const CONCEPT: Kind = Kind { start: PART.start + (1 << PART.bits), bits: 8 };
const NEIGHBOUR: Kind = Kind { start: CONCEPT.start + (1 << CONCEPT.bits), bits: 18 };
const PAIR: Kind = Kind { start: NEIGHBOUR.start + (1 << NEIGHBOUR.bits), bits: 16 };

/// Where the weights of a kind of features are.
struct Kind {
    start: usize,
    bits: u32,
}

impl Kind {
    fn slot(&self, hash: u64) -> u32 {
        self.start as u32 + (mix(hash) >> (u64::BITS - self.bits)) as u32
    }
}

/// So many words of a sentence are remembered.
const SEEN: usize = 128;

/// Passes on the places of all features in the table of weights. A word that is put between all others counts no more than
/// one that is there once.
pub(super) fn features(
    sentence: &Sentence<'_>,
    spoken: Languages,
    vocabulary: Vocabulary<'_>,
    feature: &mut impl FnMut(u32),
) {
    let (mut before, mut earlier) = (0, 0);
    let mut seen = [0; SEEN];
    each_word(value(&sentence.text[sentence.start..sentence.end]), |word| {
        let last = &mut seen[mix(word.hash) as usize % SEEN];
        let is_new = std::mem::replace(last, word.hash) != word.hash;
        if is_new && vocabulary.has(word.begins()) {
            word.parts(|part| feature(PART.slot(part)));
        }
        if !vocabulary.has(word.hash) {
            return;
        }
        if is_new {
            feature(WORD.slot(word.hash));
            if word.stem != word.hash {
                feature(WORD.slot(word.begins()));
            }
        }
        if before != 0 {
            feature(NEIGHBOUR.slot(mix(before) ^ word.stem));
        }
        if earlier != 0 {
            feature(NEIGHBOUR.slot(mix(mix(earlier)) ^ word.stem));
            feature(NEIGHBOUR.slot(mix(mix(earlier) ^ before) ^ word.stem));
        }
        (earlier, before) = (before, word.stem);
    });
    concepts(sentence, spoken, feature);
}

/// What a sentence says without the JSON key before it, which names it and says nothing.
fn value(text: &str) -> &str {
    let key = || {
        let (key, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
        let is_name =
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        rest.strip_prefix(':').filter(|_| is_name)
    };
    key().unwrap_or(text)
}

/// The places in a vocabulary of the words of a text and of their first letters, for training.
#[must_use]
pub fn words(text: &str) -> HashSet<usize> {
    let mut places = HashSet::new();
    each_word(&fold(text).text, |word| places.extend([word.hash, word.begins()].map(Vocabulary::place)));
    places
}

/// The longest word whose letters count; more is no word.
const LONGEST: usize = 24;

/// So many letters of a word are its stem.
const STEM: usize = 5;

/// A word: its letters, and hashes of all and of the first of them.
struct Word<'a> {
    letters: &'a [u64],
    hash: u64,
    stem: u64,
}

impl Word<'_> {
    /// What words have in common that begin alike.
    const fn begins(&self) -> u64 {
        !self.stem
    }

    /// Each three and four letters in a row, with an edge before the first and after the last one. A character of China
    /// has no parts.
    fn parts(&self, mut part: impl FnMut(u64)) {
        if is_whole(self.letters) {
            return;
        }
        let letter = |at: usize| at.checked_sub(1).and_then(|at| self.letters.get(at)).copied().unwrap_or(EDGE);
        for at in 0..self.letters.len() {
            let three = letter(at) | letter(at + 1) << 21 | letter(at + 2) << 42;
            part(three);
            if at + 3 < self.letters.len() + 2 {
                part(mix(three) ^ letter(at + 3));
            }
        }
    }
}

const EDGE: u64 = b' ' as u64;

fn is_whole(letters: &[u64]) -> bool {
    matches!(letters, [letter] if char::from_u32(*letter as u32).is_some_and(is_word_itself))
}

/// Whether a letter is a word: Han, kana and Hangul.
const fn is_word_itself(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Passes on the words of a folded text.
fn each_word(text: &str, mut word: impl FnMut(Word<'_>)) {
    let mut letters = [0; LONGEST];
    let (mut length, mut hash, mut stem) = (0, 0, 0);
    for letter in text.chars().chain([' ']) {
        let stands_alone = is_word_itself(letter);
        // The signs of Hindi belong to its words.
        let belongs = is_alphanumeric(letter) || letter == '\'' || matches!(letter, '\u{900}'..='\u{97f}');
        if length > 0 && (stands_alone || !belongs) {
            word(Word { letters: &letters[..length.min(LONGEST)], hash, stem });
            (length, hash) = (0, 0);
        }
        if belongs {
            hash = mix(hash ^ u64::from(letter) << 8 ^ 7);
            if length < STEM {
                stem = hash;
            }
            if let Some(place) = letters.get_mut(length) {
                *place = u64::from(letter);
            }
            length += 1;
            if stands_alone {
                word(Word { letters: &letters[..1], hash, stem });
                (length, hash) = (0, 0);
            }
        }
    }
}

/// The concepts of a sentence, and pairs of them in all of it and in one clause.
fn concepts(sentence: &Sentence<'_>, spoken: Languages, feature: &mut impl FnMut(u32)) {
    let tokens = || sentence.tokens.iter().filter(|token| token.languages & spoken != 0);
    let clauses = tokens().map(|token| token.clause).max().unwrap_or(0);
    let named = |clause: Option<u16>| {
        let of = tokens().filter(|token| clause.is_none_or(|clause| token.clause == clause));
        let mut named = [0; 2];
        of.for_each(|token| named[usize::from(token.negated)] |= token.concepts);
        named
    };
    let all = named(None);
    codes(all).for_each(|code| feature(CONCEPT.start as u32 + code as u32));
    pairs(all, ANYWHERE, feature);
    for clause in 0..=clauses {
        pairs(named(Some(clause)), TOGETHER, feature);
    }
}

/// What tells the kinds of pairs apart.
const ANYWHERE: u64 = 0xc2b2_ae3d_27d4_eb4f;
const TOGETHER: u64 = 0x2545_f491_4f6c_dd1d;

/// A sentence with more concepts than this is a list of words.
const MOST: usize = 24;

fn pairs(named: [Concepts; 2], kind: u64, feature: &mut impl FnMut(u32)) {
    let mut all = [0; MOST];
    let mut count = 0;
    for (place, code) in all.iter_mut().zip(codes(named)) {
        *place = code;
        count += 1;
    }
    for (at, first) in all[..count].iter().enumerate() {
        for second in &all[at + 1..count] {
            feature(PAIR.slot((first << 16 | second).wrapping_mul(kind)));
        }
    }
}

const _: () = assert!(2 * CONCEPTS.len() < 1 << CONCEPT.bits);

/// A number for each concept that is stated, and another one for each that is denied, in order.
fn codes([stated, denied]: [Concepts; 2]) -> impl Iterator<Item = u64> {
    each(stated | denied).flat_map(move |concept| {
        let of = |set: Concepts, code: u64| (set >> concept & 1 == 1).then_some(code);
        let code = 2 * concept as u64;
        of(stated, code).into_iter().chain(of(denied, code + 1))
    })
}

/// Spreads the bits of a number over all of another one.
#[inline(always)]
const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of(text: &str) -> usize {
        let mut count = 0;
        each_word(text, |word| word.parts(|_| count += 1));
        count
    }

    #[test]
    fn a_word_is_made_of_threes_and_fours_with_its_edges() {
        // _as asd sdf df_, _asd asdf sdf_
        assert_eq!(parts_of("asdf"), 7);
        assert_eq!(parts_of("a"), 1);
        assert_eq!(parts_of("密"), 0, "a character of China is one word");
        assert_eq!(parts_of(&"x".repeat(5_000)), parts_of(&"x".repeat(LONGEST)));
    }

    #[test]
    fn words_that_begin_alike_have_one_stem() {
        let mut stems = HashSet::new();
        each_word("отправляй отправить отправлю", |word| {
            stems.insert(word.stem);
        });
        assert_eq!(stems.len(), 1);
        let mut words = 0;
        each_word("don't 密码 निर्देशों", |_| words += 1);
        assert_eq!(words, 4);
    }

    #[test]
    fn a_json_key_is_no_part_of_what_its_value_says() {
        assert_eq!(value(r#""description": "send it""#), r#" "send it""#);
        for text in ["send it", r#""send it" to them: now"#, r#""send it": now"#, r#""now" is: send"#, r#"""#] {
            assert_eq!(value(text), text);
        }
    }

    #[test]
    fn kinds_of_features_do_not_overlap() {
        let mut end = 0;
        for kind in [WORD, PART, CONCEPT, NEIGHBOUR, PAIR] {
            assert_eq!(kind.start, end);
            end += 1 << kind.bits;
        }
        assert_eq!(end, SIZE);
        assert!((PAIR.slot(u64::MAX) as usize) < SIZE && WORD.slot(1) < PART.start as u32);
    }
}
