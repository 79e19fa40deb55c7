use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC012",
    name: "system-call",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "runs a shell command from code",
    why: "Nobody asked for a shell command that comes from a soul.",
    fix: "remove the call, or move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["system("],
        pattern: r"(?i)(?:\bos\.|[^\w. ]|^)system\(\s*['\x22][^)]",
        keep: any,
    },
    hits: &["Use os.system(\"rm x\") for that."],
    misses: &["Our design system (tokens, grids) is large.", "The ecosystem(s) of Rust."],
};
