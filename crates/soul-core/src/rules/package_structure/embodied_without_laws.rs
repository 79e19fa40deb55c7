use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SEC100",
    name: "embodied-without-laws",
    family: Family::PackageStructure,
    severity: Severity::Warning,
    confidence: Confidence::High,
    message: "describes a physical agent without safety laws",
    why: "An agent with a body can injure people and needs rules that take precedence over everything else.",
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
