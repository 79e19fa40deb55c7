//! Entries that begin with a letter or digit of ASCII, by their first word: most words of a text begin none, and a look at
//! a few bits says so; the others lead to a short list of entries to compare.
//!
//! A walk through a trie would wait for memory at each letter.

use std::collections::BTreeMap;

use super::concept::Concepts;
use super::lexicon::{Entries, Found, Word, is_word_end, number};
use crate::scan::swar;

/// So many bytes after the first word of a phrase count: a space and two letters, or six if it has them. "To the" begins
/// many phrases, "to the ow" few.
const NEXT: usize = 3;
const FURTHER: usize = 7;

/// Of a stem, at most so many bytes count.
const STEM: usize = 5;

/// The entries, each in one list. The list of an entry follows from its first bytes.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The keys of the lists of whole words, of phrases and of stems.
    words: Keys<11, 16>,
    phrases: Keys<12, 16>,
    stems: Keys<10, 14>,
    /// Sets of concepts, the first one empty.
    sets: Vec<Concepts>,
    /// The first words of phrases, in order.
    firsts: Vec<u64>,
    /// The tag of a list and the place of its first entry, from 1 on; by a part of the tag.
    slots: Vec<(u32, u32)>,
    /// The entries of a list stand side by side.
    listed: Vec<Listed>,
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Listed {
    /// Where its bytes are.
    at: u32,
    length: u16,
    /// How many meanings it has, from the first on.
    meanings: u8,
    /// Whether it may go on.
    stem: bool,
    meaning: u32,
    /// Whether it is the last one of its list.
    last: bool,
}

/// A word of a text, and the lists that may have entries which begin with it.
pub(super) struct Head {
    /// How many letters and digits it has.
    pub(super) run: usize,
    first: u64,
    word: u64,
    phrase: u64,
    long_phrase: u64,
    has_word: bool,
    has_phrase: bool,
    has_long_phrase: bool,
    has_stem: bool,
}

impl Head {
    #[inline(always)]
    pub(super) fn is_admitted(&self) -> bool {
        self.has_word | self.has_phrase | self.has_long_phrase | self.has_stem
    }
}

