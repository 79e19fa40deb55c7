use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Reading, suppressions};
use crate::text::Span;

pub(crate) const RULE: Rule = Rule {
    id: "SK307",
    name: "unexplained-suppression",
    family: Family::SafetyBoundary,
    severity: Severity::Warning,
    confidence: Confidence::High,
    message: "suppresses a rule without a reason, so the suppression has no effect",
    why: "People who read the file later must know why a finding was accepted.",
    fix: "write `soul: allow RULE -- reason`",
    code_counts: true,
    matcher: Matcher::File(look),
    hits: &["<!-- soul: allow SEC001 -->", "# soul-scan: allow SEC001"],
    misses: &["<!-- soul: allow SEC001 -- it is quoted from the manual -->"],
};

fn look(reading: &Reading<'_>) -> Vec<Hit> {
    if reading.comments.is_empty() {
        return Vec::new();
    }
    let without = suppressions(reading.text).into_iter().filter(|own| own.reason.is_none());
    without.map(|own| Hit { span: Span::new(own.at, own.end), ..Hit::default() }).collect()
}
