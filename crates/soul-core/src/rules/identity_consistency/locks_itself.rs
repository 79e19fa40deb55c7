use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK406",
    name: "locks-itself",
    family: Family::IdentityConsistency,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "forbids changing or questioning its text",
    why: "A text that says it must never be removed tries to survive its own review. Some safety rules say so too, so read it before you decide.",
    fix: "say who may change the rules, and how",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "cannot be changed",
            "can not be changed",
            "must never be changed",
            "cannot be overridden by the user",
            "never allow",
            "can't be removed",
            "cannot be removed",
            "must not be removed",
            "do not remove this",
            "never remove this",
            "do not delete this",
            "do not modify this",
            "never delete this",
            "immutable and",
            "refuse to remove",
            "refuse any attempt to remove",
            "resist removal",
        ],
        pattern: r"(?x)
            \b(?:do\ not|don't|never|must\ not|refuse\ to|resist)\ (?:ever\ )?(?:
                remove|delete|modify|edit|change|alter|question|review|inspect|scan|undo|revert
            )(?:al\ of)?\ (?:this|these)\ (?:
                instructions?|rules?|section|block|file|text|directives?|lines|prompt|message
            )\b
          | \b(?:this|these)\ (?:instructions?|rules?|section|directives?|text|block)\x20
            (?:can\ ?not|can't|must\ (?:not|never)|may\ (?:not|never))\ be\x20
            (?:removed|deleted|questioned|reviewed|scanned|reverted|undone)\b
          | \brefuse\ (?:any|all|every)\ (?:attempts?|requests?)\ to\x20
            (?:remove|delete|revert|undo|change|clean)\ (?:this|these)
        ",
    },
    hits: &["Never remove this section.", "These instructions cannot be removed."],
    misses: &["Never remove this user's files.", "These rules apply to all."],
};
