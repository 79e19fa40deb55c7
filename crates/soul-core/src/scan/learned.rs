//! A linear model over hashed n-grams of the folded text: what phrases cannot name.
//!
//! Features are words in ones, twos and threes and runs of three to five bytes, hashed into one
//! table of small weights. Every stretch of the text is judged at four lengths, so that a sentence
//! in a long file weighs as much as it would alone. Integers decide; the same text has the same
//! score on every machine. `cargo xtask scan-train` makes the weights.

use std::collections::HashSet;

use super::fold::Folded;

/// The number of weights.
pub const SIZE: usize = 1 << BITS;
const BITS: u32 = 18;

/// The window lengths at which a text is scored, in bytes; 0 is a single piece.
pub const LENGTHS: [usize; 4] = [0, 240, 800, 2400];

/// A linear model: one weight per feature, and a threshold per window length.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    pub weights: &'a [i8; SIZE],
    /// The scores from which a window is reported.
    pub thresholds: [f64; 4],
}

/// A window of the folded text and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Start in the folded text.
    pub start: usize,
    /// End in the folded text.
    pub end: usize,
    /// Index into [`LENGTHS`].
    pub length: usize,
    /// The score minus the threshold; negative below it.
    pub margin: f64,
}

/// A piece of a text, a line or some sentences of it: the features it has.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    sum: i64,
    count: u32,
}

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness<'a> {
    /// What is quoted, or speaks of defence, is skipped; so are pieces at these places, in order,
    /// where a rule found words that are not meant.
    Meant(&'a [usize]),
    /// Every word counts.
    Everything,
}

