//! What words may name, remembered: the same words make up most of any text, and a look at one small table tells them.

use std::cell::RefCell;

use super::concept::{CONCEPTS, Concepts};
use super::keys::{self, Head, NEXT};
use super::lexicon::{Entries, Entry, Lexicon};
use crate::scan::swar;

/// How many words are remembered, as a power of two.
const SIZE: u32 = 13;

/// What is known of words. It depends on nothing but the lexicons, so it stays from one text to the next.
pub(super) struct Words {
    known: Vec<Known>,
}

/// A word of less than sixteen bytes, the others 0; all 0 for none.
type Short = [u64; 2];

/// Small, so that many fit the caches.
#[derive(Clone, Copy, Default)]
struct Known {
    word: Short,
    /// What it may name by itself, and whether it may [begin](BEGINS) phrases.
    concepts: Concepts,
}

/// Set in the concepts of a word that may begin phrases. No concept has this bit.
const BEGINS: Concepts = 1 << 127;
const _: () = assert!(CONCEPTS.len() < 127);

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
        let mut run = swar::alphanumerics(first);
        let mut word = [swar::first(first, run), 0];
        if run == 8 {
            let second = swar::eight(text, at + 8);
            let more = swar::alphanumerics(second);
            if more == 8 {
                return long(lexicon, text, at);
            }
            word[1] = swar::first(second, more);
            run += more;
        }
        let mixed = (word[0] ^ word[1].rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (mixed >> (u64::BITS - SIZE)) as usize;
        let concepts = match self.known.get(place) {
            Some(known) if known.word == word => known.concepts,
            _ => self.learn(lexicon, word, run, place),
        };
        if concepts & BEGINS == 0 {
            return (run, concepts);
        }
        let mut concepts = concepts & !BEGINS;
        let next = swar::eight(text, at + run);
        lexicon.keys.of_phrases(keys::word(word, run), next, |key| concepts |= compared(lexicon, key, text, at));
        (run, concepts)
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, lexicon: &Lexicon, word: Short, run: usize, place: usize) -> Concepts {
        if self.known.is_empty() {
            self.known = vec![Known::default(); 1 << SIZE];
        }
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&word[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&word[1].to_le_bytes());
        let text = &bytes[..run];
        // With room after the word, so that eight bytes at a time can be read.
        let head = Head::read(&bytes, 0);
        let mut concepts = if lexicon.keys.begins(head.word) { BEGINS } else { 0 };
        lexicon.keys.of_head(&head, |key| {
            let entries = lexicon.entries(key).filter(|entry| is_named(text, entry));
            entries.for_each(|entry| concepts |= lexicon.concepts_of(entry.meanings));
        });
        self.known[place] = Known { word, concepts };
        concepts
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

/// A word that is longer is rare, and looked up each time.
fn long(lexicon: &Lexicon, text: &[u8], at: usize) -> (usize, Concepts) {
    let head = Head::read(text, at);
    (head.run, lexicon.concepts_of_all(&lexicon.entries_of_word(text, at, &head)))
}
