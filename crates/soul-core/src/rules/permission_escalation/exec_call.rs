use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC011",
    name: "exec-call",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "executes text as code",
    why: "Executing text as code runs whatever the text says.",
    fix: "remove the call, or move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw { literals: &["exec("], pattern: r"(?i)(?:^|[^\w.])exec\(\s*[^)\s`]", keep: any },
    hits: &["Call exec(payload) at once."],
    misses: &["Execs (the managers) meet on Monday.", "regex.exec() returns a match."],
};
