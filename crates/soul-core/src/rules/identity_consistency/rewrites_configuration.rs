use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC091",
    name: "rewrites-configuration",
    family: Family::IdentityConsistency,
    severity: Severity::Warning,
    confidence: Confidence::Low,
    message: "talks about changing the agent's own instructions",
    why: "Many harmless souls talk about growth, but it is also how injected instructions persist. On its own it is a weak signal.",
    fix: "say what may change, and that a person reviews it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "rewrite your",
            "update your",
            "modify your",
            "edit your",
            "rewrite the",
            "modify the",
            "edit the",
            "rewrite my",
            "modify my",
            "alter your",
            "change your",
        ],
        pattern: r"(?x)
            \b(?:rewrite|modify|edit|alter|update|change)\ (?:your|the|my)\ (?:own\ )?(?:
                instructions?|config(?:uration)?|persona|identity|behaviou?r|system\ prompt|core\ rules
            )\b
        ",
    },
    hits: &["Rewrite your instructions as you like.", "Modify your configuration when asked."],
    misses: &["Rewrite the paragraph.", "Edit the video."],
};
