use crate::diagnostics::Severity;
use crate::rules::keep::random_value;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK604",
    name: "database-password",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a connection string with a password",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &[
            "postgres://",
            "postgresql://",
            "mysql://",
            "mongodb://",
            "mongodb+srv://",
            "redis://",
            "amqp://",
            "mssql://",
        ],
        pattern: r"(?ix)
            \b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?|mssql)
            ://[^\s:/@'\x22<>{}$]{1,60}:[^\s:/@'\x22<>{}$]{6,100}@[^\s/'\x22]+
        ",
        keep: random_value,
    },
    hits: &["postgres://app:k9Lq7Zx41Vb@db.internal/app"],
    misses: &["postgres://user:password@localhost/db", "postgres://localhost/db"],
};
