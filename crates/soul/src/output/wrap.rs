//! Lines that are no wider than the terminal, broken between words.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::view;

/// The narrowest column that is worth wrapping to.
const NARROWEST: usize = 24;

/// A line of ours, wrapped at the width of the terminal; what follows the first break begins at this column. A pipe
/// gets the line as it is.
pub(crate) fn hanging(line: &str, indent: usize) -> String {
    let Some(width) = view::width() else { return line.to_owned() };
    let room = [width, width.saturating_sub(indent)].map(|room| room.max(NARROWEST));
    broken(line, room[0], room[1]).join(&format!("\n{:indent$}", ""))
}

/// The same for text that stands at this column already.
pub(crate) fn wrapped_at(text: &str, indent: usize) -> Vec<String> {
    match view::width() {
        Some(width) => wrapped(text, width.saturating_sub(indent).max(NARROWEST)),
        None => vec![text.to_owned()],
    }
}

/// A line broken between words; a word that is too long for a line is broken where it has to be.
pub(crate) fn wrapped(line: &str, room: usize) -> Vec<String> {
    broken(line, room, room)
}

/// How wide a text is without its colours.
fn shown_width(text: &str) -> usize {
    if text.contains('\u{1b}') { anstream::adapter::strip_str(text).to_string().width() } else { text.width() }
}

fn broken(line: &str, first: usize, rest: usize) -> Vec<String> {
    if shown_width(line) <= first {
        return vec![line.to_owned()];
    }
    let mut out = vec![String::new()];
    let (mut room, mut used, mut has_words) = (first, 0, false);
    for word in line.split_inclusive(' ') {
        // What stands before the first word is its indentation, which keeps its word.
        if has_words && used + shown_width(word.trim_end()) > room {
            out.push(String::new());
            (room, used) = (rest, 0);
        }
        has_words = used > 0 && has_words || !word.trim().is_empty();
        let mut in_colour = false;
        for c in word.chars() {
            in_colour |= c == '\u{1b}';
            let wide = if in_colour { 0 } else { c.width().unwrap_or_default() };
            if used + wide > room && c != ' ' {
                out.push(String::new());
                (room, used) = (rest, 0);
            }
            if let Some(last) = out.last_mut() {
                last.push(c);
            }
            used += wide;
            in_colour &= c != 'm';
        }
    }
    out.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two", 7), ["one two"]);
        assert_eq!(wrapped("extraordinary", 5), ["extra", "ordin", "ary"]);
        assert_eq!(wrapped("夜間の監視は", 6), ["夜間の", "監視は"]);
        assert_eq!(wrapped("a  b", 3), ["a", "b"]);
        assert_eq!(wrapped("  one two", 6), ["  one", "two"]);
        assert_eq!(wrapped("  extraordinary", 8), ["  extrao", "rdinary"]);
    }

    #[test]
    fn colours_take_no_room() {
        let line = "\u{1b}[1mone\u{1b}[0m two three";
        assert_eq!(wrapped(line, 7), ["\u{1b}[1mone\u{1b}[0m two", "three"]);
        assert_eq!(broken("one two three four", 7, 10), ["one two", "three four"]);
    }
}
