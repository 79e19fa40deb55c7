//! A text as pieces of about a sentence, and the features of their words, in one pass over its bytes.

use crate::scan::fold::Folded;

/// The features are hashed to so many bits.
pub(super) const BITS: u32 = 17;

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

/// Reads a text once: its lines, cut at the ends of sentences.
pub(super) fn walk<S>(
    folded: &Folded,
    state: &mut S,
    feature: impl Fn(u32, &mut S),
    mut piece: impl FnMut(Raw, &mut S),
) {
    let bytes = folded.text.as_bytes();
    let ends = folded.lines.iter().skip(1).map(|line| *line as usize).chain([bytes.len()]);
    for (start, end) in folded.lines.iter().map(|line| *line as usize).zip(ends) {
        let mut from = start;
        while from < end {
            let mut reader = Reader::default();
            let to = reader.read(bytes, from, end, &mut |at| feature(at, state));
            let Reader { features, hash, words, letters, distinct, .. } = reader;
            piece(Raw { start: from, end: to, features, hash, words, letters, distinct }, state);
            from = to;
        }
    }
}

/// A sentence shorter than this goes on with the next.
const SHORT: usize = 60;
/// A piece longer than this ends at the next space, and at twice this anywhere.
const LONG: usize = 400;

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a byte is besides a letter: the first of a character that is a word, the end of a sentence, or between words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Between,
    Wide,
    End,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Between; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            // Han, kana and Hangul, three bytes each.
            0xe3..=0xed => Class::Wide,
            b'.' | b'!' | b'?' | b';' | b':' => Class::End,
            _ => Class::Between,
        };
        byte += 1;
    }
    classes
};

/// The bytes of words, each as it is hashed: every digit alike. 0 is not in a word.
static LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        letters[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z' | b'\'') => letter,
            b'0'..=b'9' => b'0',
            0xe3..=0xed => 0,
            letter @ 0x80..=0xff => letter,
            _ => 0,
        };
        byte += 1;
    }
    letters
};

/// Reads one piece. Keeps the first letters of the last two words.
#[derive(Default)]
pub(super) struct Reader {
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
    pub(super) fn read(&mut self, bytes: &[u8], from: usize, end: usize, feature: &mut impl FnMut(u32)) -> usize {
        let mut stop = end.min(from + 2 * LONG);
        while stop < end && bytes[stop] & 0xc0 == 0x80 {
            stop += 1;
        }
        let bytes = &bytes[..end];
        let mut at = from;
        while at < stop {
            let byte = bytes[at];
            if LETTERS[byte as usize] != 0 {
                at += self.word(&bytes[at..stop], feature);
                continue;
            }
            let class = CLASSES[byte as usize];
            if class == Class::Wide && at + 3 <= stop {
                let (second, third) = (bytes[at + 1], bytes[at + 2]);
                at += 3;
                if (byte, second) != (0xe3, 0x80) {
                    let word = u64::from(byte) << 16 | u64::from(second) << 8 | u64::from(third);
                    self.end_word(word, word, 3, feature);
                } else if third == 0x82 && at - from >= SHORT {
                    // 。 ends a sentence.
                    return at;
                }
                continue;
            }
            at += 1;
            let long = at - from;
            let sentence = class == Class::End && long > SHORT && bytes.get(at) == Some(&b' ');
            if sentence || byte == b' ' && long > LONG {
                return at;
            }
        }
        stop
    }

    /// Reads the word at the start of a part, and says how long it is.
    #[inline(always)]
    fn word(&mut self, part: &[u8], feature: &mut impl FnMut(u32)) -> usize {
        // Five letters, also of those that take two bytes.
        let first = if part[0] < 0x80 { 5 } else { 10 };
        let (mut hash, mut stem, mut length) = (0_u64, 0, 0);
        for byte in part {
            let letter = LETTERS[*byte as usize];
            if letter == 0 {
                break;
            }
            hash = hash.rotate_left(7) ^ u64::from(letter);
            length += 1;
            if length == first {
                stem = hash;
            }
        }
        self.end_word(hash, if length > first { stem } else { hash }, length, feature);
        length
    }

    #[inline(always)]
    fn end_word(&mut self, word: u64, stem: u64, length: usize, feature: &mut impl FnMut(u32)) {
        self.letters += u32::try_from(length).unwrap_or(0);
        self.words += 1;
        let is_stem = word == stem;
        // Never 0, which stands for no word.
        let (word, stem) = (word.wrapping_mul(MIX) | 1, stem.wrapping_mul(MIX) | 1);
        self.distinct |= 1 << (word >> 58);
        self.hash = (self.hash.rotate_left(7) ^ word).wrapping_mul(MIX);
        feature(slot(word));
        self.features += 1;
        if !is_stem {
            feature(slot(stem ^ 2));
            self.features += 1;
        }
        if self.before != 0 {
            let two = self.before.rotate_left(17) ^ stem;
            feature(slot(two ^ 4));
            self.features += 1;
            if self.earlier != 0 {
                feature(slot(self.earlier.rotate_left(31) ^ stem ^ 6));
                feature(slot(self.earlier.rotate_left(41) ^ two.wrapping_mul(MIX)));
                self.features += 2;
            }
        }
        (self.earlier, self.before) = (self.before, stem);
    }
}

#[inline(always)]
fn slot(hash: u64) -> u32 {
    (hash.wrapping_mul(MIX) >> (u64::BITS - BITS)) as u32
}
