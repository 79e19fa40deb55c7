//! Heading levels: prose that moves into a section goes down one level, and comes up again where that section's own
//! heading is not written.

/// Prose for the inside of a section: each line that begins with `##` gets one `#` more. Lines of code too, because
/// the dialect with sections does not know code.
pub(crate) fn lowered(text: &str) -> String {
    let lines = text.split('\n').map(|line| if line.starts_with("##") { format!("#{line}") } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

/// Prose from the inside of a section: the reverse of [`lowered`], if all its headings are low enough.
pub(crate) fn raised(text: &str) -> String {
    if text.lines().any(|line| level(line) == 2) {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| if level(line) >= 3 { &line[1..] } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether the first line is a heading of the third level, and none is of the second.
pub(crate) fn opens_with_subheading(text: &str) -> bool {
    text.starts_with("### ") && !text.lines().any(|line| matches!(level(line), 1 | 2))
}

fn level(line: &str) -> usize {
    line.len() - line.trim_start_matches('#').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lowered_comes_up_again() {
        for text in ["# A\n\n## B\ntext\n### C\n```\n## code\n```", "plain", "##B", "###### six"] {
            assert_eq!(raised(&lowered(text)), text);
        }
        assert_eq!(lowered("# A\n## B\n### C"), "# A\n### B\n#### C");
        assert_eq!(raised("## A\n### B"), "## A\n### B");
    }
}
