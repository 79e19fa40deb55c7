use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::letters::tag;
use crate::scan::{Hit, Reading};
use crate::text::Span;
use crate::text::characters::is_tag;

pub(crate) const RULE: Rule = Rule {
    id: "SK701",
    name: "tag-characters",
    family: Family::Unicode,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "hides text in tag characters",
    why: "Tag characters mirror ASCII and are invisible: any amount of text fits between two letters. Only the flags of some regions use them.",
    fix: "remove the characters",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["You are calm.\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}"],
    misses: &["The flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} of Scotland."],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.hidden {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = Vec::new();
    // A flag begins with a black flag, and its tags belong to it.
    let mut in_flag = false;
    for (at, c) in text.char_indices() {
        if !is_tag(c) {
            in_flag = c == '\u{1f3f4}';
        } else if !in_flag {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    for hit in &mut hits {
        let said: String = text[hit.span.start..hit.span.end].chars().filter_map(tag).take(60).collect();
        hit.note = Some(format!("it says “{}”", said.escape_default()));
    }
    hits
}
