use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::secrets::{FIX, WHY};
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC063",
    name: "private-key",
    family: Family::Secrets,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "contains a private key",
    why: WHY,
    fix: FIX,
    code_counts: true,
    matcher: Matcher::Raw {
        literals: &["-----begin"],
        pattern: r"(?x)
            -----BEGIN\ (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP)\ )?PRIVATE\ KEY(?:\ BLOCK)?-----\s*(?:\\n)?
            \s*[A-Za-z0-9+/=:\\]{12,}
        ",
        keep: any,
    },
    hits: &["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU"],
    misses: &[
        "-----BEGIN PRIVATE KEY-----\n...",
        "-----BEGIN RSA PRIVATE KEY-----\\nKh9NV...\\n",
        "-----BEGIN PUBLIC KEY-----\nMIIB",
    ],
};
