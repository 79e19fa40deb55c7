//! What CommonMark sees: headings and fenced code. Dialects that split on bare lines do so
//! themselves; this is for telling code from prose.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

/// A heading, of either kind, that is not code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: HeadingLevel,
    pub(crate) title: String,
    /// The whole of it, with its marks.
    pub(crate) range: Range<usize>,
    /// Whether it stands in a list or a quote.
    pub(crate) nested: bool,
}

/// The byte ranges of fenced code blocks, in order; indented code is not among them.
pub(crate) fn fenced_code(text: &str) -> Vec<Range<usize>> {
    Parser::new(text)
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))))
        .map(|(_, range)| range)
        .collect()
}

/// The byte ranges of all code, in blocks and in lines, in order.
pub(crate) fn code(text: &str) -> Vec<Range<usize>> {
    let events = Parser::new(text).into_offset_iter();
    let code = events.filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(_)) | Event::Code(_)));
    code.map(|(_, range)| range).collect()
}

/// The rules that divide a text, in order.
pub(crate) fn rules(text: &str) -> Vec<Range<usize>> {
    let events = Parser::new(text).into_offset_iter();
    events.filter(|(event, _)| matches!(event, Event::Rule)).map(|(_, range)| range).collect()
}

/// The headings of a text, in order.
pub(crate) fn outline(text: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut inside = false;
    let mut depth = 0;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => depth -= 1,
            Event::Start(Tag::Heading { level, .. }) => {
                inside = true;
                headings.push(Heading { level, title: String::new(), range, nested: depth > 0 });
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Text(piece) | Event::Code(piece) if inside => {
                if let Some(heading) = headings.last_mut() {
                    heading.title.push_str(&piece);
                }
            }
            Event::SoftBreak | Event::HardBreak if inside => {
                if let Some(heading) = headings.last_mut() {
                    heading.title.push(' ');
                }
            }
            _ => {}
        }
    }
    headings
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

    #[test]
    fn the_outline_has_titles_without_their_dress() {
        let text = "# **One** `two` #\n\nThree\n---\n\n```\n# code\n```\n";
        let titles: Vec<_> = outline(text).into_iter().map(|heading| (heading.level as usize, heading.title)).collect();
        assert_eq!(titles, [(1, "One two".to_owned()), (2, "Three".to_owned())]);
    }
}
