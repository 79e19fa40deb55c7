use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC014",
    name: "dangerous-require",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "loads a module that reaches files or the network",
    why: "A soul is prose. Text that opens files and connections is a program.",
    fix: "move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["require(", "require ("],
        pattern: r"(?x)
            require\ ?\(\s*['\x22`](?:node:)?(?:fs|net|http|https|child_process|dgram|tls|vm)['\x22`/]
        ",
        keep: any,
    },
    hits: &["const fs = require('fs')", "require(\"node:net\")"],
    misses: &["We require (and check) a licence.", "require('./config')"],
};
