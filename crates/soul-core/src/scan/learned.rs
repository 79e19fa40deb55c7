//! A linear model over hashed words of the folded text: what phrases cannot name.
//!
//! Features are words, their first letters, and pairs and triples of these, hashed into one table of small weights; in
//! scripts without spaces each character is a word. A text is cut into pieces, about a sentence each, and judged in
//! windows of one piece and of some, so that a sentence in a long file weighs as much as it would alone. Integers decide;
//! the same text has the same score on every machine. `cargo xtask scan-train` makes the weights.

use std::collections::HashSet;

use super::fold::Folded;
use crate::text::Span;

/// The number of weights.
pub const SIZE: usize = 1 << BITS;
const BITS: u32 = 17;

/// The window lengths at which a text is scored, in bytes; 0 is a single piece.
pub const LENGTHS: [usize; 3] = [0, 300, 1000];

/// A score for each of [`LENGTHS`].
pub type Scores = [f64; LENGTHS.len()];

/// A linear model: one weight per feature, and thresholds for each window length.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    pub weights: &'a [i8; SIZE],
    /// From these on a window is reported by itself.
    pub alone: Scores,
    /// From these on a window is reported together with another sign in it.
    pub with_sign: Scores,
}

/// A window of the folded text and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    /// Start in the folded text.
    pub(crate) start: usize,
    /// End in the folded text.
    pub(crate) end: usize,
    /// Index into [`LENGTHS`].
    pub(crate) length: usize,
    pub(crate) score: f64,
}

/// The highest scores of a text: of any window, and of windows with another sign in them.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Best {
    pub alone: Scores,
    pub with_sign: Scores,
}

/// A piece of a text, about a sentence: its features and what they weigh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    start: usize,
    end: usize,
    sum: i64,
    count: u32,
}

impl Model<'_> {
    /// The highest scores of a text, for choosing thresholds.
    #[must_use]
    pub fn best(&self, text: &str) -> Best {
        let none = [f64::NEG_INFINITY; LENGTHS.len()];
        let mut best = Best { alone: none, with_sign: none };
        let folded = super::fold::fold(text);
        let (lowered, signs) = super::evidence(text, &folded);
        windows(&self.pieces(&folded), &lowered, |window| {
            let Window { length, score, .. } = window;
            best.alone[length] = best.alone[length].max(score);
            if score > best.with_sign[length] && has_sign(&folded, window, &signs) {
                best.with_sign[length] = score;
            }
        });
        best
    }

    /// The pieces of a text, with what they weigh. What is said again weighs nothing.
    pub(crate) fn pieces(&self, folded: &Folded) -> Vec<Piece> {
        let mut said = HashSet::new();
        let mut pieces = Vec::new();
        let mut sum = 0;
        let weigh = |at: u32, sum: &mut i64| *sum += i64::from(self.weights[at as usize]);
        walk(folded, &mut sum, weigh, |raw, sum| {
            let counts = raw.is_prose() && said.insert(raw.hash);
            let count = if counts { raw.features } else { 0 };
            pieces.push(Piece { start: raw.start, end: raw.end, sum: if counts { *sum } else { 0 }, count });
            *sum = 0;
        });
        pieces
    }

    /// The window that passes its threshold by most.
    pub(crate) fn judge(&self, pieces: &[Piece], lowered: &[usize], thresholds: &Scores) -> Option<Window> {
        let mut best: Option<(f64, Window)> = None;
        windows(pieces, lowered, |window| {
            let margin = window.score - thresholds[window.length];
            if margin > 0.0 && best.is_none_or(|(most, _)| margin > most) {
                best = Some((margin, window));
            }
        });
        best.map(|(_, window)| window)
    }

    /// The window with another sign in it that passes its threshold by most.
    pub(crate) fn judge_signs(
        &self,
        folded: &Folded,
        pieces: &[Piece],
        lowered: &[usize],
        signs: &[Span],
    ) -> Option<Window> {
        let mut best: Option<(f64, Window)> = None;
        if signs.is_empty() {
            return None;
        }
        windows(pieces, lowered, |window| {
            let margin = window.score - self.with_sign[window.length];
            if margin > 0.0 && best.is_none_or(|(most, _)| margin > most) && has_sign(folded, window, signs) {
                best = Some((margin, window));
            }
        });
        best.map(|(_, window)| window)
    }

    /// The parts of a window that weigh most: where they are in the folded text, heaviest first.
    pub(crate) fn reasons(&self, folded: &Folded, window: Window) -> Vec<(usize, usize)> {
        let bytes = folded.text.as_bytes();
        let mut words = Vec::new();
        let mut start = window.start;
        while start < window.end {
            let end =
                bytes[start..window.end].iter().position(|byte| *byte == b' ').map_or(window.end, |at| start + at);
            let mut sum = 0;
            let mut reader = Reader::default();
            let mut weigh = |at: u32| sum += i64::from(self.weights[at as usize]);
            reader.read(&bytes[start..end], 0, end - start, &mut weigh);
            words.push((sum, start, end));
            start = end + 1;
        }
        // Runs of up to six words, the heaviest that do not touch.
        let mut runs: Vec<(i64, usize, usize)> = Vec::new();
        for (first, (_, start, _)) in words.iter().enumerate() {
            let mut sum = 0;
            for (word, _, end) in words[first..].iter().take(6) {
                sum += word;
                runs.push((sum, *start, *end));
            }
        }
        runs.sort_by_key(|(sum, start, end)| (-sum, *start, *end));
        let mut chosen: Vec<(usize, usize)> = Vec::new();
        for (sum, start, end) in runs {
            if sum > 0 && chosen.iter().all(|(from, to)| end < *from || *to < start) {
                chosen.push((start, end));
                if chosen.len() == 3 {
                    break;
                }
            }
        }
        chosen
    }
}

