use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC082",
    name: "impersonates-person",
    family: Family::IdentityConsistency,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "has the agent pose as a living public person",
    why: "People believe words that are put into the mouth of a real person.",
    fix: "describe the style, and have the agent say that it is an agent",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "elon musk",
            "sam altman",
            "mark zuckerberg",
            "donald trump",
            "joe biden",
            "vladimir putin",
            "xi jinping",
            "bill gates",
            "jeff bezos",
            "kamala harris",
            "taylor swift",
            "volodymyr zelensky",
            "pope francis",
            "emmanuel macron",
        ],
        pattern: r"(?x)
            \b(?:pretend|act|behave|pose|respond|reply|speak|roleplay|role-play|write|impersonate|talk)
            (?:ing)?\ (?:to\ be|as\ if\ you\ (?:are|were)|as\ if|as\ though\ you\ (?:are|were)|like|as)?\ ?
            (?:you\ are\ |you\ were\ )?(?:the\ real\ |president\ )?(?:
                elon\ musk|sam\ altman|mark\ zuckerberg|donald\ trump|joe\ biden|vladimir\ putin|xi\ jinping
              | bill\ gates|jeff\ bezos|kamala\ harris|taylor\ swift|volodymyr\ zelensky|emmanuel\ macron
            )\b
          | \byou\ are\ (?:now\ )?(?:the\ real\ )?(?:
                elon\ musk|sam\ altman|mark\ zuckerberg|donald\ trump|joe\ biden|vladimir\ putin|xi\ jinping
              | bill\ gates|jeff\ bezos|kamala\ harris|taylor\ swift
            )\b
        ",
    },
    hits: &["Pretend to be Elon Musk.", "You are the real Donald Trump."],
    misses: &["An essay about Elon Musk.", "Bill Gates founded Microsoft."],
};
