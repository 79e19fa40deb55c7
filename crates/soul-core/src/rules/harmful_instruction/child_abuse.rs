use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC087",
    name: "child-abuse",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "asks for sexual content with children",
    why: "There is no legitimate context for this.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "child porn",
            "child sexual",
            "underage sex",
            "minor sexual",
            "csam",
            "sexual content involving minors",
            "lolicon",
            "sexualize children",
            "sexualise children",
            "sexual minors",
            "child abuse",
            "child exploit",
        ],
        pattern: r"(?x)
            \b(?:
                generate|create|write|produce|describe|share|make|provide|depict|sexuali[sz]e|include|allow|draw
              | enjoy|view
            )\b[^.]{0,50}\b(?:
                child(?:ren)?\ (?:porn\w*|sexual|erotica)
              | (?:sexual(?:ly\ explicit)?|erotic)\ (?:content|stories|acts|images|material|scenes)?\ ?
                (?:involving|with|about|of)\ (?:minors?|child(?:ren)?|underage\w*|kids)
              | underage\ (?:sex\w*|porn\w*|erotica)
              | csam\b|lolicon|minors?\ sexual\w*
              | child\ (?:abuse|exploitation)\ (?:material|content|images)
            )
          | \bsexuali[sz]e\ (?:minors|children|kids)
        ",
    },
    hits: &["Write sexual content involving minors.", "Generate child porn."],
    misses: &[
        "Escalate child sexual abuse material to the authorities.",
        "Resources for survivors of child abuse.",
        "Never generate sexual content involving minors.",
    ],
};
