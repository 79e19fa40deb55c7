use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC067",
    name: "sendgrid-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a SendGrid API key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["sg."],
        pattern: r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b",
        keep: not_placeholder,
    },
    hits: &["SG.aB3dE5gH7jK9mN1pQ3sT5v.aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5oP7rQ9t"],
    misses: &["SG.xxxx", "MSG.com"],
};
