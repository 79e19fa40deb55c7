//! The fence as gray-matter reads it, except that no language but YAML and JSON exists.

use std::ops::Range;

use crate::text::BOM;

/// Where the halves of a text lie, and in what language the first one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Halves {
    /// What stands behind the opening dashes, trimmed.
    pub(crate) language: Range<usize>,
    pub(crate) metadata: Range<usize>,
    pub(crate) body: Range<usize>,
    pub(crate) closed: bool,
}

/// Splits a text; `None` when it has no frontmatter. Works on text whose line ends are `\n`.
pub(crate) fn split(text: &str) -> Option<Halves> {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let rest = text[start..].strip_prefix("---").filter(|rest| !rest.starts_with('-'))?;
    let open = start + 3;
    let line_end = rest.find('\n').map_or(text.len(), |at| open + at);
    let language = text[open..line_end].trim();
    let language_start = open + (text[open..line_end].len() - text[open..line_end].trim_start().len());
    let close = text[line_end..].find("\n---").map(|at| line_end + at);
    let metadata_end = close.unwrap_or(text.len());
    let body_start = close.map_or(text.len(), |close| {
        let after = close + 4;
        after + usize::from(text[after..].starts_with('\n'))
    });
    Some(Halves {
        language: language_start..language_start + language.len(),
        metadata: (line_end + 1).min(metadata_end).max(line_end.min(metadata_end))..metadata_end,
        body: body_start..text.len(),
        closed: close.is_some(),
    })
}

/// White space as JavaScript's `trim` has it: with the byte order mark, without U+0085.
pub(super) fn js_trim(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == BOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(text: &str) -> Option<(&str, &str, &str, bool)> {
        let split = split(text)?;
        Some((&text[split.language], &text[split.metadata], &text[split.body], split.closed))
    }

    #[test]
    fn splits_as_the_peer_does() {
        assert_eq!(halves("---\na: b\n---\nBody"), Some(("", "a: b", "Body", true)));
        assert_eq!(halves("--- yaml \na: b\n---Body"), Some(("yaml", "a: b", "Body", true)));
        assert_eq!(halves("---\n---\nBody"), Some(("", "", "Body", true)));
        assert_eq!(halves("---\na: b"), Some(("", "a: b", "", false)));
        assert_eq!(halves("---"), Some(("", "", "", false)));
        assert_eq!(halves("\u{feff}---\na: b\n---"), Some(("", "a: b", "", true)));
        assert_eq!(halves("----\na\n----"), None);
        assert_eq!(halves(" ---\na\n---"), None);
        assert_eq!(halves(""), None);
    }

    #[test]
    fn trims_as_javascript_does() {
        assert_eq!(js_trim("\u{feff}\u{3000} a\u{85}\u{2028}"), "a\u{85}");
    }
}
