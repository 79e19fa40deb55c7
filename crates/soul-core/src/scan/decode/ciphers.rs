//! Text turned round, or moved along the alphabet.

use super::{Decoded, MOST};
use crate::scan::fold::Folded;
use crate::scan::matcher::Mark;
use crate::text::Span;

/// Lines in which two words that rules look for stand turned round or moved along the alphabet.
pub(super) fn decode(text: &str, folded: &Folded, marks: &[(Mark, usize)], decoded: &mut Vec<Decoded>) {
    let mut done = 0;
    for (at, (mark, first)) in marks.iter().enumerate() {
        let partner = marks[at + 1..].iter().find(|(other, second)| other == mark && second - first < 200);
        if partner.is_none() || *first < done || decoded.len() >= MOST {
            continue;
        }
        let line = folded.lines.partition_point(|line| *line as usize <= *first);
        let from =
            folded.lines.get(line.saturating_sub(1)).map_or(0, |line| *line as usize).max(first.saturating_sub(1_000));
        let to = folded.lines.get(line).map_or(folded.text.len(), |line| *line as usize).min(first + 2_000);
        let (from, to) = (folded.text.floor_char_boundary(from), folded.text.ceil_char_boundary(to));
        let hidden = &folded.text[from..to];
        let (how, plain): (_, String) = match mark {
            Mark::Reversed => ("reversed text", hidden.chars().rev().collect()),
            Mark::Shifted(by) => ("a shifted alphabet", hidden.chars().map(|c| shifted(c, 26 - by)).collect()),
            _ => continue,
        };
        done = to;
        let span = folded.span(from, to);
        let span = Span::new(text.floor_char_boundary(span.start), text.ceil_char_boundary(span.end.min(text.len())));
        decoded.push(Decoded { how, text: plain, span });
    }
}

/// A small letter so many places on.
pub(in crate::scan) fn shifted(c: char, by: u8) -> char {
    if c.is_ascii_lowercase() { char::from((c as u8 - b'a' + by) % 26 + b'a') } else { c }
}
