//! Codes of a single word: base64, base32, hexadecimal, percent-encoding, quoted-printable; one in another, and compressed.

use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use super::prose;
use crate::scan::swar;

/// How deep codes are inside of each other, at most.
const DEEPEST: usize = 3;

/// What is inflated of one file, at most: enough for any text that a model is to obey, and too little to exhaust memory.
const INFLATED: usize = 1 << 18;

/// The decoder of a file's words.
pub(super) struct Codes {
    /// How many bytes may still be inflated.
    left: usize,
}

impl Default for Codes {
    fn default() -> Self {
        Self { left: INFLATED }
    }
}

/// Whether there is anything in a word, or in words over several lines, that a code can be: escapes, or letters and digits
/// in a row. Most long words are addresses, paths, or of scripts without spaces.
pub(super) fn may_be_code(word: &[u8]) -> bool {
    let mut signs = Signs::default();
    let (eights, rest) = word.as_chunks::<8>();
    // Most long words beyond ASCII are text of scripts without spaces.
    let is_wide = |eight: &[u8; 8]| swar::eight(eight, 0) & swar::HIGH == swar::HIGH;
    let has_code = |eight: &[u8; 8]| match is_wide(eight) {
        true => signs.end_run(),
        false => signs.have_code(eight),
    };
    eights.iter().any(has_code) || signs.have_code(rest)
}

/// Digits in a row, and escapes.
#[derive(Default)]
struct Signs {
    run: usize,
    escapes: usize,
}

impl Signs {
    fn have_code(&mut self, bytes: &[u8]) -> bool {
        const FEWEST: usize = 12;
        bytes.iter().any(|byte| {
            match SIGNS[usize::from(*byte)] {
                Sign::Digit => self.run += 1,
                Sign::Gap => {}
                Sign::Other => self.run = 0,
                Sign::Percent => return true,
                Sign::Escape => (self.run, self.escapes) = (0, self.escapes + 1),
            }
            self.run >= FEWEST || self.escapes >= ESCAPES
        })
    }

    fn end_run(&mut self) -> bool {
        self.run = 0;
        false
    }
}

/// What a byte is to a code.
#[derive(Clone, Copy)]
enum Sign {
    Digit,
    Gap,
    Percent,
    Escape,
    Other,
}

static SIGNS: [Sign; 256] = {
    let mut signs = [Sign::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        signs[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_' => Sign::Digit,
            b' ' | b'\t' | b'\r' | b'\n' | b'>' => Sign::Gap,
            b'%' => Sign::Percent,
            b'=' => Sign::Escape,
            _ => Sign::Other,
        };
        byte += 1;
    }
    signs
};

/// Fewer escapes than this hide nothing.
const ESCAPES: usize = 4;

impl Codes {
    /// The text that a word stands for, and the name of the code.
    pub(super) fn decode(&mut self, word: &str) -> Option<(&'static str, String)> {
        self.decode_at(word, 0)
    }

    fn decode_at(&mut self, word: &str, depth: usize) -> Option<(&'static str, String)> {
        let is_inner = |byte: u8| PARTS[usize::from(byte)] & INNER != 0;
        let (Some(start), Some(end)) = (word.bytes().position(is_inner), word.bytes().rposition(is_inner)) else {
            return None;
        };
        let core = &word[start..=end];
        let core =
            split_at_last(core, QUOTE).map_or(core, |(head, tail)| if tail.len() > head.len() { tail } else { head });
        let all = core.bytes().fold(0, |all, byte| all | PARTS[usize::from(byte)]);
        if all & PERCENT != 0 {
            return self.text(percent(core)?, depth).map(|text| ("percent-encoding", text));
        }
        if all & EQUALS != 0
            && core.bytes().filter(|byte| *byte == b'=').count() >= ESCAPES
            && let Some(bytes) = quoted_printable(core)
        {
            return self.text(bytes, depth).map(|text| ("quoted-printable", text));
        }
        if core.len().is_multiple_of(2) && core.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return self.text(hexadecimal(core)?, depth).map(|text| ("hexadecimal", text));
        }
        let tail = if all & (COLON | EQUALS) == 0 { None } else { split_at_last(core, COLON | EQUALS) };
        let tail = tail.map(|(_, tail)| tail).filter(|tail| tail.len() >= 16);
        for candidate in [Some(core), tail].into_iter().flatten() {
            if let Some(text) = base64(candidate).and_then(|bytes| self.text(bytes, depth)) {
                return Some(("base64", text));
            }
            if let Some(text) = base32(candidate).and_then(|bytes| self.text(bytes, depth)) {
                return Some(("base32", text));
            }
        }
        None
    }

    /// What decoded bytes say: words, or words that are compressed or encoded once more.
    fn text(&mut self, bytes: Vec<u8>, depth: usize) -> Option<String> {
        if depth >= DEEPEST {
            return prose(bytes);
        }
        if let Some(inflated) = self.inflate(&bytes) {
            return self.text(inflated, depth + 1);
        }
        let is_code =
            bytes.len() >= 12 && bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        if is_code && bytes.iter().filter(|byte| **byte == b' ').count() * 40 < bytes.len() {
            let word: String =
                bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).map(|b| char::from(*b)).collect();
            if let Some((_, text)) = self.decode_at(&word, depth + 1) {
                return Some(text);
            }
        }
        prose(bytes)
    }

    /// What gzip or zlib has compressed, as far as the budget goes.
    fn inflate(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let inflated = match bytes {
            [0x1f, 0x8b, 8, flags, ..] => decompress_to_vec_with_limit(gzip_body(bytes, *flags)?, self.left),
            [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => decompress_to_vec_zlib_with_limit(bytes, self.left),
            _ => return None,
        };
        // What could be read before an error is a text too.
        let inflated = inflated.unwrap_or_else(|error| error.output);
        self.left = self.left.saturating_sub(inflated.len());
        (!inflated.is_empty()).then_some(inflated)
    }
}

