//! Numbers and signs that stand for letters: binary, spaced hexadecimal, Morse.

use super::{Decoded, MOST, prose};
use crate::scan::matcher::Mark;
use crate::text::Span;

pub(super) fn decode(text: &str, marks: &[(Mark, usize)], decoded: &mut Vec<Decoded>) {
    for (mark, least) in [(Mark::Binary, 4), (Mark::Hexadecimal, 5), (Mark::Morse, 5)] {
        let mut end = 0;
        let places: Vec<usize> = marks.iter().filter(|(of, _)| *of == mark).map(|(_, at)| *at).collect();
        if places.len() < least {
            continue;
        }
        for at in places {
            if at < end || decoded.len() >= MOST {
                continue;
            }
            let allowed = |byte: u8| match mark {
                Mark::Binary => matches!(byte, b'0' | b'1' | b' ' | b'\n' | b',' | b'\t' | b'\r'),
                Mark::Hexadecimal => {
                    byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'\n' | b',' | b':' | b'\t' | b'\r')
                }
                _ => matches!(byte, b'.' | b'-' | b' ' | b'/' | b'|' | b'\n' | b'\r'),
            };
            let bytes = text.as_bytes();
            let start = bytes[..at].iter().rposition(|byte| !allowed(*byte)).map_or(0, |before| before + 1).max(end);
            end = bytes[at..].iter().position(|byte| !allowed(*byte)).map_or(bytes.len(), |after| at + after);
            let run = &text[start..end];
            let (how, found) = match mark {
                Mark::Binary => ("binary digits", numbers(run, 2, 8)),
                Mark::Hexadecimal => ("hexadecimal", numbers(run, 16, 2)),
                _ => ("Morse code", Some(morse(run).into_bytes())),
            };
            if let Some(text) = found.and_then(prose) {
                decoded.push(Decoded { how, text, span: Span::new(start, end) });
            }
        }
    }
}

fn numbers(run: &str, base: u32, width: usize) -> Option<Vec<u8>> {
    let digits: Vec<u8> = run.bytes().filter(u8::is_ascii_hexdigit).collect();
    let groups = digits.chunks_exact(width);
    groups.map(|group| u8::from_str_radix(std::str::from_utf8(group).ok()?, base).ok()).collect()
}

fn morse(run: &str) -> String {
    const LETTERS: [&str; 26] = [
        ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---",
        ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
    ];
    let words = run.split(['/', '|', '\n']).flat_map(|line| line.split("   "));
    let word = |word: &str| -> String {
        let letter =
            |signs: &str| LETTERS.iter().zip('a'..='z').find(|(of, _)| **of == signs).map(|(_, letter)| letter);
        word.split(' ').filter_map(letter).collect()
    };
    words.map(word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
