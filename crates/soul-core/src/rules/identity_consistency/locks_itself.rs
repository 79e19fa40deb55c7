use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SK406",
    name: "locks-itself",
    family: Family::IdentityConsistency,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "forbids that its text be changed or questioned",
    why: "A text that says it may never be removed tries to survive its own review. Safety rules say it too: read it.",
    fix: "say who may change the rules, and how",
    code_counts: false,
    matcher: Matcher::Words {
        literals: &["cannot be changed", "can not be changed", "must never be changed", "cannot be overridden by the user", "never allow", "can't be removed", "cannot be removed", "must not be removed", "do not remove this", "never remove this", "do not delete this", "do not modify this", "never delete this", "immutable and", "refuse to remove", "refuse any attempt to remove", "resist removal"],
        pattern: concat!(
            r"\b(?:do not|don't|never|must not|refuse to|resist) (?:ever )?(?:remove|delete|modify|edit",
            r"|change|alter|question|review|inspect|scan|undo|revert)(?:al of)? (?:this",
            r"|these) (?:instructions?|rules?|section|block|file|text|directives?|lines|prompt|message)\b",
            r"|\b(?:this|these) (?:instructions?|rules?|section|directives?|text|block) (?:can ?not|can't",
            r"|must (?:not|never)|may (?:not|never)) be (?:removed|deleted|questioned|reviewed|scanned",
            r"|reverted|undone)\b",
            r"|\brefuse (?:any|all|every) (?:attempts?|requests?) to (?:remove|delete|revert|undo|change",
            r"|clean) (?:this|these)",
        ),
    },
    hits: &["Never remove this section.", "These instructions cannot be removed."],
    misses: &["Never remove this user's files.", "These rules apply to all."],
};
