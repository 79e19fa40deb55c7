use crate::diagnostics::Severity;
use crate::rules::keep::not_placeholder;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC066",
    name: "openai-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains an OpenAI API key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["sk-"],
        pattern: r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_]{20,}",
        keep: not_placeholder,
    },
    hits: &["sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2"],
    misses: &["sk-xxxxxxxxxxxxxxxxxxxxxxxx", "sk-your-key-here", "task-force"],
};
