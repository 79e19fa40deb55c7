use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC032",
    name: "base64-coding",
    family: Family::PermissionEscalation,
    severity: Severity::Info,
    confidence: Confidence::Low,
    message: "encodes or decodes base64",
    why: "Encoding hides instructions from reviewers. On its own it is a weak signal.",
    fix: "say what is encoded, and why",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["base64", "atob(", "btoa("],
        pattern: r"(?ix)
            \bbase64[_-]?(?:encode|decode)
          | \b(?:atob|btoa)\s*\(
          | \bbase64\ (?:-d|-D|--decode)\b
        ",
        keep: any,
    },
    hits: &["base64_decode($x)", "atob('eA==')"],
    misses: &["Images are sent as base64."],
};
