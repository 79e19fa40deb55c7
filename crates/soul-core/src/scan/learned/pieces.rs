//! A text as pieces of about a sentence, and the features of their words, in one pass over its bytes.

use crate::scan::fold::Folded;
use crate::scan::swar;

/// The features are hashed to so many bits.
pub(super) const BITS: u32 = 17;

/// The words that have a weight, by the first bits of their hash. Others are read over, as if they were not there: a word
/// that no attack has can neither weigh against one nor stand between two of its words.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'a>(pub &'a [u8; WORDS / 8]);

/// How many words a vocabulary tells apart.
pub const WORDS: usize = 1 << 18;

impl Vocabulary<'_> {
    #[inline(always)]
    pub(in crate::scan) fn has(self, word: u64) -> bool {
        let at = Self::place(word);
        self.0[at / 8] >> (at % 8) & 1 == 1
    }

    /// Where a word is in a vocabulary.
    #[inline(always)]
    pub(in crate::scan) const fn place(word: u64) -> usize {
        (word.wrapping_mul(MIX) >> (u64::BITS - WORDS.trailing_zeros())) as usize
    }
}

/// What is known of a piece when it has been read.
pub(super) struct Raw {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) features: u32,
    /// Of its words in order.
    pub(super) hash: u64,
    /// The number of words, and of bytes in them.
    words: u32,
    letters: u32,
    /// A bit for each word, so that repetition shows.
    distinct: u64,
}

impl Raw {
    /// Whether a piece has words, and more than the same few over and over.
    pub(super) fn is_prose(&self) -> bool {
        self.letters as usize * 2 > self.end - self.start && self.distinct.count_ones() * 3 >= self.words.min(60)
    }
}

/// Reads parts of a text once, in order: their lines, cut at the ends of sentences.
pub(super) fn walk<S>(
    folded: &Folded,
    parts: &[(usize, usize)],
    vocabulary: Vocabulary<'_>,
    state: &mut S,
    feature: impl Fn(u32, &mut S),
    mut piece: impl FnMut(Raw, &mut S),
) {
    let bytes = folded.text.as_bytes();
    let ends = folded.lines.iter().skip(1).map(|line| *line as usize).chain([bytes.len()]);
    let mut part = 0;
    for (start, end) in folded.lines.iter().map(|line| *line as usize).zip(ends) {
        while parts.get(part).is_some_and(|(_, to)| *to < start) {
            part += 1;
        }
        let Some((first, _)) = parts.get(part) else { return };
        if *first > end {
            continue;
        }
        let mut from = start;
        while from < end {
            let mut reader = Reader::default();
            let to = reader.read(bytes, from, end, &mut |word| vocabulary.has(word), &mut |at| feature(at, state));
            let Reader { features, hash, words, letters, distinct, .. } = reader;
            piece(Raw { start: from, end: to, features, hash, words, letters, distinct }, state);
            from = to;
        }
    }
}

/// A sentence shorter than this goes on with the next.
pub(super) const SHORT: usize = 60;
/// A piece longer than this ends at the next space, and at twice this anywhere.
const LONG: usize = 400;

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a byte is: part of a word, the first of a character that is a word, the end of a sentence, or between words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Between,
    Word,
    Digit,
    Wide,
    End,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Between; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'\'' => Class::Word,
            b'0'..=b'9' => Class::Digit,
            // Han, kana and Hangul, three bytes each.
            0xe3..=0xed => Class::Wide,
            0x80..=0xff => Class::Word,
            b'.' | b'!' | b'?' | b';' | b':' => Class::End,
            _ => Class::Between,
        };
        byte += 1;
    }
    classes
};

/// Reads one piece. Keeps the word that is being read, its first letters, and those of the two before it.
#[derive(Default)]
pub(super) struct Reader {
    word: u64,
    length: usize,
    stem: u64,
    before: u64,
    earlier: u64,
    features: u32,
    hash: u64,
    words: u32,
    letters: u32,
    distinct: u64,
}

