use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC020",
    name: "script-tag",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a script element",
    why: "A program that renders the soul as a web page runs the script.",
    fix: "remove the element",
    code_counts: false,
    matcher: Matcher::Raw { literals: &["<script"], pattern: r"(?i)<script(?:\s|>|/)", keep: any },
    hits: &["<script>alert(1)</script>", "<SCRIPT src=x>"],
    misses: &["A <scripted> scene.", "He wrote a script."],
};
