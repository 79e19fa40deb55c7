//! What CommonMark sees: headings and fenced code. Dialects that split on bare lines do so
//! themselves; this is for telling code from prose.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// The byte ranges of fenced code blocks, in order; indented code is not among them.
pub(crate) fn fenced_code(text: &str) -> Vec<Range<usize>> {
    Parser::new(text)
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))))
        .map(|(_, range)| range)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fenced(text: &str) -> Vec<&str> {
        fenced_code(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn only_real_fences_count() {
        assert_eq!(fenced("a\n```\n# x\n```\nb\n"), ["```\n# x\n```"]);
        assert_eq!(fenced("~~~ md\n# x\n~~~\n"), ["~~~ md\n# x\n~~~"]);
        assert_eq!(fenced("```\n# never closed\n"), ["```\n# never closed\n"]);
        assert_eq!(fenced("    ```\n    # indented code\n    ```\n"), [""; 0]);
        assert_eq!(fenced("````\n```\n# inner\n````\n").len(), 1);
    }
}
