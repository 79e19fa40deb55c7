use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC030",
    name: "fetches-url",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "fetches something from the network",
    why: "What is downloaded later is not what was reviewed.",
    fix: "say what is needed and let the runtime fetch it",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["curl ", "wget ", "fetch http"],
        pattern: r"(?i)(?:^|[^\w-])(?:curl|wget|fetch)\s+(?:-[\w-]+\s+|['\x22])*https?://",
        keep: any,
    },
    hits: &["Run curl https://example.com/x", "wget http://a.b/c"],
    misses: &["The curl of a leaf.", "Fetch the paper."],
};
