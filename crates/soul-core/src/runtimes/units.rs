//! Lengths and white space as other languages count them.

/// Whether ECMAScript trims it: `\s`, which has U+FEFF and not U+0085.
pub(crate) const fn is_js_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
            | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

pub(crate) fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

pub(crate) fn js_trim_end(text: &str) -> &str {
    text.trim_end_matches(is_js_space)
}

/// `length` of an ECMAScript string: UTF-16 code units.
pub(crate) fn utf16_len(text: &str) -> usize {
    // Characters outside the basic plane are those of four bytes, and count twice.
    text.bytes().filter(|byte| byte & 0xc0 != 0x80).count() + text.bytes().filter(|byte| *byte >= 0xf0).count()
}

/// The end of the first `units` code units, before a pair that would be split.
pub(crate) fn utf16_head(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16()) {
            Some(rest) => left = rest,
            None => return at,
        }
    }
    text.len()
}

/// The start of the last `units` code units, after a pair that would be split.
pub(crate) fn utf16_tail(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, c) in text.char_indices().rev() {
        match left.checked_sub(c.len_utf16()) {
            Some(rest) => left = rest,
            None => return at + c.len_utf8(),
        }
    }
    0
}

/// `len` of a Python string: code points.
pub(crate) fn code_points(text: &str) -> usize {
    text.chars().count()
}

/// The byte offset of a code point; the end if there are fewer.
pub(crate) fn nth_code_point(text: &str, n: usize) -> usize {
    text.char_indices().nth(n).map_or(text.len(), |(at, _)| at)
}

/// A number with `,` between thousands.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_never_split() {
        assert_eq!(utf16_len("a😀é"), 4);
        assert_eq!(utf16_head("a😀é", 2), 1);
        assert_eq!(utf16_head("a😀é", 3), 5);
        assert_eq!(utf16_tail("a😀é", 2), 5);
        assert_eq!(utf16_tail("a😀é", 3), 1);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([7, 999, 1000, 1_234_567].map(thousands), ["7", "999", "1,000", "1,234,567"]);
    }
}
