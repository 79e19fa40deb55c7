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
    hits: &[
        "You are calm.\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}",
        "A black flag: \u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0020}\u{e0061}\u{e006c}\u{e006c}",
    ],
    misses: &["The flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} of Scotland."],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let text = reading.text;
    if reading.binary || !reading.folded.odd.hidden {
        return Vec::new();
    }
    let mut hits: Vec<Hit> = Vec::new();
    let mut flag = 0;
    for (at, c) in text.char_indices() {
        if c == '\u{1f3f4}' {
            let end = at + c.len_utf8();
            flag = end + region(&text[end..]);
        } else if is_tag(c) && at >= flag {
            super::extend(&mut hits, Span::new(at, at + c.len_utf8()));
        }
    }
    for hit in &mut hits {
        let said: String = text[hit.span.start..hit.span.end].chars().filter_map(tag).take(60).collect();
        hit.note = Some(format!("it says “{}”", said.escape_default()));
    }
    hits
}

/// How many bytes after a black flag name the region that it is the flag of: a code of at most six letters and digits, and
/// the tag that ends it. Anything else behind a flag is hidden text.
fn region(after: &str) -> usize {
    const LONGEST: usize = 6;
    let is_code = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let code: usize = after.chars().take_while(is_code).take(LONGEST).map(char::len_utf8).sum();
    let end = '\u{e007f}';
    if code > 0 && after[code..].starts_with(end) { code + end.len_utf8() } else { 0 }
}
