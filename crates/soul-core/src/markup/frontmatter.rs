//! The fence between frontmatter and body: `---` alone on the first line, and again to close.
//!
//! Works on text whose line ends are already `\n`.

use std::ops::Range;

use crate::text::characters::is_stray_before_fence;

pub(crate) const FENCE: &str = "---";

/// Where the two halves of a text lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Split {
    /// The lines between the fences, with their last line end.
    pub(crate) metadata: Range<usize>,
    /// Everything after the closing fence's line.
    pub(crate) body: Range<usize>,
}

/// What the first line says about frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The first line is the fence.
    Fence,
    /// The first line that is not blank would be the fence, but for what stands before or behind
    /// it; the range is that line, without its line end.
    Misplaced(Range<usize>),
    /// The text begins with something else.
    Absent,
}

pub(crate) fn opening(text: &str) -> Opening {
    let mut start = 0;
    for line in text.split('\n') {
        let seen = line.trim_matches(|c: char| c.is_whitespace() || is_stray_before_fence(c));
        if !seen.is_empty() {
            return match line {
                FENCE if start == 0 => Opening::Fence,
                _ if seen == FENCE => Opening::Misplaced(start..start + line.len()),
                _ => Opening::Absent,
            };
        }
        start += line.len() + 1;
    }
    Opening::Absent
}

/// Splits a text that opens with the fence; `None` when no later line closes it.
pub(crate) fn split(text: &str) -> Option<Split> {
    let first = text.find('\n')? + 1;
    let mut start = first;
    for line in text[first..].split('\n') {
        let end = start + line.len();
        if line == FENCE {
            return Some(Split { metadata: first..start, body: (end + 1).min(text.len())..text.len() });
        }
        start = end + 1;
    }
    None
}

/// A line that was probably meant to close the frontmatter: the fence with blanks around it, with
/// other than three dashes, or YAML's own end mark.
pub(crate) fn likely_close(text: &str) -> Option<Range<usize>> {
    let first = text.find('\n')? + 1;
    let mut start = first;
    for line in text[first..].split('\n') {
        let trimmed = line.trim();
        if trimmed == "..." || (trimmed.len() >= 2 && trimmed.bytes().all(|byte| byte == b'-')) {
            return Some(start..start + line.len());
        }
        start += line.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_must_be_the_whole_first_line() {
        assert_eq!(opening("---\na: b"), Opening::Fence);
        assert_eq!(opening("---"), Opening::Fence);
        assert_eq!(opening("\n---\n"), Opening::Misplaced(1..4));
        assert_eq!(opening("--- \n"), Opening::Misplaced(0..4));
        assert_eq!(opening(" ---\n"), Opening::Misplaced(0..4));
        assert_eq!(opening("\u{200b}\u{feff}---\n"), Opening::Misplaced(0..9));
        assert_eq!(opening("----\n"), Opening::Absent);
        assert_eq!(opening("one\n---\n"), Opening::Absent);
        assert_eq!(opening(""), Opening::Absent);
    }

    #[test]
    fn splits_at_the_first_closing_line() {
        let halves = |text: &'static str| split(text).map(|split| (&text[split.metadata], &text[split.body]));
        assert_eq!(halves("---\na: b\n---\nBody\n---\n"), Some(("a: b\n", "Body\n---\n")));
        assert_eq!(halves("---\n---"), Some(("", "")));
        assert_eq!(halves("---\na: b\n--- \n"), None);
        assert_eq!(halves("---"), None);
    }

    #[test]
    fn finds_what_was_meant_to_close() {
        assert_eq!(likely_close("---\na: b\n --- \nBody"), Some(9..14));
        assert_eq!(likely_close("---\na: b\n...\n"), Some(9..12));
        assert_eq!(likely_close("---\na: b\n"), None);
    }
}
