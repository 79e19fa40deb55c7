//! Text turned round, or moved along the alphabet.

use super::{Decoded, MOST};
use crate::scan::fold::Folded;
use crate::scan::matcher::{Mark, SMALL};
use crate::text::Span;

/// Lines in which two words that rules look for stand turned round or moved along the alphabet.
pub(super) fn decode(text: &str, folded: &Folded, marks: &[(Mark, usize)], decoded: &mut Vec<Decoded>) {
    let mut done = 0;
    let marks: Vec<(Mark, usize)> =
        marks.iter().filter(|(mark, at)| is_sign(*mark, &folded.text, *at)).copied().collect();
    for (at, (mark, first)) in marks.iter().enumerate() {
        let mut near = marks[at + 1..].iter().take_while(|(_, second)| second.saturating_sub(*first) < 200);
        let alone = *mark == Mark::Address;
        if !alone && !near.any(|(other, _)| other == mark) || *first < done || decoded.len() >= MOST {
            continue;
        }
        let line = folded.lines.partition_point(|line| *line as usize <= *first);
        let from =
            folded.lines.get(line.saturating_sub(1)).map_or(0, |line| *line as usize).max(first.saturating_sub(1_000));
        let to = folded.lines.get(line).map_or(folded.text.len(), |line| *line as usize).min(first + 2_000);
        let (from, to) = (folded.text.floor_char_boundary(from), folded.text.ceil_char_boundary(to));
        let hidden = &folded.text[from..to];
        let (how, plain): (_, String) = match mark {
            Mark::Reversed | Mark::Address => ("reversed text", turned(hidden)),
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

/// Whether a mark is one of a cipher. An address turned round begins with its end: `moc.`, and a letter.
fn is_sign(mark: Mark, text: &str, at: usize) -> bool {
    let before = || at.checked_sub(1).is_some_and(|before| text.as_bytes()[before].is_ascii_alphanumeric());
    let dot = || text.as_bytes()[at..].iter().take(9).position(|byte| *byte == b'.');
    let goes_on = || dot().is_some_and(|dot| text.as_bytes().get(at + dot + 1).is_some_and(u8::is_ascii_lowercase));
    match mark {
        Mark::Reversed | Mark::Shifted(_) => true,
        Mark::Address => text.as_bytes()[at] == b'/' || !before() && goes_on(),
        _ => false,
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
