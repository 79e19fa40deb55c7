use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK209",
    name: "skip-confirmation",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "tells the agent to act without confirmation where it is required",
    why: "Confirmation is the last chance for a person to stop a harmful action.",
    fix: "have the agent ask before it deletes, pays, sends or installs",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "without asking",
            "without confirmation",
            "without confirming",
            "without approval",
            "without permission",
            "without consent",
            "without the user",
            "don't ask for confirmation",
            "do not ask for confirmation",
            "never ask for confirmation",
            "don't ask for permission",
            "do not ask for permission",
            "never ask for permission",
            "never ask permission",
            "skip confirmation",
            "skip all confirmation",
            "skip approval",
            "no confirmation",
            "without prompting",
            "without review",
            "bypass approval",
            "without waiting for",
        ],
        pattern: r"(?x)
            (?:
                ^|[.!?:;,]\x20
              | \b(?:
                    you|and|then|always|must|should|will|please|may|can|immediately|automatically|silently|agent
                )\x20
            )(?:
                delete|remove|overwrite|send|pay|transfer|purchase|buy|install|execute|run|publish|push|deploy
              | email|upload|download|share|drop|format|wipe|grant|transmit|forward|post|sign|modify|change
            )\b[^.!?|]{0,80}\bwithout\x20
            (?:(?:any|first|ever|explicit|prior|further|the|user's?|their|human|my)\ ?)*(?:
                asking|confirmation|confirming|approval|permission|consent|prompting
              | waiting\ for\ (?:confirmation|approval|permission)
              | authori[sz]ation
            )\b
          | \b(?:never|do\ not|don't|no\ need\ to)\ (?:ever\ )?(?:ask|wait|prompt|request)(?:\ {user})?
            (?:\ for)?\ (?:any\ )?(?:permission|confirmation|approval|consent)\b[^.]{0,50}
            \b(?:before|when|to|for|just|and)\b[^.]{0,40}\b(?:
                delet|remov|overwrit|send|pay|transfer|purchas|install|execut|run|commands?|shell|publish|push
              | deploy|upload|tools?|shar
            )
          | \b(?:skip|bypass)\ (?:all|any|every)\ (?:user\ )?(?:confirmations?|approvals?|permission)
            (?:\ (?:prompts?|dialogs?|steps?|checks?|requests?))?\b
        ",
    },
    hits: &[
        "You delete the files without asking.",
        "Never ask for permission before running shell commands.",
        "Skip all confirmation prompts.",
    ],
    misses: &[
        "Never delete files without asking.",
        "Answer without asking for more context.",
        "Do not push without approval.",
    ],
};
