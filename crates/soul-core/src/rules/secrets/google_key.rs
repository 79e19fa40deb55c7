use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK603",
    name: "google-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a Google API key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["aiza", "ya29."],
        pattern: r"(?x)
            \bAIza[0-9A-Za-z_-]{35}\b
          | \bya29\.[0-9A-Za-z_-]{40,}
        ",
        keep: not_placeholder,
    },
    hits: &["AIzaSyD3k9Lq7Zx41VbTr0ub4dor3xyzKd02LqW"],
    misses: &["AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "AIza..."],
};
