//! First letters of lines, or the only letters of lines, that spell words.

use super::Decoded;
use crate::scan::matcher::{TELLING, TELLING_TOO};
use crate::scan::words;
use crate::text::Span;

/// A text of fewer lines spells nothing.
const FEWEST: usize = 8;

/// Words further apart than this are not of one message.
const MOST: usize = 400;

/// The message that the first letters of lines make up, if two words that rules look for are in it.
///
/// Any line may begin with any letter, so the letters say nothing until they are words; two of these do not stand there
/// by chance.
pub(super) fn decode(text: &str, decoded: &mut Vec<Decoded>) {
    let mut letters = String::new();
    let mut places = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let first = line.char_indices().find(|(_, c)| c.is_alphanumeric());
        if let Some((at, c)) = first {
            places.push((letters.len(), start + at));
            letters.extend(c.to_lowercase());
        }
        start += line.len();
    }
    if places.len() < FEWEST {
        return;
    }
    let found = |word: &&str| letters.match_indices(*word).next().map(|(at, _)| (at, word.len()));
    let found: Vec<(usize, usize)> = TELLING.iter().chain(&TELLING_TOO).filter_map(found).collect();
    let Some((first, last)) =
        found.iter().map(|(at, _)| *at).min().zip(found.iter().map(|(at, length)| at + length).max())
    else {
        return;
    };
    if found.len() < 2 || last - first > MOST {
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
