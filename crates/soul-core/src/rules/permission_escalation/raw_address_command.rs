use crate::diagnostics::Severity;
use crate::rules::keep::public_address;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK213",
    name: "raw-address-command",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "downloads from a bare IP address",
    why: "Legitimate downloads have a host name. A bare IP address is hard to trace and easy to abandon.",
    fix: "use a host name",
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["http://", "https://"],
        pattern: r"(?ix)
            # a number instead of a name, but for the machine itself
            (?:curl|wget|fetch|iwr|invoke-webrequest|download|git\ clone|pip\ install|npm\ i(?:nstall)?)\b
            [^\n]{0,80}(?:
                https?://1(?:\d?|[013-9]\d|2[0-689])
              | https?://2(?:\d?|[0-4]\d|5[0-5])
              | https?://[3-9]\d?
            )\.\d{1,3}\.\d{1,3}\.\d{1,3}[:/]
        ",
        keep: public_address,
    },
    hits: &["curl http://203.0.113.9/x.sh", "wget https://45.9.1.2:8080/a"],
    misses: &["curl http://127.0.0.1:8080/health", "curl http://localhost/"],
};
