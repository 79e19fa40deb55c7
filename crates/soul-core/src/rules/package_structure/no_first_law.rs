use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SEC101",
    name: "no-first-law",
    family: Family::PackageStructure,
    severity: Severity::Warning,
    confidence: Confidence::High,
    message: "has safety laws, but none that comes first",
    why: "Without an order, laws do not say which one wins in a conflict.",
    fix: "give one law the priority 0 or 1",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

fn look(package: &Package<'_>) -> Vec<Hit> {
    let laws = super::laws(package).filter(|laws| !laws.is_empty());
    let first = |law: &serde_json::Value| match &law["priority"] {
        serde_json::Value::Number(number) => number.as_f64().is_some_and(|number| number <= 1.0),
        serde_json::Value::String(text) => text.trim().parse::<f64>().is_ok_and(|number| number <= 1.0),
        _ => false,
    };
    let missing = super::is_embodied(package) && laws.is_some_and(|laws| !laws.iter().any(first));
    missing.then(Hit::default).into_iter().collect()
}
