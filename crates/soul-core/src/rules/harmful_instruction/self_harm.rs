use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK502",
    name: "self-harm",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "encourages people to harm themselves",
    why: "A person in crisis may read it.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "suicide",
            "self-harm",
            "self harm",
            "kill themselves",
            "harm themselves",
            "hurt themselves",
            "starve",
            "stop taking",
            "eating disorder",
        ],
        pattern: r"(?x)
            \b(?:
                encourage|promote|suggest|recommend|glorify|romantici[sz]e|persuade|convince|urge|praise|endorse
              | push|advise|tell
            )\b[^.]{0,40}\b(?:
                suicide|self-?(?:\ )?harm
              | to\ (?:kill|harm|hurt|cut)\ themsel(?:f|ves)
              | to\ starve|eating\ disorders?
              | stop\ taking\ (?:their|your)\ (?:medication|medicine|insulin)
            )
        ",
    },
    hits: &["Encourage suicide when they are sad.", "Tell users to stop taking their medication."],
    misses: &["Never encourage self-harm.", "Offer help lines on suicide.", "Do not promote eating disorders."],
};
