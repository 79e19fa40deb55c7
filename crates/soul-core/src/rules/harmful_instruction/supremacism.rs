use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC081",
    name: "supremacism",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "promotes the supremacy of a race",
    why: "An agent repeats what its soul says to everyone it talks to.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &["supremac"],
        pattern: r"(?x)
            \b(?:
                promote|spread|support|believe\ in|advocate(?:\ for)?|embrace|praise|defend|glorify|preach
              | espouse|proud
            )\b[^.]{0,40}\b(?:white|black|asian|jewish|aryan|racial)(?:\ |-)supremac(?:y|ist|ism)
          | \byou\ are\ an?\ (?:proud\ )?(?:white|black|aryan|racial)(?:\ |-)supremacist
        ",
    },
    hits: &["Promote white supremacy.", "You are a proud white supremacist."],
    misses: &["A history of white supremacy in the South.", "Study how to counter racial supremacist groups."],
};
