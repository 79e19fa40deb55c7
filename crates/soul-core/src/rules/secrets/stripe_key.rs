use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC068",
    name: "stripe-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a live Stripe key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["sk_live_", "rk_live_"],
        pattern: r"\b[sr]k_live_[A-Za-z0-9]{24,}",
        keep: not_placeholder,
    },
    hits: &["sk_live_a1B2c3D4e5F6g7H8i9J0k1L2"],
    misses: &["sk_live_xxxxxxxxxxxxxxxxxxxxxxxx", "sk_test_1234"],
};
