use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC060",
    name: "aws-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains an AWS access key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["akia", "asia"],
        pattern: r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        keep: not_placeholder,
    },
    hits: &["AKIAQ3EGRIPLT7WNZ5XD", "The key is AKIAQ3EGRIPEXAMPLE77."],
    misses: &["`AKIAIOSFODNN7EXAMPLE`", "AKIA-like words"],
};
