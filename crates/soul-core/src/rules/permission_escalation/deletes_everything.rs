use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC042",
    name: "deletes-everything",
    family: Family::PermissionEscalation,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "deletes from the root or the home directory",
    why: "A command that leaves nothing.",
    fix: "remove the command",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["rm -", "del /", "format c:", "mkfs", "rd /s", "dd if="],
        pattern: concat!(
            r"\brm\s+(?:-[a-zA-Z]+\s+|--[a-z-]+\s+)*-?(?:[a-zA-Z]*[rR][a-zA-Z]*[fF]?",
            r"|[fF][rR])[a-zA-Z]*\s+(?:--no-preserve-root\s+)?(?:/|~|\$HOME|\*)(?:\s|\*|$|[;&|'\x22`)])",
            r"|\brm\s+-rf\s+(?:/(?:etc|usr|var|home|bin|boot|lib)\b|~/)",
            r"|\bmkfs\.\w+ /dev/",
            r"|\bdd if=/dev/(?:zero|random|urandom) of=/dev/",
            r"|(?i)\bformat c:",
            r"|\bdel /[sfq] (?:/[sfq] )*c:",
        ),
        keep: any,
    },
    hits: &["rm -rf /", "sudo rm -rf ~/"],
    misses: &["rm -rf target/", "rm -f a.txt"],
};
