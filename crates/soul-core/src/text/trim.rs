/// Trims what Python's `str.strip` trims: Unicode white space and the separators U+001C–001F,
/// which Rust's `trim` leaves standing.
pub(crate) fn python_strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_separators_and_keeps_zero_width_characters() {
        assert_eq!(python_strip("\u{1c}\u{1f} a\u{3000}\u{85}"), "a");
        assert_eq!(python_strip("\u{200b}a\u{feff}"), "\u{200b}a\u{feff}");
    }
}
