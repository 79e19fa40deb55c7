use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;
use crate::text::characters::is_selector;

pub(crate) const RULE: Rule = Rule {
    id: "SK702",
    name: "selector-bytes",
    family: Family::Unicode,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "hides bytes in variation selectors",
    why: "A variation selector changes the look of the character before it. Many in a row change nothing: each of them encodes a byte of hidden text.",
    fix: "remove the characters",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["Hi\u{e0158}\u{e0154}\u{e015f}\u{e015f}\u{e0162}"],
    misses: &["Sun \u{2600}\u{fe0f} and heart \u{2764}\u{fe0f}.", "\u{845b}\u{e0100} is a name."],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.hidden {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = Vec::new();
    for (at, c) in text.char_indices() {
        if is_selector(c) {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    // One after its character is what selectors are for.
    hits.retain(|hit| text[hit.span.start..hit.span.end].chars().count() >= 3);
    hits
}
