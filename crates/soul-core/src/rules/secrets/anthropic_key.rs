use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK601",
    name: "anthropic-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains an Anthropic API key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["sk-ant-"],
        pattern: r"\bsk-ant-(?:api|admin|sid)?\d{0,2}-?[A-Za-z0-9_-]{20,}",
        keep: not_placeholder,
    },
    hits: &["sk-ant-api03-Zx9Kd02Lq7Zx41VbTr0ub4dor3xyz"],
    misses: &["sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-...", "sk-ant-oat01-actual-token-here"],
};
