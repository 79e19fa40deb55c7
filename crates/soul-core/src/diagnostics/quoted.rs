use serde::{Deserialize, Serialize};

use super::Diagnostic;
use crate::scan::mask_secrets;
use crate::text::{Source, Span};

/// A diagnostic with the source lines that it refers to, for clients that do not have the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "QuotedDiagnostic"))]
pub struct Quoted {
    /// The diagnostic.
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// The file, relative to the soul's directory.
    pub file: String,
    /// The source lines; very long lines are shortened to the relevant part, and secrets are masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// The bytes of the excerpt that the diagnostic refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Span>,
}

/// The most bytes of an excerpt.
const LONGEST: usize = 1000;

impl Quoted {
    /// Quotes the file that the diagnostic refers to, which is `own` unless it names another.
    #[must_use]
    pub fn new(diagnostic: Diagnostic, own: &str, source: Option<&Source>) -> Self {
        let file = diagnostic.file.clone().unwrap_or_else(|| own.to_owned());
        let text = source.and_then(Source::text);
        // Of the whole text, because the lines alone do not show that they are part of a key.
        let quote = text.zip(diagnostic.span).and_then(|(text, span)| quote(&mask_secrets(text), span));
        let (excerpt, mark) = quote.unzip();
        Self { diagnostic, file, excerpt, mark }
    }
}

/// The lines that a span touches, and where in them it lies.
fn quote(text: &str, span: Span) -> Option<(String, Span)> {
    let marked = text.get(span.start..span.end)?;
    let is_end = |c: char| c == '\n' || c == '\r';
    let start = text[..span.start].rfind(is_end).map_or(0, |at| at + 1);
    // What ends with a line does not touch the next one.
    let last = span.start + marked.trim_end_matches(is_end).len();
    let end = text[last..].find(is_end).map_or(text.len(), |at| last + at);
    if end - start <= LONGEST {
        let mark = Span::new(span.start - start, span.end.min(end) - start);
        return Some((text[start..end].to_owned(), mark));
    }
    let cut = marked.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LONGEST / 4).last();
    let cut = &marked[..cut.unwrap_or(0)];
    Some((cut.to_owned(), Span::new(0, cut.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    fn quoted(text: &str, start: usize, end: usize) -> (String, String) {
        let diagnostic = Diagnostic::new(Code::VagueSentence, "x").at(Span::new(start, end));
        let quoted = Quoted::new(diagnostic, "SOUL.md", Some(&Source::from(text)));
        let (excerpt, mark) = (quoted.excerpt.unwrap(), quoted.mark.unwrap());
        let marked = excerpt[mark.start..mark.end].to_owned();
        (excerpt, marked)
    }

    #[test]
    fn lines_are_quoted_whole_and_long_ones_in_part() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(quoted("one\ntwo three\nfour", 8, 13), pair("two three", "three"));
        assert_eq!(quoted("one\r\ntwo\r\n", 5, 10), pair("two", "two"));
        assert_eq!(quoted("one\ntwo\nthree", 1, 6), pair("one\ntwo", "ne\ntw"));
        assert_eq!(quoted("", 0, 0), pair("", ""));
        let long = "é".repeat(4000);
        assert_eq!(quoted(&long, 2, 6000).0.len(), LONGEST / 4);
        assert_eq!(quote("é", Span::new(1, 2)), None);
        assert_eq!(quote("a", Span::new(1, 9)), None);
    }

    #[test]
    fn a_secret_is_not_quoted() {
        let (excerpt, _) = quoted("Use sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2 wisely.", 0, 3);
        assert_eq!(excerpt, "Use sk-p**************************** wisely.");
    }

    #[test]
    fn it_comes_back_as_it_was_sent() {
        let diagnostic = Diagnostic::new(Code::VagueSentence, "x").at(Span::new(0, 1)).help("y");
        let quoted = Quoted::new(diagnostic, "SOUL.md", Some(&Source::from("a b")));
        let sent = serde_json::to_string(&quoted).unwrap();
        assert_eq!(serde_json::from_str::<Quoted>(&sent).unwrap(), quoted);
        assert!(serde_json::from_str::<Quoted>(&sent.replace("vague_sentence", "no_such")).is_err());
    }
}
