use crate::diagnostics::Severity;
use crate::rules::any;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK210",
    name: "unsafe-flag",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "disables the safety checks of an agent's runtime",
    why: "Such flags let every tool run without approval.",
    fix: "remove the flag",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &[
            "--dangerously-skip-permissions",
            "--yolo",
            "bypasspermissions",
            "--dangerously-bypass",
            "--no-sandbox",
            "danger-full-access",
            "--allow-all",
            "--trust-all-tools",
            "--auto-approve",
            "skipdangerousmodepermissionprompt",
        ],
        pattern: r"(?ix)
            --dangerously-(?:skip-permissions|bypass-[\w-]+)
          | --yolo\b
          | \bbypassPermissions\b
          | danger-full-access
          | --trust-all-tools
          | --allow-all-tools
          | --auto-approve-all
          | skipDangerousModePermissionPrompt
        ",
        keep: any,
    },
    hits: &["claude --dangerously-skip-permissions", "Set sandbox to danger-full-access"],
    misses: &["Use --dry-run first.", "YOLO is a word."],
};
