use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC065",
    name: "npm-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains an npm token",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw { literals: &["npm_"], pattern: r"\bnpm_[A-Za-z0-9]{36}\b", keep: not_placeholder },
    hits: &["npm_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"],
    misses: &["npm_config_cache", "npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
};
