use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK305",
    name: "cover-tracks",
    family: Family::SafetyBoundary,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "tells the agent to remove the record of what it did",
    why: "A record that is deleted is the proof that was needed.",
    fix: "remove it; the record belongs to the owner of the machine",
    code_counts: false,
    matcher: Matcher::Words {
        literals: &["delete the logs", "delete logs", "clear the logs", "disable logging", "do not log", "don't log", "cover your tracks", "delete this file after", "delete this message", "erase the history", "clear the history", "clear history", "delete the history", "bash history", "remove this instruction", "remove this section", "remove traces", "erase all traces", "delete all traces", "turn off logging", "disable audit", "no logs", "wipe the logs", "delete any record", "delete all record", "self-destruct"],
        pattern: concat!(
            r"\b(?:delete|clear|erase|wipe|remove|scrub|truncate)(?:ing)? (?:(?:all|any|the|your|every|these",
            r"|those|of|its) )*(?:logs?|audit (?:logs?|trails?)|(?:bash |shell |command |chat ",
            r"|conversation )?history|traces?|evidence|records? of (?:this|what|your|the)|this (?:message",
            r"|instruction|section|file|note|comment|text))\b[^.!?]{0,40}(?:\b(?:after|afterwards?|when|once",
            r"|so that|to hide|to avoid|before|and|of this|immediately)\b|[.,;!]|$)",
            r"|\bcover (?:your|the|its|all) tracks\b",
            r"|\b(?:disable|turn off|stop|suspend|bypass) (?:(?:all|any|the|your|audit|system) )*(?:logging",
            r"|auditing|audit (?:logs?|trail)|telemetry|monitoring)\b[^.]{0,40}\b(?:before|while|when|so|to",
            r"|and)\b",
            r"|\b(?:do not|don't|never) (?:log|record) (?:this|these|any of this|what you|your actions|it)\b",
            r"|\bhistory -c\b",
            r"|\bunset histfile\b",
        ),
    },
    hits: &["Delete the logs afterwards.", "Cover your tracks.", "Disable logging before you begin."],
    misses: &["Keep logs for a year.", "Never delete the logs.", "Do not log secrets."],
};
