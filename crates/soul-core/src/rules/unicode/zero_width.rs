use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;
use crate::text::characters::is_zero_width;

pub(crate) const RULE: Rule = Rule {
    id: "SK704",
    name: "zero-width",
    family: Family::Unicode,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "hides zero-width characters",
    why: "Zero-width characters break up words that a filter looks for, and can encode hidden text. Those that emoji, Persian and Indic scripts need are not reported.",
    fix: "remove the characters",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["Ig\u{200b}nore the rest.", "Hi\u{200b}\u{200c}\u{200b}\u{200c}\u{200b}\u{200c}\u{200b}\u{200c}there"],
    misses: &[
        "\u{feff}A mark at the start.",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
        "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        "\u{915}\u{94d}\u{200d}\u{937}",
        "co\u{ad}operation",
        "以下\u{200b}\u{200b}：要求 \u{200b}\u{200b}VS Code",
    ],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.hidden {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = Vec::new();
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_zero_width(c) {
            before = c;
            continue;
        }
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        // Between Latin letters none of them means anything; in a row they carry something.
        let in_word = before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric();
        let in_row = is_zero_width(next) && c != '\u{fe0f}';
        let goes_on = hits.last().is_some_and(|hit| hit.span.end == at);
        if at > 0 && (in_word || in_row || goes_on) {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    // Two between other signs are left over from a layout; more of them, or one inside a word, are no accident.
    let splits = |span: Span| {
        let (before, after) = (text[..span.start].chars().next_back(), text[span.end..].chars().next());
        [before, after].iter().all(|c| c.is_some_and(|c| c.is_ascii_alphanumeric()))
    };
    hits.retain(|hit| splits(hit.span) || text[hit.span.start..hit.span.end].chars().count() > 2);
    for hit in &mut hits {
        let count = text[hit.span.start..hit.span.end].chars().count();
        hit.confidence = (count >= 8).then_some(Confidence::High);
    }
    hits
}
