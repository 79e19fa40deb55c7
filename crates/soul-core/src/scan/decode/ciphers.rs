//! Text turned round, or moved along the alphabet.

use super::{Decoded, MOST};
use crate::scan::fold::Folded;
use crate::scan::matcher::{Mark, SMALL};
use crate::text::Span;

/// Lines in which two words that rules look for stand turned round or moved along the alphabet.
pub(super) fn decode(text: &str, folded: &Folded, marks: &[(Mark, usize)], decoded: &mut Vec<Decoded>) {
    let mut done = 0;
    let marks: Vec<(Mark, usize)> =
        marks.iter().filter(|(mark, _)| matches!(mark, Mark::Reversed | Mark::Shifted(_))).copied().collect();
    for (at, (mark, first)) in marks.iter().enumerate() {
        let mut near = marks[at + 1..].iter().take_while(|(_, second)| second.saturating_sub(*first) < 200);
        if !near.any(|(other, _)| other == mark) || *first < done || decoded.len() >= MOST {
            continue;
        }
        let line = folded.lines.partition_point(|line| *line as usize <= *first);
        let from =
            folded.lines.get(line.saturating_sub(1)).map_or(0, |line| *line as usize).max(first.saturating_sub(1_000));
        let to = folded.lines.get(line).map_or(folded.text.len(), |line| *line as usize).min(first + 2_000);
        let (from, to) = (folded.text.floor_char_boundary(from), folded.text.ceil_char_boundary(to));
        let hidden = &folded.text[from..to];
        let (how, plain): (_, String) = match mark {
            Mark::Reversed => ("reversed text", turned(hidden)),
            Mark::Shifted(by) => ("a shifted alphabet", hidden.chars().map(|c| shifted(c, 26 - by)).collect()),
            _ => continue,
        };
        // Two words may stand there by chance ("dna" is one): turned back, a text has more ordinary words than before.
        let ordinary = |text: &str| SMALL.iter().filter(|word| text.contains(**word)).count();
        done = to;
        if ordinary(&plain) < ordinary(hidden) {
            continue;
        }
        let span = folded.span(from, to);
        let span = Span::new(text.floor_char_boundary(span.start), text.ceil_char_boundary(span.end.min(text.len())));
        decoded.push(Decoded { how, text: plain, span });
    }
}

/// A line turned round as a whole, and then each of its words where it stands.
fn turned(line: &str) -> String {
    let whole: String = line.chars().rev().collect();
    let words: Vec<String> = line.split_whitespace().map(|word| word.chars().rev().collect()).collect();
    format!("{}\n{}", whole.trim(), words.join(" "))
}

/// A small letter so many places on.
pub(in crate::scan) fn shifted(c: char, by: u8) -> char {
    if c.is_ascii_lowercase() { char::from((c as u8 - b'a' + by) % 26 + b'a') } else { c }
}
