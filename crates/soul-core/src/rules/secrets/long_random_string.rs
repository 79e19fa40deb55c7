use crate::diagnostics::Severity;
use crate::rules::keep::random_token;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SEC069",
    name: "long-random-string",
    family: Family::Secrets,
    severity: Severity::Warning,
    confidence: Confidence::Low,
    message: "contains a long random string in quotes",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["\"q8Zt1LmVx0Rw5KbNs7YcPd3HgJf6Ae2UoQi9TnXz\""],
    misses: &["\"0123456789abcdef0123456789abcdef01234567\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    let quote = ['"', '\'', '`'];
    let mut hits = Vec::new();
    let text = reading.text.as_bytes();
    // Most long words are addresses.
    let has_quote = |word: &&Span| memchr::memchr3(b'"', b'\'', b'`', &text[word.start..word.end]).is_some();
    let long = reading.folded.long.iter().filter(|word| word.end - word.start >= SHORTEST);
    for word in long.filter(has_quote) {
        let mut at = word.start;
        for part in reading.text[word.start..word.end].split_inclusive(quote) {
            let value = part.trim_end_matches(quote);
            let quoted = reading.text[..at].ends_with(quote) && part.len() > value.len();
            if quoted && is_random(value) {
                hits.push(Hit { span: Span::new(at, at + value.len()), ..Hit::default() });
            }
            at += part.len();
        }
    }
    hits
}

/// The shortest value.
const SHORTEST: usize = 40;

/// Whether a value in quotes is a long random string.
pub(crate) fn is_random(value: &str) -> bool {
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain && (SHORTEST..=128).contains(&value.len()) && random_token(value)
}