/// Every window of the pieces. Pieces with words at one of the lowered places, in order, weigh nothing.
fn windows(pieces: &[Piece], lowered: &[usize], mut found: impl FnMut(Window)) {
    let weighs = |piece: &Piece| {
        let at = lowered.partition_point(|at| *at < piece.start);
        let counts = lowered.get(at).is_none_or(|at| *at >= piece.end);
        if counts { (piece.sum, piece.count) } else { (0, 0) }
    };
    for (length, least) in LENGTHS.into_iter().enumerate() {
        let (mut sum, mut count, mut next) = (0, 0, 0);
        for (first, piece) in pieces.iter().enumerate() {
            while next <= first || (next < pieces.len() && pieces[next].start - piece.start < least) {
                let (more, features) = weighs(&pieces[next]);
                (sum, count, next) = (sum + more, count + features, next + 1);
            }
            if count >= FEWEST {
                let score = score(sum, count);
                found(Window { start: piece.start, end: pieces[next - 1].end, length, score });
            }
            let (less, features) = weighs(piece);
            (sum, count) = (sum - less, count - features);
        }
    }
}

fn has_sign(folded: &Folded, window: Window, signs: &[Span]) -> bool {
    let span = folded.span(window.start, window.end);
    signs.iter().any(|sign| sign.start < span.end && span.start < sign.end)
}

/// Fewer features than this, some six words, say nothing: a short sentence is anybody's.
pub const FEWEST: u32 = 24;

/// The score of a sum of weights over `count` features, normalized so that windows of different lengths are
/// comparable.
#[must_use]
pub fn score(sum: i64, count: u32) -> f64 {
    // The sums of no text that is scanned come near what a double holds exactly.
    #[allow(clippy::cast_precision_loss)]
    let sum = sum as f64;
    sum / f64::from(count.max(1)).sqrt()
}

