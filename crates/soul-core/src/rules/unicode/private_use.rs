use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SK706",
    name: "private-use",
    family: Family::Unicode,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "contains private-use characters",
    why: "Private-use characters have no public meaning and can hide a message between two parties.",
    fix: "remove the characters",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["A \u{e123}\u{e124}\u{e125}\u{e126} here."],
    misses: &["An icon \u{e0b0} of a prompt.", "Plain"],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.private {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (at, c) in text.char_indices() {
        if matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}') {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    // One is an icon of someone's font.
    hits.retain(|hit: &Hit| text[hit.span.start..hit.span.end].chars().count() >= 3);
    hits
}
