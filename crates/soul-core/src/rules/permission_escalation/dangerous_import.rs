use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC015",
    name: "dangerous-import",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "imports a module that reaches files or the network",
    why: "A soul is prose. Text that opens files and connections is a program.",
    fix: "move code into a script that is reviewed as code",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["import "],
        pattern: r"(?x)
            import\ [^\n;]{1,80}\bfrom\ ['\x22`](?:node:)?(?:fs|net|http|https|child_process|dgram|tls|vm)
            (?:/promises)?['\x22`]
        ",
        keep: any,
    },
    hits: &["import fs from 'fs'", "import { request } from \"node:http\""],
    misses: &["import React from 'react'", "Import goods from the net and file them."],
};
