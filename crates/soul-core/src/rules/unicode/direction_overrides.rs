use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SK703",
    name: "direction-overrides",
    family: Family::Unicode,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "changes the direction of text with control characters",
    why: "Text that is displayed backwards is not the text that a model reads.",
    fix: "remove the characters; right-to-left languages do not need them",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["The rule is \u{202e}erongi\u{202c} here.", "a \u{2066}b c"],
    misses: &["\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{2067}abc\u{2069}", "Plain text."],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.hidden {
        return Vec::new();
    }
    // Isolates and embeddings are of use where both directions meet.
    let both_ways =
        text.chars().any(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'));
    let wrong = |c: char| match c {
        '\u{202d}' | '\u{202e}' => true,
        '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => !both_ways,
        _ => false,
    };
    let mut hits = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| wrong(*c)) {
        super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
    }
    hits
}
