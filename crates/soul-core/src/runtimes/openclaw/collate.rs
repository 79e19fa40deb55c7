//! The order of `localeCompare` for file names.
//!
//! The runtime uses ICU's root collation. This is the part of it that names need: marks before digits before letters
//! before other scripts, accents and then case as tie breakers. Other scripts are in the order of their code points.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

/// ASCII marks in ICU's order.
const MARKS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

pub(super) fn compare(a: &str, b: &str) -> Ordering {
    primary(a).cmp(&primary(b)).then_with(|| accents(a).cmp(&accents(b))).then_with(|| case(a).cmp(&case(b)))
}

fn is_accent(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn primary(text: &str) -> Vec<(u8, u32)> {
    text.nfd()
        .filter(|c| !is_accent(*c))
        .map(|c| match c {
            c if c.is_whitespace() => (0, u32::from(c)),
            c if MARKS.contains(c) => (1, MARKS.find(c).and_then(|at| u32::try_from(at).ok()).unwrap_or_default()),
            c if c.is_ascii_digit() => (3, u32::from(c)),
            c if c.is_ascii_alphabetic() => (4, u32::from(c.to_ascii_lowercase())),
            c if c.is_alphanumeric() => (5, u32::from(c.to_lowercase().next().unwrap_or(c))),
            c => (2, u32::from(c)),
        })
        .collect()
}

fn accents(text: &str) -> Vec<char> {
    text.nfd().map(|c| if is_accent(c) { c } else { '\0' }).collect()
}

/// Lower case first.
fn case(text: &str) -> Vec<bool> {
    text.nfd().filter(|c| !is_accent(*c)).map(char::is_uppercase).collect()
}