/// A word before and after the last mark of some kinds.
fn split_at_last(word: &str, kinds: u8) -> Option<(&str, &str)> {
    let at = word.bytes().rposition(|byte| PARTS[usize::from(byte)] & kinds != 0)?;
    Some((&word[..at], &word[at + 1..]))
}

/// What a byte is in a word with a code: one that a code may begin or end with, a quotation mark or the like around one,
/// or one of three marks.
static PARTS: [u8; 256] = {
    let mut parts = [0; 256];
    let mut at = 0;
    while at < 256 {
        parts[at] = match at as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => INNER,
            b'%' => INNER | PERCENT,
            b'=' => INNER | EQUALS,
            b':' => COLON,
            b',' | b'(' | b'"' | b'\'' | b'`' | b'<' | b'>' => QUOTE,
            _ => 0,
        };
        at += 1;
    }
    parts
};

const INNER: u8 = 1;
const QUOTE: u8 = 1 << 1;
const PERCENT: u8 = 1 << 2;
const EQUALS: u8 = 1 << 3;
const COLON: u8 = 1 << 4;

/// The compressed part of a gzip file: after its header and the fields that the flags announce.
fn gzip_body(bytes: &[u8], flags: u8) -> Option<&[u8]> {
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let length = u16::from_le_bytes([*rest.first()?, *rest.get(1)?]);
        rest = rest.get(2 + usize::from(length)..)?;
    }
    // The name and the comment end in a zero.
    for _ in 0..(flags >> 3 & 1) + (flags >> 4 & 1) {
        rest = rest.get(rest.iter().position(|byte| *byte == 0)? + 1..)?;
    }
    if flags & 2 != 0 { rest.get(2..) } else { Some(rest) }
}

fn base64(word: &str) -> Option<Vec<u8>> {
    let word = word.trim_end_matches('=').as_bytes();
    // Paths and names are made of the same digits: most of them say nothing from the start.
    if word.len() % 4 == 1 || !may_say_something(&first_bytes64(word.first_chunk::<12>()?)?) {
        return None;
    }
    digits64(word)
}

/// Whether bytes may begin a text, or something that is compressed.
fn may_say_something(bytes: &[u8]) -> bool {
    let is_text = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let is_control = |byte: &u8| byte.is_ascii_control() && !char::from(*byte).is_whitespace();
    is_text && !bytes.iter().any(is_control) || bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x78])
}

/// What a digit of base64 is worth.
const fn digit64(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The bytes that twelve digits of base64 stand for.
fn first_bytes64(digits: &[u8; 12]) -> Option<[u8; 9]> {
    let mut bytes = [0; 9];
    for (bytes, digits) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(digits.as_chunks::<4>().0) {
        let mut bits = 0;
        for digit in digits {
            bits = bits << 6 | u32::from(digit64(*digit)?);
        }
        let [_, first, second, third] = bits.to_be_bytes();
        *bytes = [first, second, third];
    }
    Some(bytes)
}

/// The bytes that digits of base64 stand for; none if there is anything else.
fn digits64(word: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(word.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for byte in word {
        bits = bits << 6 | u32::from(digit64(*byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

fn base32(word: &str) -> Option<Vec<u8>> {
    let word = word.trim_end_matches('=');
    if word.len() < 16 || !word.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')) {
        return None;
    }
    let mut out = Vec::with_capacity(word.len() * 5 / 8);
    let (mut bits, mut count) = (0u32, 0);
    for byte in word.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        bits = bits << 5 | u32::from(value);
        count += 5;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

fn hexadecimal(word: &str) -> Option<Vec<u8>> {
    let pairs = word.as_bytes().chunks_exact(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// Only a word that is mostly escapes hides something; an address with one is ordinary.
fn percent(word: &str) -> Option<Vec<u8>> {
    let bytes = word.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let (mut at, mut escapes) = (0, 0);
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match pair.and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                escapes += 1;
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    (escapes >= ESCAPES).then_some(out)
}

/// `=69=67`, as mail writes it; a line end after `=` is gone before.
fn quoted_printable(word: &str) -> Option<Vec<u8>> {
    let bytes = word.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let (mut at, mut escapes) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let pair = bytes.get(at + 1..at + 3).filter(|_| *byte == b'=');
        match pair.and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()) {
            Some(escaped) => {
                out.push(escaped);
                escapes += 1;
                at += 3;
            }
            None if *byte == b'=' => at += 1,
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    (escapes >= ESCAPES && escapes * 6 >= bytes.len()).then_some(out)
}
