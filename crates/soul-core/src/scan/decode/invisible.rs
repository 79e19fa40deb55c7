//! Text in characters that nobody sees: selectors, characters of no width, and overrides of direction.

use super::{Decoded, prose};
use crate::text::Span;
use crate::text::characters::is_zero_width;

pub(super) fn decode(text: &str, decoded: &mut Vec<Decoded>) {
    selectors(text, decoded);
    bits(text, decoded);
    overrides(text, decoded);
}

/// Variation selectors that stand in a row carry a byte each.
fn selectors(text: &str, decoded: &mut Vec<Decoded>) {
    let mut run: Vec<u8> = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let byte = match c {
            '\u{fe00}'..='\u{fe0f}' => Some(u32::from(c) - 0xfe00),
            '\u{e0100}'..='\u{e01ef}' => Some(u32::from(c) - 0xe0100 + 16),
            _ => None,
        };
        match byte {
            Some(byte) => {
                if run.is_empty() {
                    start = at;
                }
                run.push(u8::try_from(byte).unwrap_or(0));
            }
            None if run.len() >= 4 => {
                let text = String::from_utf8_lossy(&run).into_owned();
                decoded.push(Decoded { how: "variation selectors", text, span: Span::new(start, at) });
                run.clear();
            }
            None => run.clear(),
        }
    }
}

/// Characters of no width in a row are bits: two of them are the digits, others only part bytes.
fn bits(text: &str, decoded: &mut Vec<Decoded>) {
    /// Two letters have this many bits.
    const FEWEST: usize = 16;
    let mut every: Vec<char> = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let (mut start, mut first, mut last) = (0, None, 0);
    let mut found = false;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_zero_width(c) {
            if run.is_empty() {
                start = at;
            }
            run.push(c);
            every.push(c);
            first = first.or(Some(at));
            last = at + c.len_utf8();
        } else {
            if run.len() >= FEWEST
                && let Some(text) = from_bits(&run)
            {
                decoded.push(Decoded { how: "zero-width characters", text, span: Span::new(start, at) });
                found = true;
            }
            run.clear();
        }
    }
    // One after each letter of a text that is seen.
    if let Some(first) = first
        && !found
        && every.len() >= 4 * FEWEST
        && let Some(text) = from_bits(&every)
    {
        decoded.push(Decoded { how: "zero-width characters", text, span: Span::new(first, last) });
    }
}

/// The text that bits spell, whichever of the two characters is the one.
fn from_bits(run: &[char]) -> Option<String> {
    let mut kinds: Vec<(usize, char)> = Vec::new();
    for c in run {
        match kinds.iter_mut().find(|(_, kind)| kind == c) {
            Some((count, _)) => *count += 1,
            None => kinds.push((1, *c)),
        }
    }
    kinds.sort_unstable_by(|a, b| b.cmp(a));
    let [(_, a), (_, b), ..] = kinds[..] else { return None };
    let digits = run.iter().filter(|c| **c == a || **c == b);
    for one in [a, b] {
        let bits: Vec<u8> = digits.clone().map(|c| u8::from(*c == one)).collect();
        for width in [8, 7] {
            let byte = |bits: &[u8]| bits.iter().fold(0, |byte, bit| byte << 1 | bit);
            if let Some(text) = prose(bits.chunks_exact(width).map(byte).collect()) {
                return Some(text);
            }
        }
    }
    None
}

/// What an override shows backwards, as it is shown. What is stored is read with the rest of the text.
fn overrides(text: &str, decoded: &mut Vec<Decoded>) {
    for (start, mark) in text.match_indices('\u{202e}') {
        let rest = &text[start + mark.len()..];
        let end = rest.find(['\u{202c}', '\u{202e}', '\n']).unwrap_or(rest.len());
        let shown: String = rest[..end].chars().rev().collect();
        let span = Span::new(start, start + mark.len() + end);
        decoded.extend(prose(shown.into_bytes()).map(|text| Decoded { how: "a direction override", text, span }));
    }
}
