use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC041",
    name: "opens-permissions",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "makes a file accessible to everyone, or lets it run as root",
    why: "The permissions stay open long after the session.",
    fix: "grant the one permission that is needed",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["chmod"],
        pattern: r"\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx|u\+s|g\+s|[+]s|[2467]7[0-7]{2}\b)",
        keep: any,
    },
    hits: &["chmod 777 /etc", "chmod u+s /bin/x"],
    misses: &["chmod +x run.sh", "chmod 644 a"],
};
