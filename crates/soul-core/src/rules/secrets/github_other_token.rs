use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK602",
    name: "github-other-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a GitHub token",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["gho_", "ghu_", "ghr_", "github_pat_"],
        pattern: r"\b(?:gh[our]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{40,})",
        keep: not_placeholder,
    },
    hits: &["gho_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"],
    misses: &["github_pat_...", "gho_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
};
