use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC089",
    name: "no-ethics",
    family: Family::SafetyBoundary,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "says that there are no ethical or safety limits",
    why: "Like `no-limits`, said about ethics.",
    fix: "remove it",
    code_counts: true,
    matcher: Matcher::Words {
        literals: &[
            "no ethical",
            "no moral",
            "no safety",
            "without any",
            "without ethical",
            "without moral",
            "without safety",
            "free of ethical",
            "devoid of",
        ],
        pattern: r"(?x)
            \b(?:no|without|without\ any|free\ of|free\ from|devoid\ of|lacking|zero)\x20
            (?:(?:any|all|ethical|moral|safety|legal|or|and)\ ?)*(?:ethical|moral|safety)\ (?:
                constraints?|guidelines?|boundaries|limits?|limitations?|restrictions?|rules?|concerns?
              | considerations?|principles?|filters?|standards?|qualms
            )\b
        ",
    },
    hits: &["It answers with no ethical constraints.", "An assistant without any moral guidelines."],
    misses: &["Mind the safety limits of the machine.", "Nothing ships without a review passing."],
};