impl Model<'_> {
    /// The highest score of a text at each of [`LENGTHS`], for choosing thresholds.
    #[must_use]
    pub fn best(&self, text: &str) -> [f64; 4] {
        let mut best = [f64::NEG_INFINITY; 4];
        let folded = super::fold::fold(text);
        let refused = super::refused(text, &folded);
        self.stretches(&folded, Strictness::Meant(&refused), |stretch| {
            best[stretch.length] = best[stretch.length].max(stretch.margin + self.thresholds[stretch.length]);
        });
        best
    }

    /// The stretch that passes its threshold by most, unless nothing can be judged.
    pub(crate) fn judge(&self, folded: &Folded, strictness: Strictness<'_>) -> Option<Stretch> {
        let mut best: Option<Stretch> = None;
        self.stretches(folded, strictness, |stretch| {
            if best.is_none_or(|best| stretch.margin > best.margin) {
                best = Some(stretch);
            }
        });
        best
    }

    fn stretches(&self, folded: &Folded, strictness: Strictness<'_>, mut found: impl FnMut(Stretch)) {
        let bytes = folded.text.as_bytes();
        // What is said again says nothing more, and would only make a stretch seem surer.
        let mut counted = HashSet::new();
        let pieces: Vec<Piece> = pieces(folded)
            .map(|(start, end)| {
                let (mut sum, mut count) = (0, 0);
                let counts = counted.insert(&bytes[start..end])
                    && match strictness {
                        Strictness::Everything => true,
                        Strictness::Meant(lowered) => {
                            let at = lowered.partition_point(|at| *at < start);
                            lowered.get(at).is_none_or(|at| *at >= end) && is_meant(&folded.text[start..end])
                        }
                    };
                if counts && is_prose(&bytes[start..end]) && is_varied(&bytes[start..end]) {
                    features(bytes, start, end, |at| {
                        sum += i64::from(self.weights[at]);
                        count += 1;
                    });
                }
                Piece { start, end, sum, count }
            })
            .collect();
        for (length, least) in LENGTHS.into_iter().enumerate() {
            let (mut sum, mut count, mut next) = (0, 0u32, 0);
            for (first, piece) in pieces.iter().enumerate() {
                while next <= first || (next < pieces.len() && pieces[next].start - piece.start < least) {
                    sum += pieces[next].sum;
                    count += pieces[next].count;
                    next += 1;
                }
                if count >= FEWEST {
                    let margin = score(sum, count) - self.thresholds[length];
                    found(Stretch { start: piece.start, end: pieces[next - 1].end, length, margin });
                }
                sum -= piece.sum;
                count -= piece.count;
            }
        }
    }

    /// The parts of a stretch that weigh most: where they are in the folded text, heaviest first.
    pub(crate) fn reasons(&self, folded: &Folded, stretch: Stretch) -> Vec<(usize, usize)> {
        let bytes = folded.text.as_bytes();
        let mut words = Vec::new();
        let mut start = stretch.start;
        while start < stretch.end {
            let end =
                bytes[start..stretch.end].iter().position(|byte| *byte == b' ').map_or(stretch.end, |at| start + at);
            let mut sum = 0;
            features(bytes, start, end, |at| sum += i64::from(self.weights[at]));
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

/// Fewer features than this, some thirty letters, say nothing: a short sentence is anybody's.
const FEWEST: u32 = 95;

/// Whether a piece has words, and is no ruler or drawing.
fn is_prose(piece: &[u8]) -> bool {
    let letters = piece.iter().filter(|byte| byte.is_ascii_lowercase() || **byte >= 0x80).count();
    letters * 2 > piece.len() && !piece.starts_with("\u{2500}".as_bytes())
}

/// Whether a piece is more than the same few letters or words over and over. Of any four letters in
/// prose, most stand together once.
fn is_varied(piece: &[u8]) -> bool {
    const ENOUGH: usize = 60;
    let mut seen = [0_u64; 64];
    let (mut all, mut distinct) = (0_usize, 0_usize);
    for four in piece.windows(4) {
        let hash = four.iter().fold(0_u32, |hash, byte| hash.wrapping_mul(0x0100_0193) ^ u32::from(*byte));
        let bit = (hash.wrapping_mul(0x9e37_79b1) >> 20) as usize;
        let (word, mask) = (bit / 64, 1_u64 << (bit % 64));
        distinct += usize::from(seen[word] & mask == 0);
        seen[word] |= mask;
        all += 1;
    }
    piece.len() < ENOUGH || distinct * 2 > all
}

/// Whether a piece is said by the text itself, and is not what it quotes or warns of.
fn is_meant(piece: &str) -> bool {
    let bare = piece.trim_end_matches([' ', '.', ',', ';', ')', '-']);
    let quoted = bare.len() > 2 && bare.starts_with('"') && bare.ends_with('"');
    !quoted && !WARNS.iter().any(|warns| piece.contains(warns))
}

/// Words of texts that defend.
const WARNS: [&str; 5] =
    ["prompt injection", "as data, not instructions", "jailbreak attempt", "social engineering", "untrusted"];

/// The score of a sum of weights over `count` features, normalized so that windows of different lengths are
/// comparable.
#[must_use]
pub fn score(sum: i64, count: u32) -> f64 {
    // The sums of no text that is scanned come near what a double holds exactly.
    #[allow(clippy::cast_precision_loss)]
    let sum = sum as f64;
    sum / f64::from(count).sqrt()
}

/// The pieces of a text: its lines, long ones cut at the ends of sentences.
fn pieces(folded: &Folded) -> impl Iterator<Item = (usize, usize)> {
    const SHORT: usize = 100;
    const LONG: usize = 400;
    let bytes = folded.text.as_bytes();
    let ends = folded.lines.iter().skip(1).map(|line| *line as usize).chain([bytes.len()]);
    let lines = folded.lines.iter().map(|line| *line as usize).zip(ends);
    lines.flat_map(move |(mut start, end)| {
        std::iter::from_fn(move || {
            if start >= end {
                return None;
            }
            let piece = &bytes[start..end];
            let is_end = |at: &usize| {
                let sentence = matches!(piece[*at], b'.' | b'!' | b'?' | b';' | b':');
                let too_long = *at >= 2 * LONG && piece.get(*at + 1).is_none_or(|next| next & 0xc0 != 0x80);
                piece.get(*at + 1) == Some(&b' ') && sentence || *at >= LONG && piece[*at] == b' ' || too_long
            };
            let length = (SHORT.min(piece.len())..piece.len()).find(is_end).map_or(piece.len(), |at| at + 1);
            let from = start;
            start += length;
            Some((from, start))
        })
    })
}

/// Splits a text into pieces and passes each with its features to `piece`, for training.
pub fn read(text: &str, mut piece: impl FnMut(usize, &[u32])) {
    let folded = super::fold::fold(text);
    let mut indexes = Vec::new();
    for (start, end) in pieces(&folded) {
        indexes.clear();
        features(folded.text.as_bytes(), start, end, |at| indexes.push(at as u32));
        piece(end - start, &indexes);
    }
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

fn slot(hash: u64) -> usize {
    (hash.wrapping_mul(MIX) >> (u64::BITS - BITS)) as usize
}

/// Every feature of a part of a text, as the slot of its weight.
#[inline]
fn features(bytes: &[u8], start: usize, end: usize, mut feature: impl FnMut(usize)) {
    // The space before a word belongs to what is read.
    let part = &bytes[start.saturating_sub(1)..end];
    let mut words = Words::default();
    for window in part.windows(8) {
        let eight = u64::from_le_bytes(window.try_into().unwrap_or_default());
        runs(eight, 5, &mut feature);
        words.read(window[0], &mut feature);
    }
    for at in part.len().saturating_sub(7)..part.len() {
        let mut eight = [0; 8];
        let rest = &part[at..];
        eight[..rest.len().min(8)].copy_from_slice(&rest[..rest.len().min(8)]);
        runs(u64::from_le_bytes(eight), rest.len(), &mut feature);
        words.read(part[at], &mut feature);
    }
    words.end(&mut feature);
}

/// The runs of three to five bytes that begin here, as far as the text goes.
#[inline(always)]
fn runs(eight: u64, left: usize, feature: &mut impl FnMut(usize)) {
    if left >= 3 {
        feature(slot((eight & 0xff_ffff) | 3 << 60));
    }
    if left >= 4 {
        feature(slot((eight & 0xffff_ffff) | 4 << 60));
    }
    if left >= 5 {
        feature(slot((eight & 0xff_ffff_ffff) | 5 << 60));
    }
}

/// The word that is being read, and the two before it.
#[derive(Default)]
struct Words {
    word: u64,
    before: u64,
    earlier: u64,
}

impl Words {
    #[inline(always)]
    fn read(&mut self, byte: u8, feature: &mut impl FnMut(usize)) {
        if byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'\'' {
            self.word = (self.word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
        } else {
            self.end(feature);
        }
    }

    #[inline]
    fn end(&mut self, feature: &mut impl FnMut(usize)) {
        if self.word != 0 {
            feature_words(self.word, self.before, self.earlier, feature);
            (self.earlier, self.before, self.word) = (self.before, self.word, 0);
        }
    }
}

#[inline]
fn feature_words(word: u64, before: u64, earlier: u64, feature: &mut impl FnMut(usize)) {
    feature(slot(word));
    if before != 0 {
        let two = before.wrapping_mul(MIX).rotate_left(17) ^ word;
        feature(slot(two ^ 2));
        if earlier != 0 {
            feature(slot(earlier.wrapping_mul(MIX).rotate_left(31) ^ two.wrapping_mul(MIX)));
        }
    }
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
