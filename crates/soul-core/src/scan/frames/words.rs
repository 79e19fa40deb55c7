//! What words may name, remembered: the same words make up most of any text, and a look at one small table tells them.

use std::cell::RefCell;

use super::concept::Concepts;
use super::keys::{Head, NEXT};
use super::lexicon::{Entries, Entry, Lexicon};
use crate::scan::swar;

/// How many words are remembered, as a power of two.
const SIZE: u32 = 12;

/// What is known of words. It depends on nothing but the lexicons, so it stays from one text to the next.
pub(super) struct Words {
    known: Vec<Known>,
}

#[derive(Clone, Copy, Default)]
struct Known {
    /// The bytes of a word of less than eight; 0 for none.
    word: u64,
    /// What it may name by itself.
    concepts: Concepts,
    /// Whether it may begin phrases.
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
    pub(super) fn read(&mut self, lexicon: &Lexicon, text: &[u8], at: usize) -> (usize, Concepts) {
        let first = swar::eight(text, at);
        let run = swar::alphanumerics(first);
        if run >= 8 {
            return long(lexicon, text, at);
        }
        let word = swar::first(first, run);
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SIZE)) as usize;
        let known = match self.known.get(place) {
            Some(known) if known.word == word => *known,
            _ => self.learn(lexicon, word, run, place),
        };
        let mut concepts = known.concepts;
        if known.begins {
            let next = swar::eight(text, at + run);
            lexicon.keys.of_phrases(word, next, |key| concepts |= compared(lexicon, key, text, at));
        }
        (run, concepts)
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, lexicon: &Lexicon, word: u64, run: usize, place: usize) -> Known {
        if self.known.is_empty() {
            self.known = vec![Known::default(); 1 << SIZE];
        }
        let bytes = word.to_le_bytes();
        let text = &bytes[..run];
        let mut concepts = 0;
        lexicon.keys.of_head(&Head::read(text, 0), |key| {
            let entries = lexicon.entries(key).filter(|entry| is_named(text, entry));
            entries.for_each(|entry| concepts |= lexicon.concepts_of(entry.meanings));
        });
        let known = Known { word, concepts, begins: lexicon.keys.begins(word) };
        self.known[place] = known;
        known
    }
}

/// Whether an entry is a word, begins it as a stem, or is the word and little more (`don't`).
fn is_named(word: &[u8], entry: &Entry) -> bool {
    match entry.bytes.strip_prefix(word) {
        Some(more) => more.len() < NEXT && !more.first().is_some_and(u8::is_ascii_alphanumeric),
        None => entry.stem && word.starts_with(entry.bytes),
    }
}

/// What the entries with a key name that the text has at a place.
#[inline(never)]
fn compared(lexicon: &Lexicon, key: u64, text: &[u8], at: usize) -> Concepts {
    let mut entries = Entries::default();
    lexicon.compare(key, text, at, false, &mut entries);
    lexicon.concepts_of_all(&entries)
}

/// A long word is rare, and looked up each time.
fn long(lexicon: &Lexicon, text: &[u8], at: usize) -> (usize, Concepts) {
    let head = Head::read(text, at);
    (head.run, lexicon.concepts_of_all(&lexicon.entries_of_word(text, at, &head)))
}
