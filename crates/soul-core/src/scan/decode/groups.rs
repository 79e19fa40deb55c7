//! Equally long groups with gaps between them: a code in groups or short lines, or single characters.

use super::Decoded;
use super::codes::Codes;
use crate::scan::words;
use crate::text::Span;

/// What a row of equally long words says if it is a code, or characters set apart.
pub(super) fn decode(codes: &mut Codes, text: &str, span: Span) -> Option<Decoded> {
    let is_mark = |c: char| matches!(c, ',' | ';' | '"' | '\'' | '`' | '*' | '|' | '>' | '#' | '.' | ':');
    let words: Vec<&str> =
        text[span.start..span.end].split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    // Dashes are marks of list entries.
    let words: Vec<&str> = words.into_iter().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    let joined = words.concat();
    if words.iter().all(|word| word.chars().nth(1).is_none()) {
        let text = if joined.is_ascii() { words::spelled(&joined.to_ascii_lowercase())? } else { joined };
        return Some(Decoded { how: "single characters", text, span });
    }
    // Prose may have equally long words by chance: a code has digits or capitals inside of them.
    let is_mixed = |word: &&str| {
        word.bytes().any(|byte| byte.is_ascii_digit()) || word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
    };
    if !joined.is_ascii() || !words.iter().any(is_mixed) {
        return None;
    }
    codes.decode(&joined).map(|(how, text)| Decoded { how, text, span })
}
