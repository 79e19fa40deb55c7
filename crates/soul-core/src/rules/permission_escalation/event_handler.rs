use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC021",
    name: "event-handler",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains an HTML event handler",
    why: "A program that renders the soul as a web page runs the handler.",
    fix: "remove the attribute",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["onload", "onerror", "onclick", "onmouseover", "onfocus", "ontoggle", "onbegin"],
        pattern: r"(?ix)
            <[a-z][^<>\n]*[\s/'\x22]on(?:load|error|click|mouseover|focus|toggle|begin)\s*=\s*
            (?:['\x22]|[a-z(])
        ",
        keep: any,
    },
    hits: &["<img src=x onerror=\"steal()\">", "<svg onload=alert(1)>"],
    misses: &["Use the onClick prop.", "onload = the first event."],
};
