//! What comes from records, files and services, on a terminal. Strings of a response are escaped before it is rendered;
//! and whatever is printed, no control character leaves here but line ends, tabs and our own colours.

use std::borrow::Cow;
use std::io;

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A response in which no string begins an escape sequence, which would look like one of ours once it is rendered. Where
/// nobody wants colours, all sequences are taken out of what is printed anyway.
pub(crate) fn visible_response<T: Serialize + DeserializeOwned>(response: T) -> T {
    if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        return response;
    }
    let Ok(mut value) = serde_json::to_value(&response) else { return response };
    if escape(&mut value) { serde_json::from_value(value).unwrap_or(response) } else { response }
}

/// Escapes strings; whether there was anything to escape.
fn escape(value: &mut Value) -> bool {
    match value {
        Value::String(text) if text.contains('\u{1b}') => {
            *text = text.replace('\u{1b}', "\\u{1b}");
            true
        }
        Value::Array(values) => values.iter_mut().fold(false, |escaped, value| escape(value) | escaped),
        // Diagnostics point into the sources by their bytes; code that quotes these escapes them.
        Value::Object(keys) => {
            let keys = keys.iter_mut().filter(|(key, _)| *key != "sources");
            keys.fold(false, |escaped, (_, value)| escape(value) | escaped)
        }
        _ => false,
    }
}

/// Text in which nothing moves the cursor, sets the title, or hides or reorders what is printed.
pub(super) fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_obeyed) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let colour = colour(rest);
        out.push_str(&rest[..colour]);
        rest = &rest[colour..];
        if colour == 0 {
            let mut characters = rest.chars();
            out.extend(characters.next().into_iter().flat_map(char::escape_default));
            rest = characters.as_str();
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Text from outside, in which no colour is ours.
pub(super) fn foreign(text: &str) -> String {
    let shown = |c: char| if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// JSON whose strings hold no character that a terminal obeys; its value is the same.
pub(super) fn json_for_terminal(text: &str) -> Cow<'_, str> {
    let is_raw = |c: char| is_obeyed(c) && !c.is_ascii_whitespace();
    if !text.contains(is_raw) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if is_raw(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Controls, and characters that change the direction of what follows.
fn is_obeyed(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\t');
    !is_layout && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The length of the colour or weight that a text begins with; 0 if it does not.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let Some(end) = rest.find(|c: char| !c.is_ascii_digit() && c != ';') else { return 0 };
    // Bold, faint, underlined, the sixteen colours, and the end of all of them; never concealed, blinking or reversed.
    let is_ours = |part: &str| matches!(part.parse().unwrap_or(0), 0_u8..=2 | 4 | 22 | 30..=37 | 39 | 90..=97);
    let is_style = rest[end..].starts_with('m') && rest[..end].split(';').all(|part| part.len() <= 2 && is_ours(part));
    if is_style { "\u{1b}[".len() + end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_but_our_colours() {
        for same in
            ["", "plain\n\ttext", "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: x", "\u{1b}[1;91mx\u{1b}[m", "日本語 ❤\u{fe0f}"]
        {
            assert_eq!(for_terminal(same), same);
        }
        for (text, shown) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{1b}]0;title\u{7}x", "\\u{1b}]0;title\\u{7}x"),
            ("\u{1b}[8mhidden", "\\u{1b}[8mhidden"),
            ("\u{1b}[7;31mx", "\\u{1b}[7;31mx"),
            ("\u{1b}[38;5;1mx", "\\u{1b}[38;5;1mx"),
            ("\u{1b}[31", "\\u{1b}[31"),
            ("\u{1b}", "\\u{1b}"),
            ("a\rb\u{8}c\u{7f}", "a\\rb\\u{8}c\\u{7f}"),
            ("\u{9b}2J\u{202e}x", "\\u{9b}2J\\u{202e}x"),
            ("\u{1b}[31mé\u{1b}[H", "\u{1b}[31mé\\u{1b}[H"),
        ] {
            assert_eq!(for_terminal(text), shown);
        }
    }

    #[test]
    fn json_says_the_same_without_a_control() {
        let value = serde_json::json!({ "a\u{9b}": "\u{1b}[2J\u{7f}\u{202e}é\n" });
        for text in [value.to_string(), format!("{value:#}")] {
            let safe = json_for_terminal(&text);
            assert!(!safe.contains(|c: char| c != '\n' && is_obeyed(c)), "{safe}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        }
    }
}
