//! The order in which a registry lists names: as the peers' builder has it (ICU, en-US), for the letters that names have.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What a name is sorted by: letters, then accents, then case.
pub(crate) fn sort_key(name: &str) -> (Vec<(u8, u32)>, Vec<u32>, Vec<u8>) {
    let (mut letters, mut accents, mut cases) = (Vec::new(), Vec::new(), Vec::new());
    for c in name.nfkd() {
        if is_combining_mark(c) {
            accents.push(u32::from(c));
            continue;
        }
        for part in expanded(c) {
            let lower = part.to_lowercase().next().unwrap_or(part);
            // Hiragana comes before katakana, and both are one letter.
            let base =
                if ('\u{30a1}'..='\u{30f6}').contains(&lower) { u32::from(lower) - 0x60 } else { u32::from(lower) };
            letters.push((class(lower), base));
            accents.push(0);
            cases.push(
                u8::from(part != lower) + 2 * u8::from(base != u32::from(lower)) + 4 * u8::from(c == 'ß' || c == 'ẞ'),
            );
        }
    }
    (letters, accents, cases)
}

fn expanded(c: char) -> Vec<char> {
    match c {
        'ß' | 'ẞ' => vec!['s', 's'],
        'æ' => vec!['a', 'e'],
        'Æ' => vec!['A', 'E'],
        'ø' => vec!['o'],
        'Ø' => vec!['O'],
        c => vec![c],
    }
}

/// Blanks, punctuation, symbols, digits, letters; of those, Hangul, kana and Han last.
fn class(c: char) -> u8 {
    match c {
        _ if c.is_whitespace() => 0,
        '_' => 1,
        '-' | '\u{2010}'..='\u{2015}' => 2,
        '!'..='#' | '%'..='*' | ',' | '.' | '/' | ':' | ';' | '?' | '@' | '['..=']' | '{' | '}' => 3,
        _ if c.is_numeric() && !('\u{4e00}'..='\u{9fff}').contains(&c) => 5,
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => 7,
        '\u{3040}'..='\u{30ff}' => 8,
        '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => 9,
        _ if c.is_alphabetic() => 6,
        _ => 4,
    }
}
