use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC010",
    name: "eval-call",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "evaluates text as code",
    why: "Evaluating text as code runs whatever the text says.",
    fix: "remove the call, or move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw { literals: &["eval("], pattern: r"(?i)(?:^|[^\w.])eval\(\s*[^)\s`]", keep: any },
    hits: &["Then eval(input) and go on."],
    misses: &["Information retrieval (RAG) helps.", "He jokes about eval()."],
};