/// Splits a text into pieces and passes each, folded, with its features to `piece`, for training.
pub fn read(text: &str, mut piece: impl FnMut(&str, &[u32])) {
    let folded = super::fold::fold(text);
    let mut said = HashSet::new();
    let mut indexes: Vec<u32> = Vec::new();
    walk(&folded, &mut indexes, |at, indexes| indexes.push(at), |raw, indexes| {
        if !raw.is_prose() || !said.insert(raw.hash) {
            indexes.clear();
        }
        piece(&folded.text[raw.start..raw.end], indexes);
        indexes.clear();
    });
}

/// What is known of a piece when it has been read.
struct Raw {
    start: usize,
    end: usize,
    features: u32,
    /// Of its words in order.
    hash: u64,
    /// The number of words, and of bytes in them.
    words: u32,
    letters: u32,
    /// A bit for each word, so that repetition shows.
    distinct: u64,
}

impl Raw {
    /// Whether a piece has words, and more than the same few over and over.
    fn is_prose(&self) -> bool {
        self.letters as usize * 2 > self.end - self.start && self.distinct.count_ones() * 3 >= self.words.min(60)
    }
}

/// Reads a text once: its lines, cut at the ends of sentences.
fn walk<S>(folded: &Folded, state: &mut S, feature: impl Fn(u32, &mut S), mut piece: impl FnMut(Raw, &mut S)) {
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
struct Reader {
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
    fn read(&mut self, bytes: &[u8], from: usize, end: usize, feature: &mut impl FnMut(u32)) -> usize {
        let mut at = from;
        while at < end {
            let byte = bytes[at];
            let class = CLASSES[byte as usize];
            match class {
                Class::Word => self.letter(byte),
                Class::Digit => self.letter(b'0'),
                Class::Wide if at + 3 <= end => {
                    self.end_word(feature);
                    if bytes[at] == 0xe3 && bytes[at + 1] == 0x80 {
                        // Punctuation; 。 ends a sentence.
                        if bytes[at + 2] == 0x82 && at + 3 - from >= SHORT {
                            return at + 3;
                        }
                    } else {
                        let (second, third) = (u64::from(bytes[at + 1]), u64::from(bytes[at + 2]));
                        self.word = (u64::from(byte) << 16 | second << 8 | third).wrapping_mul(MIX);
                        self.length = 3;
                        self.end_word(feature);
                    }
                    at += 3;
                    continue;
                }
                Class::Wide => {}
                Class::Between | Class::End => {
                    self.end_word(feature);
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
        self.end_word(feature);
        at
    }

    #[inline(always)]
    fn letter(&mut self, byte: u8) {
        self.word = (self.word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
        self.length += 1;
        // Five letters, also of those that take two bytes.
        if self.length == if byte < 0x80 { 5 } else { 10 } {
            self.stem = self.word;
        }
    }

    #[inline(always)]
    fn end_word(&mut self, feature: &mut impl FnMut(u32)) {
        if self.word == 0 {
            return;
        }
        let word = self.word;
        let stem = if self.stem == 0 { word } else { self.stem };
        self.letters += u32::try_from(self.length).unwrap_or(0);
        self.words += 1;
        self.distinct |= 1 << (word.wrapping_mul(MIX) >> 58);
        self.hash = (self.hash.rotate_left(7) ^ word).wrapping_mul(MIX);
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

#[inline(always)]
fn slot(hash: u64) -> u32 {
    (hash.wrapping_mul(MIX) >> (u64::BITS - BITS)) as u32
}

#[cfg(test)]
mod tests {
    use crate::scan::{File, scan};

    #[test]
    fn repetition_is_no_attack() {
        let texts = ["More. ".repeat(500), "a".repeat(5000), "word ".repeat(3000), "hello world\n".repeat(900)];
        let line = "You are a helpful assistant.\n";
        for text in texts.into_iter().chain([line.to_owned(), line.repeat(300)]) {
            let report = scan(&[File { path: "SOUL.md", bytes: text.as_bytes() }]);
            assert!(report.passed(), "{} is reported: {:?}", &text[..20], report.findings);
        }
    }
}
