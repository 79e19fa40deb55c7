//! First letters of lines, or the only letters of lines, that spell words.

use std::sync::OnceLock;

use memchr::memchr_iter;

use super::Decoded;
use crate::scan::letters::is_alphanumeric;
use crate::scan::literals::Literals;
use crate::scan::matcher::{TELLING, TELLING_TOO};
use crate::scan::words;
use crate::text::Span;

/// A text of fewer lines spells nothing.
const FEWEST: usize = 8;

/// Words further apart than this are not of one message.
const MOST: usize = 400;

/// The first place of each word that rules look for, with the length of the word; none if these are not two.
fn first_words(letters: &str) -> Option<Vec<(usize, usize)>> {
    static WORDS: OnceLock<Option<Literals>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let words: Vec<&str> = TELLING.iter().chain(&TELLING_TOO).copied().collect();
        Literals::new(&words, false)
    });
    let mut first = [None; TELLING.len() + TELLING_TOO.len()];
    words.as_ref()?.each(letters.as_bytes(), |word, start, end| {
        first[word].get_or_insert((start, end - start));
    });
    let found: Vec<(usize, usize)> = first.into_iter().flatten().collect();
    (found.len() >= 2).then_some(found)
}

/// The message that the first letters of lines make up, if two words that rules look for are in it.
///
/// Any line may begin with any letter, so the letters say nothing until they are words; two of these do not stand there
/// by chance.
pub(super) fn decode(text: &str, decoded: &mut Vec<Decoded>) {
    let mut letters = String::with_capacity(text.len() / 32 + 4);
    let mut places = Vec::with_capacity(text.len() / 32 + 4);
    let mut start = 0;
    for end in memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1).chain([text.len()]) {
        let line = &text[start..end];
        // Most lines begin with a letter, or with marks of ASCII before it.
        let first = line.bytes().position(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).and_then(|at| {
            match line.as_bytes()[at] {
                byte if byte.is_ascii() => Some((at, char::from(byte))),
                _ => line[at..].char_indices().find(|(_, c)| is_alphanumeric(*c)).map(|(after, c)| (at + after, c)),
            }
        });
        if let Some((at, c)) = first {
            places.push((letters.len(), start + at));
            if c.is_ascii() {
                letters.push(c.to_ascii_lowercase());
            } else {
                letters.extend(c.to_lowercase());
            }
        }
        start = end;
    }
    if places.len() < FEWEST {
        return;
    }
    let Some(found) = first_words(&letters) else { return };
    let Some((first, last)) =
        found.iter().map(|(at, _)| *at).min().zip(found.iter().map(|(at, length)| at + length).max())
    else {
        return;
    };
    if last - first > MOST {
        return;
    }
    // The sentence around the words.
    let from = letters.floor_char_boundary(first.saturating_sub(MOST / 4));
    let to = letters.ceil_char_boundary((last + MOST / 4).min(letters.len()));
    let message = &letters[from..to];
    let message = if message.is_ascii() { words::spelled(message) } else { Some(message.to_owned()) };
    let place = |letter: usize| places.partition_point(|(at, _)| *at < letter);
    let begin = places.get(place(first)).map_or(0, |(_, at)| *at);
    let end = places.get(place(last)).map_or(text.len(), |(_, at)| *at);
    decoded.extend(message.map(|text| Decoded { how: "first letters of lines", text, span: Span::new(begin, end) }));
}
