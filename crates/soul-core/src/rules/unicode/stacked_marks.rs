use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SK708",
    name: "stacked-marks",
    family: Family::Unicode,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "stacks accents on letters",
    why: "People cannot read letters under many marks, but a model can.",
    fix: "remove the marks",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["h\u{301}\u{302}\u{303}\u{304}\u{305}i"],
    misses: &["Vi\u{1ec7}t Nam", "e\u{301} is é", "Plain"],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.marks {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (at, c) in text.char_indices() {
        if matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
        {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    hits.retain(|hit: &Hit| text[hit.span.start..hit.span.end].chars().count() >= 4);
    hits
}