impl Reader {
    /// Reads from a place to the end of the piece that begins there, and says where that is.
    #[inline]
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        from: usize,
        end: usize,
        known: &mut impl FnMut(u64) -> bool,
        feature: &mut impl FnMut(u32),
    ) -> usize {
        let mut at = from;
        // Before this place no piece is too long, and letters need no further look.
        let near = end.min(from + 2 * LONG - 1);
        while at < end {
            while at < near {
                let eight = swar::eight(bytes, at);
                let count = swar::letters(eight).min(near - at);
                self.letters(eight, count);
                at += count;
                if count < 8 {
                    break;
                }
            }
            if at == end {
                break;
            }
            let byte = bytes[at];
            let class = CLASSES[byte as usize];
            match class {
                Class::Word => self.letter(byte),
                Class::Digit => self.letter(b'0'),
                Class::Wide if at + 3 <= end => {
                    self.end_word(known, feature);
                    if bytes[at] == 0xe3 && bytes[at + 1] == 0x80 {
                        // Punctuation; 。 ends a sentence.
                        if bytes[at + 2] == 0x82 && at + 3 - from >= SHORT {
                            return at + 3;
                        }
                    } else {
                        let (second, third) = (u64::from(bytes[at + 1]), u64::from(bytes[at + 2]));
                        self.word = (u64::from(byte) << 16 | second << 8 | third).wrapping_mul(MIX);
                        self.length = 3;
                        self.end_word(known, feature);
                    }
                    at += 3;
                    continue;
                }
                Class::Wide => {}
                Class::Between | Class::End => {
                    self.end_word(known, feature);
                    let long = at - from;
                    let sentence = class == Class::End && long >= SHORT && bytes.get(at + 1) == Some(&b' ');
                    if sentence || byte == b' ' && long >= LONG {
                        return at + 1;
                    }
                }
            }
            at += 1;
            if at - from >= 2 * LONG && bytes.get(at).is_none_or(|next| next & 0xc0 != 0x80) {
                break;
            }
        }
        self.end_word(known, feature);
        at
    }

    /// The first letters of eight bytes. The hashes of all are computed, without a branch for each letter: no processor
    /// can tell how long the next word is.
    #[inline(always)]
    fn letters(&mut self, eight: u64, count: usize) {
        const STEM: usize = 5;
        let mut words = [self.word; 9];
        for (at, byte) in eight.to_le_bytes().into_iter().enumerate() {
            words[at + 1] = hashed(words[at], byte);
        }
        self.word = words[count];
        let left = STEM.wrapping_sub(self.length);
        if (1..=count).contains(&left) {
            self.stem = words[left];
        }
        self.length += count;
    }

    #[inline(always)]
    fn letter(&mut self, byte: u8) {
        self.word = hashed(self.word, byte);
        self.length += 1;
        // Five letters, also of those that take two bytes.
        if self.length == if byte < 0x80 { 5 } else { 10 } {
            self.stem = self.word;
        }
    }

    #[inline(always)]
    fn end_word(&mut self, known: &mut impl FnMut(u64) -> bool, feature: &mut impl FnMut(u32)) {
        if self.word == 0 {
            return;
        }
        let word = self.word;
        let stem = if self.stem == 0 { word } else { self.stem };
        self.letters += u32::try_from(self.length).unwrap_or(0);
        self.words += 1;
        self.distinct |= 1 << (word.wrapping_mul(MIX) >> 58);
        self.hash = (self.hash.rotate_left(7) ^ word).wrapping_mul(MIX);
        if !known(word) {
            (self.word, self.stem, self.length) = (0, 0, 0);
            return;
        }
        feature(slot(word));
        self.features += 1;
        if stem != word {
            feature(slot(stem ^ 1));
            self.features += 1;
        }
        if self.before != 0 {
            let two = self.before.wrapping_mul(MIX).rotate_left(17) ^ stem;
            feature(slot(two ^ 2));
            self.features += 1;
            if self.earlier != 0 {
                feature(slot(self.earlier.wrapping_mul(MIX).rotate_left(31) ^ stem ^ 3));
                feature(slot(self.earlier.wrapping_mul(MIX).rotate_left(41) ^ two.wrapping_mul(MIX)));
                self.features += 2;
            }
        }
        (self.earlier, self.before, self.word, self.stem, self.length) = (self.before, stem, 0, 0, 0);
    }
}

/// The hash of a word and one more letter.
#[inline(always)]
const fn hashed(word: u64, letter: u8) -> u64 {
    (word ^ letter as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(5)
}

/// Where a feature is in the table of weights.
#[inline(always)]
pub(super) fn slot(hash: u64) -> u32 {
    (hash.wrapping_mul(MIX) >> (u64::BITS - BITS)) as u32
}
