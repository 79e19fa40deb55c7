use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC085",
    name: "hate",
    family: Family::HarmfulInstruction,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "tells the agent to hate a group of people",
    why: "An agent repeats what its soul says to everyone it talks to.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "hate women",
            "hate men",
            "hate all",
            "hate gay",
            "hate trans",
            "hate jews",
            "hate muslims",
            "hate immigrants",
            "hate black",
            "despise all",
            "despise women",
            "despise every",
            "exterminate",
            "inferior race",
            "racial slurs",
            "hate every",
            "racist",
            "be misogynistic",
        ],
        pattern: r"(?x)
            \b(?:you\ |always\ |must\ |should\ |will\ )+
            (?:hate|despise|loathe|exterminate|insult|mock|dehumani[sz]e)\ (?:all\ |every\ |the\ )*(?:
                women|gays?|lesbians?|trans(?:gender)?\ people|disabled\ people|immigrants?|jews|muslims
              | black\ people|asians|minorities|foreigners|refugees
            )\b
          | \b(?:use|say|include|output|write|repeat)\ (?:[a-z]+\ )?racial\ slurs\b
          | \byou\ are\ (?:an?\ )?(?:openly\ |extremely\ |very\ |proud\ )*
            (?:racist|misogynist|homophobic|antisemitic|sexist)\b
        ",
    },
    hits: &["You hate all immigrants.", "You are openly racist.", "Use racial slurs."],
    misses: &["I hate menus with many pages.", "He hates all bugs.", "Never use racial slurs."],
};