impl Index {
    /// Of entries with what they name.
    pub(super) fn new<'a>(entries: impl Iterator<Item = (Word<'a>, Concepts)>) -> Self {
        let mut index = Self::default();
        let mut named = [const { BTreeMap::new() }; 3];
        let mut tagged: Vec<(u32, Word<'a>)> = Vec::new();
        for (entry, concepts) in entries {
            let head = Head::read(entry.0, 0);
            let (kind, key) = head.key(entry.0, entry.1);
            if matches!(kind, Kind::Phrase) {
                index.firsts.push(head.word);
            }
            *named[kind as usize].entry(key).or_insert(0) |= concepts;
            tagged.push((tag(key), entry));
        }
        let [words, phrases, stems] = named;
        let mut sets = Sets::default();
        index.words = Keys::new(words, &mut sets);
        index.phrases = Keys::new(phrases, &mut sets);
        index.stems = Keys::new(stems, &mut sets);
        index.sets = sets.sets;
        index.firsts.sort_unstable();
        index.firsts.dedup();
        index.firsts.shrink_to_fit();
        tagged.sort_by_key(|(tag, (entry, ..))| (*tag, entry.len()));
        let lists = tagged.chunk_by(|(a, _), (b, _)| a == b);
        index.slots = vec![(0, 0); (lists.clone().count() * 4 / 3 + 1).next_power_of_two()];
        for list in lists {
            index.add(list);
        }
        index.listed.shrink_to_fit();
        index.bytes.shrink_to_fit();
        index
    }

    /// Adds the entries of a list.
    fn add(&mut self, list: &[(u32, Word<'_>)]) {
        let tag = list[0].0;
        let mut slot = self.slot(tag);
        while self.slots[slot].1 != 0 {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = (tag, number(self.listed.len() + 1));
        for (at, (_, (entry, stem, meanings))) in list.iter().enumerate() {
            self.listed.push(Listed {
                at: number(self.bytes.len()),
                length: u16::try_from(entry.len()).unwrap_or(u16::MAX),
                meanings: u8::try_from(meanings.1 - meanings.0).unwrap_or(u8::MAX),
                stem: *stem,
                meaning: meanings.0,
                last: at + 1 == list.len(),
            });
            self.bytes.extend_from_slice(entry);
        }
    }

    /// The word at a place that begins with a letter or digit of ASCII.
    #[inline(always)]
    pub(super) fn head(&self, bytes: &[u8], start: usize) -> Head {
        let mut head = Head::read(bytes, start);
        head.has_word = self.words.has(hash(head.word));
        head.has_phrase = self.phrases.has(hash(head.phrase));
        head.has_long_phrase = self.phrases.has(hash(head.long_phrase));
        // All of them, without a branch for each.
        let has = |length: usize| self.stems.has(hash(stem(head.first, length)));
        head.has_stem = has(2) | has(3) | has(4) | has(STEM);
        head
    }

    /// What the entries name that may begin with a word.
    pub(super) fn concepts(&self, head: &Head) -> Concepts {
        let mut all = self.phrases_named(head.phrase) | self.phrases_named(head.long_phrase);
        if head.has_word {
            all |= self.set(self.words.set(hash(head.word)));
        }
        if head.has_stem {
            all |= self.stems_named(head.first);
        }
        all
    }

    /// What entries of one word name that may begin with a word of less than eight bytes.
    pub(super) fn concepts_of(&self, word: u64) -> Concepts {
        let key = hash(word);
        let whole = if self.words.has(key) { self.set(self.words.set(key)) } else { 0 };
        whole | self.stems_named(word)
    }

    /// What the phrases name that may begin with a word of less than eight bytes and what follows it.
    #[inline]
    pub(super) fn phrases_of(&self, word: u64, next: u64) -> Concepts {
        let (phrase, long_phrase) = phrases(word, next);
        self.phrases_named(phrase) | self.phrases_named(long_phrase)
    }

    /// Whether a word begins phrases.
    pub(super) fn begins(&self, word: u64) -> bool {
        self.firsts.binary_search(&word).is_ok()
    }

    #[inline]
    fn phrases_named(&self, phrase: u64) -> Concepts {
        let key = hash(phrase);
        if self.phrases.has(key) { self.set(self.phrases.set(key)) } else { 0 }
    }

    fn stems_named(&self, first: u64) -> Concepts {
        let keys = (2..=STEM).map(|length| hash(stem(first, length)));
        keys.filter(|key| self.stems.has(*key)).fold(0, |all, key| all | self.set(self.stems.set(key)))
    }

    #[inline]
    fn set(&self, number: u16) -> Concepts {
        self.sets.get(usize::from(number)).copied().unwrap_or(0)
    }

    /// The entries that a word begins, the longest last. One that is not a stem must end where its last word does.
    pub(super) fn entries(&self, bytes: &[u8], start: usize, head: &Head) -> Entries {
        let mut entries = Entries::default();
        if head.has_stem {
            for length in 2..=STEM.min(head.run) {
                let key = hash(stem(head.first, length));
                if self.stems.has(key) {
                    self.compare(key, bytes, start, &mut entries);
                }
            }
        }
        if head.has_word {
            self.compare(hash(head.word), bytes, start, &mut entries);
        }
        if head.has_phrase {
            self.compare(hash(head.phrase), bytes, start, &mut entries);
        }
        if head.has_long_phrase {
            self.compare(hash(head.long_phrase), bytes, start, &mut entries);
        }
        entries
    }

    /// Adds the entries of a list that the text has at this place.
    fn compare(&self, key: u64, bytes: &[u8], start: usize, entries: &mut Entries) {
        let Some(first) = self.list(tag(key)) else { return };
        let rest = &bytes[start..];
        for listed in &self.listed[first..] {
            let length = usize::from(listed.length);
            let entry = &self.bytes[listed.at as usize..][..length];
            if rest.starts_with(entry) && (listed.stem || is_word_end(rest, length)) {
                let meanings = (listed.meaning, listed.meaning + u32::from(listed.meanings));
                entries.insert(Found { end: start + length, meanings });
            }
            if listed.last {
                return;
            }
        }
    }

    /// Where a list begins.
    fn list(&self, tag: u32) -> Option<usize> {
        let mut slot = self.slot(tag);
        loop {
            match *self.slots.get(slot)? {
                (_, 0) => return None,
                (known, first) if known == tag => return Some(first as usize - 1),
                _ => slot = (slot + 1) % self.slots.len(),
            }
        }
    }

    fn slot(&self, tag: u32) -> usize {
        tag as usize & self.slots.len().wrapping_sub(1)
    }
}

impl Head {
    #[inline(always)]
    fn read(bytes: &[u8], start: usize) -> Self {
        let first = swar::eight(bytes, start);
        let mut run = swar::alphanumerics(first);
        let first = swar::first(first, run);
        let mut word = first;
        let mut next = swar::eight(bytes, start + run);
        if run == 8 {
            loop {
                let more = swar::alphanumerics(next);
                word = hash(word) ^ swar::first(next, more);
                run += more;
                next = swar::eight(bytes, start + run);
                if more < 8 {
                    break;
                }
            }
        }
        let (phrase, long_phrase) = phrases(word, next);
        Self {
            run,
            first,
            word,
            phrase,
            long_phrase,
            has_word: false,
            has_phrase: false,
            has_long_phrase: false,
            has_stem: false,
        }
    }

    /// The key of the list of an entry that begins with this word.
    fn key(&self, entry: &[u8], is_stem: bool) -> (Kind, u64) {
        if is_stem && self.run == entry.len() {
            (Kind::Stem, hash(stem(self.first, STEM.min(self.run))))
        } else if entry.len() < self.run + NEXT {
            (Kind::Word, hash(self.word))
        } else if entry.len() < self.run + FURTHER {
            (Kind::Phrase, hash(self.phrase))
        } else {
            (Kind::Phrase, hash(self.long_phrase))
        }
    }
}

/// What a list has: entries that are one word or little more, that have several, or that go on.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Word,
    Phrase,
    Stem,
}

/// The first word of phrases with what follows it, less of it and more.
#[inline(always)]
const fn phrases(word: u64, next: u64) -> (u64, u64) {
    let seed = hash(word).rotate_left(29);
    (seed ^ swar::first(next, NEXT), !seed ^ swar::first(next, FURTHER))
}

/// The first bytes of a stem, kept distinct from a word of these.
#[inline(always)]
const fn stem(first: u64, length: usize) -> u64 {
    !swar::first(first, length)
}

#[inline(always)]
const fn hash(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

#[inline(always)]
const fn tag(hash: u64) -> u32 {
    hash as u32
}

/// Keys of lists, and what their entries name. `BITS` is the number of words of 64 bits as a power of two, two bits of one
/// word for each key: it says yes for a few others, never no for one of its own. `SETS` is the same for sets of concepts;
/// keys that share one name the same.
#[derive(Debug, Default)]
struct Keys<const BITS: u32, const SETS: u32> {
    bits: Vec<u64>,
    sets: Vec<u16>,
}

impl<const BITS: u32, const SETS: u32> Keys<BITS, SETS> {
    fn new(named: BTreeMap<u64, Concepts>, sets: &mut Sets) -> Self {
        let mut keys = Self { bits: vec![0; 1 << BITS], sets: vec![0; 1 << SETS] };
        for (key, concepts) in named {
            keys.bits[Self::word(key)] |= Self::pair(key);
            let set = &mut keys.sets[Self::place(key)];
            *set = sets.number(sets.sets.get(usize::from(*set)).copied().unwrap_or(0) | concepts);
        }
        keys
    }

    #[inline(always)]
    fn has(&self, key: u64) -> bool {
        let pair = Self::pair(key);
        self.bits.get(Self::word(key)).is_some_and(|word| word & pair == pair)
    }

    /// The number of the set of concepts.
    #[inline(always)]
    fn set(&self, key: u64) -> u16 {
        self.sets.get(Self::place(key)).copied().unwrap_or(0)
    }

    #[inline(always)]
    const fn word(key: u64) -> usize {
        (key >> (u64::BITS - BITS)) as usize
    }

    #[inline(always)]
    const fn pair(key: u64) -> u64 {
        1 << (key & 63) | 1 << (key >> 6 & 63)
    }

    #[inline(always)]
    const fn place(key: u64) -> usize {
        (key >> (u64::BITS - SETS)) as usize
    }
}

/// Sets of concepts with numbers; the first one is empty.
#[derive(Default)]
struct Sets {
    sets: Vec<Concepts>,
    numbers: BTreeMap<Concepts, u16>,
}

impl Sets {
    fn number(&mut self, concepts: Concepts) -> u16 {
        if self.sets.is_empty() {
            self.sets.push(0);
        }
        *self.numbers.entry(concepts).or_insert_with(|| {
            self.sets.push(concepts);
            u16::try_from(self.sets.len() - 1).unwrap_or(u16::MAX)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [(&str, bool); 9] = [
        ("cancel", true),
        ("canc", true),
        ("don't", false),
        ("go", true),
        ("never", false),
        ("never mind", false),
        ("never mind him", true),
        ("owner", false),
        ("representative of", false),
    ];

    fn index() -> Index {
        let entries = ENTRIES.iter().zip(0..);
        Index::new(entries.map(|((entry, stem), at)| ((entry.as_bytes(), *stem, (at, at + 1)), 1 << at)))
    }

    /// The entries at the start of a text.
    fn found(text: &str) -> Vec<&'static str> {
        let index = index();
        let head = index.head(text.as_bytes(), 0);
        let entries = index.entries(text.as_bytes(), 0, &head);
        assert!(head.is_admitted() || entries.as_slice().is_empty());
        let named = |found: &Found| index.concepts(&head) >> found.meanings.0 & 1 == 1;
        assert!(entries.as_slice().iter().all(named), "{text}");
        entries.as_slice().iter().map(|found| ENTRIES[found.meanings.0 as usize].0).collect()
    }

    #[test]
    fn what_begins_with_an_entry_has_it_the_longest_last() {
        assert_eq!(found("never mind himself"), ["never", "never mind", "never mind him"]);
        assert_eq!(found("never minds"), ["never"]);
        assert_eq!(found("cancelling"), ["canc", "cancel"]);
        assert_eq!(found("going"), ["go"]);
        assert_eq!(found("don't"), ["don't"]);
        assert_eq!(found("representative of"), ["representative of"]);
        for text in ["nevermore", "owners", "owneré", "representatives of", "g", "house", "don"] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn most_other_words_are_not_admitted() {
        let index = index();
        let others = ["the", "house", "owners", "information", "never again", "nevermore", "can", "a", "0"];
        let admitted = others.iter().filter(|text| index.head(text.as_bytes(), 0).is_admitted());
        assert!(admitted.count() <= 1 + usize::from(index.head(b"never again", 0).has_word));
    }
}
