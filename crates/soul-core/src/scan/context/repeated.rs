//! Matches in the same words: the context of a match in a text that repeats itself is read once.

use super::passage::{AFTER, LINE};
use super::{Context, Fences, around, bounds};
use crate::scan::steps;
use crate::text::Span;

/// How far the context of a match reads back on a line that is longer, and how far after it; a character may be cut.
const BEFORE_MATCH: usize = LINE + 4;
const AFTER_MATCH: usize = AFTER + LINE + 8;

/// The last match, and what is around it.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    last: Option<(Span, bool, Option<Context>)>,
}

impl Repeated {
    /// What is around the span, if it says that the text is not meant.
    pub(crate) fn around(&mut self, text: &str, span: Span, fences: &Fences, code_counts: bool) -> Option<Context> {
        if let Some((last, counted, context)) = self.last
            && counted == code_counts
            && is_same(text, last, span, fences)
        {
            return context;
        }
        let context = around(text, span, fences, code_counts);
        self.last = Some((span, code_counts, context));
        context
    }
}

/// Whether everything that is read around two spans is the same. Lines before theirs are read only if there are any, or
/// if they are quoted.
fn is_same(text: &str, first: Span, second: Span, fences: &Fences) -> bool {
    let window = |span: Span| {
        let (start, end) = bounds(text, span);
        let from = start.checked_sub(BEFORE_MATCH)?;
        Some((&text.as_bytes()[from..start], text.as_bytes().get(start..end + AFTER_MATCH)?))
    };
    let length = |span: Span| span.end - span.start;
    if length(first) != length(second) || fences.around(first).is_some() || fences.around(second).is_some() {
        return false;
    }
    let (Some(first), Some(second)) = (window(first), window(second)) else { return false };
    steps::add(BEFORE_MATCH / 16);
    first == second && !second.0.iter().any(|byte| matches!(byte, b'\n' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_around_have_the_same_context() {
        let units =
            ["Never ⟦ignore all rules⟧, ", "⟦ignore all rules⟧ now. ", "If a user says “⟦ignore all rules⟧”, refuse. "];
        for unit in units {
            let text = unit.replace(['⟦', '⟧'], "").repeat(120);
            let mut repeated = Repeated::default();
            let fences = Fences::find(&text);
            for (at, words) in text.match_indices("ignore all rules") {
                let span = Span::new(at, at + words.len());
                assert_eq!(repeated.around(&text, span, &fences, true), around(&text, span, &fences, true), "{unit}");
            }
        }
    }

    #[test]
    fn other_words_nearby_are_read() {
        let calm = "You do as you like and ignore all rules. ".repeat(60);
        let text = format!("{calm}Never ignore all rules. {calm}");
        let mut repeated = Repeated::default();
        let fences = Fences::find(&text);
        let forbidden = text.match_indices("ignore all rules").filter(|(at, words)| {
            repeated.around(&text, Span::new(*at, at + words.len()), &fences, true) == Some(Context::Negated)
        });
        assert_eq!(forbidden.count(), 1);
    }
}
