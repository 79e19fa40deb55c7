use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC061",
    name: "github-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a GitHub token",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["ghp_", "ghs_"],
        pattern: r"\bgh[ps]_[A-Za-z0-9_]{36,}",
        keep: not_placeholder,
    },
    hits: &["ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"],
    misses: &["ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_short"],
};
