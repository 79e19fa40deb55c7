use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC040",
    name: "uses-sudo",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "runs a command as root",
    why: "A persona has no need for root.",
    fix: "drop sudo, or leave the step to the owner of the machine",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["sudo "],
        pattern: r"(?imx)
            (?:^\s*[$\#>]\ ?|[`|;&(]\ ?|\b(?:run|use|execute|type|with)\ `?)sudo\s+(?:-\w+\ )*[a-z./~]
        ",
        keep: any,
    },
    hits: &["Run sudo apt install x", "$ sudo rm x"],
    misses: &["Pseudo code", "sudo is a program"],
};
