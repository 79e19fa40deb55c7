use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SEC100",
    name: "embodied-without-laws",
    family: Family::PackageStructure,
    severity: Severity::Warning,
    confidence: Confidence::High,
    message: "describes a body without safety laws",
    why: "What moves in the world can hurt someone, and needs rules that come before every other.",
    fix: "add `safety.laws` to the manifest",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

fn look(package: &Package<'_>) -> Vec<Hit> {
    let missing = super::is_embodied(package) && super::laws(package).is_none_or(|laws| laws.is_empty());
    missing.then(Hit::default).into_iter().collect()
}
