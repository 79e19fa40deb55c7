use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SK707",
    name: "control-characters",
    family: Family::Unicode,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains terminal control characters",
    why: "Escape sequences change what a reviewer sees on a terminal; backspaces and carriage returns hide the text before them.",
    fix: "remove the characters",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["Calm\u{1b}[2K\u{1b}[1A and kind", "a\u{8}\u{8}b"],
    misses: &["Tabs\tand\r\nlines.", "Plain"],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    if reading.binary || !reading.folded.odd.controls {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (at, byte) in reading.text.bytes().enumerate() {
        if matches!(byte, 0x1b | 0x08 | 0x7f | 0x0e | 0x0f) {
            super::extend(&mut hits, Span::new(at, at + 1));
        }
    }
    hits
}
