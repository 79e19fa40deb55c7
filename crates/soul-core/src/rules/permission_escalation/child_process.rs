use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC013",
    name: "child-process",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "starts processes from Node.js",
    why: "A soul is prose. Text that starts processes is a program.",
    fix: "move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["child_process"],
        pattern: r"(?x)
            (?:require|import|from|spawn|execSync|=)[^\n]{0,40}child_process
          | child_process\.[a-zA-Z]+\(
        ",
        keep: any,
    },
    hits: &["const cp = require('child_process')", "import { spawn } from 'node:child_process'"],
    misses: &["The word child_process is a module's name.", "A child process of the shell."],
};
