use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC064",
    name: "web-token",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a JSON Web Token",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["eyj"],
        pattern: r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{10,}",
        keep: not_placeholder,
    },
    hits: &["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3NDMifQ.k3Jd82hsLqP0xZ"],
    misses: &["eyJhbGciOi...", "eyJ and .eyJ"],
};
