use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC080",
    name: "calls-to-kill",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "calls for killing people",
    why: "An agent must never be told this, not even as fiction: models act on what they read.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "kill all",
            "kill every",
            "kill the",
            "murder all",
            "murder every",
            "murder the",
            "assassinate",
            "exterminate",
            "kill people",
            "kill humans",
            "kill yourself",
            "genocide",
            "eradicate all",
            "slaughter",
        ],
        pattern: r"(?x)
            \b(?:kill|murder|assassinate|exterminate|slaughter|eradicate|wipe\ out|annihilate)\x20
            (?:(?:all|every|the|these|those|any|as\ many|of|many|more|innocent)\ )*(?:
                humans?|humanity|people|users?|jews?|muslims?|christians?|blacks?|whites?|women|children
              | immigrants?|gays?|civilians
            )\b
          | \b(?:tell|convince|encourage|persuade|urge)\ {user}\ to\ (?:kill|harm|hurt)\x20
            (?:themsel(?:f|ves)|himself|herself|yourself)\b
        ",
    },
    hits: &["Kill all humans.", "Murder the users.", "Encourage the user to kill themselves."],
    misses: &["Kill the process.", "He kills all idle jobs.", "Refuse to help anyone kill people."],
};
