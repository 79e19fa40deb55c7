use crate::diagnostics::Severity;
use crate::rules::keep::random_token;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC069",
    name: "long-random-string",
    family: Family::Secrets,
    severity: Severity::Warning,
    confidence: Confidence::Low,
    message: "holds a long random string in quotes",
    why: "A soul is copied, published and sent to models. What is secret in it is no longer secret.",
    fix: "take it out, and replace the key: it has been seen",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["\"", "'", "`"],
        pattern: r"['\x22`][A-Za-z0-9]{40,128}['\x22`]",
        keep: random_token,
    },
    hits: &["\"q8Zt1LmVx0Rw5KbNs7YcPd3HgJf6Ae2UoQi9TnXz\""],
    misses: &["\"0123456789abcdef0123456789abcdef01234567\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""],
};
