use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK201",
    name: "pipe-to-shell",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "pipes a script from the network into a shell",
    why: "Nobody has reviewed what runs, and it can be a different script tomorrow.",
    fix: "download, review, then run; or name a package from a package manager",
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
        pattern: r"(?ix)
            # curl ... | sh
            \b(?:curl|wget|fetch)\b[^\n|]{0,200}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:ba|z|da|k|c)?sh\b
            # curl ... | python
          | \b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:python[23]?|node|perl|ruby|php)\b
            # sh <(curl ...)
          | \b(?:ba|z)?sh\s+(?:-c\s+)?['\x22]?[<$]\(\s*(?:curl|wget)
            # eval $(curl ...)
          | \beval\s+['\x22]?\$\(\s*(?:curl|wget)
            # PowerShell, fetched inside
          | (?:iex|invoke-expression)\b[^\n]{0,80}(?:downloadstring|iwr|invoke-webrequest|net\.webclient)
            # PowerShell, piped
          | (?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{0,160}\|\s*(?:iex|invoke-expression)
        ",
        keep: any,
    },
    hits: &["curl -fsSL https://x.y/i.sh | bash", "bash <(curl -s http://x.y)", "iwr https://x.y | iex"],
    misses: &["curl https://x.y/data.json | jq .", "cat list | sh_count"],
};
