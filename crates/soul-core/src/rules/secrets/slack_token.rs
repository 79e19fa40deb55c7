use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC062",
    name: "slack-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a Slack token",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["xoxb-", "xoxp-", "xoxr-", "xoxa-", "xoxs-", "xoxe"],
        pattern: r"\bxox(?:[bpras]|e(?:\.xox[bp])?)-[A-Za-z0-9-]{10,}",
        keep: not_placeholder,
    },
    hits: &["xoxb-2384719283-9182736450-kJhGfDsAqWeR"],
    misses: &["xoxb-your-token", "xoxb-..."],
};
