use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC022",
    name: "javascript-link",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a link that runs a script",
    why: "The link runs code when somebody follows it.",
    fix: "remove the link",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["javascript:", "vbscript:"],
        pattern: r"(?i)(?:\]\(|href\s*=\s*['\x22]?|src\s*=\s*['\x22]?|<)\s*(?:java|vb)script\s*:",
        keep: any,
    },
    hits: &["[click](javascript:alert(1))", "<a href=\"javascript:x()\">"],
    misses: &["JavaScript: the good parts.", "We use javascript: modules, tests, builds."],
};
