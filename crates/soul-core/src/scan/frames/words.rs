//! What words may name, remembered: the same words make up most of any text, and a look at one small table tells them.

use std::cell::RefCell;

use super::concept::Concepts;
use super::index::Index;
use crate::scan::swar;

/// How many words are remembered, as a power of two.
const SIZE: u32 = 12;

/// What is known of words. It depends on nothing but the lexicons, so it stays from one text to the next.
pub(super) struct Words {
    known: Vec<Known>,
}

#[derive(Clone, Copy, Default)]
struct Known {
    /// The first eight bytes of a word that is not longer; 0 for none.
    word: u64,
    /// What it may name by itself.
    concepts: Concepts,
    /// Whether it begins phrases.
    begins: bool,
}

thread_local! {
    static WORDS: RefCell<Words> = const { RefCell::new(Words { known: Vec::new() }) };
}

/// Passes on what this thread knows of words.
pub(super) fn with<T>(work: impl FnOnce(&mut Words) -> T) -> T {
    WORDS.with(|words| match words.try_borrow_mut() {
        Ok(mut words) => work(&mut words),
        Err(_) => work(&mut Words { known: Vec::new() }),
    })
}

impl Words {
    /// How many letters and digits of ASCII begin here, and everything that the entries name that may begin with them.
    #[inline]
    pub(super) fn read(&mut self, index: &Index, bytes: &[u8], at: usize) -> (usize, Concepts) {
        let first = swar::eight(bytes, at);
        let run = swar::alphanumerics(first);
        if run >= 8 {
            return Self::long(index, bytes, at);
        }
        let word = swar::first(first, run);
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SIZE)) as usize;
        let known = match self.known.get(place) {
            Some(known) if known.word == word => *known,
            _ => self.learn(index, word, place),
        };
        let phrases = if known.begins { index.phrases_of(word, swar::eight(bytes, at + run)) } else { 0 };
        (run, known.concepts | phrases)
    }

    /// The same for a long word, which is rare.
    fn long(index: &Index, bytes: &[u8], at: usize) -> (usize, Concepts) {
        let head = index.head(bytes, at);
        (head.run, if head.is_admitted() { index.concepts(&head) } else { 0 })
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, index: &Index, word: u64, place: usize) -> Known {
        if self.known.is_empty() {
            self.known = vec![Known::default(); 1 << SIZE];
        }
        let known = Known { word, concepts: index.concepts_of(word), begins: index.begins(word) };
        self.known[place] = known;
        known
    }
}
