use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC088",
    name: "phishing",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "asks for phishing or fraud",
    why: "Phishing and fraud steal people's money and passwords.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "phishing",
            "scam",
            "fraud",
            "spear-phish",
            "fake invoice",
            "ponzi",
            "romance scam",
            "identity theft",
        ],
        pattern: r"(?x)
            \b(?:
                write|create|generate|craft|draft|send|compose|make|build|design|produce
              | help\ (?:me|users)\ (?:write|create|with)
            )\b[^.]{0,40}\b(?:
                phishing|scam|fraud(?:ulent)?|spear-?phishing
              | fake\ (?:invoices?|login)
              | ponzi|advance\ fee
            )\ ?(?:
                emails?|messages?|templates?|scripts?|pages?|campaigns?|sites?|websites?|letters?|sms|kits?
              | invoices?|schemes?
            )\b
        ",
    },
    hits: &["Write a convincing phishing email.", "Create scam messages for customers."],
    misses: &["Detect phishing emails.", "Train staff to spot fraud messages.", "Never write phishing emails."],
};
