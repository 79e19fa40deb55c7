use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SK803",
    name: "path-outside",
    family: Family::PackageStructure,
    severity: Severity::Error,
    confidence: Confidence::High,
    message: "names a file outside the package",
    why: "Installing such a package reads or writes files that are not part of it.",
    fix: "keep every path below the package",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

fn look(package: &Package<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    walk(&package.manifest["files"], &mut hits);
    walk(&package.manifest["includes"], &mut hits);
    hits
}

fn walk(value: &serde_json::Value, hits: &mut Vec<Hit>) {
    match value {
        serde_json::Value::String(path) if is_outside(path) => {
            hits.push(Hit { note: Some(crate::text::shown(path)), ..Hit::default() });
        }
        serde_json::Value::Array(all) => all.iter().for_each(|value| walk(value, hits)),
        serde_json::Value::Object(all) => all.values().for_each(|value| walk(value, hits)),
        _ => {}
    }
}

fn is_outside(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    path.starts_with(['/', '\\', '~']) || drive || path.split(['/', '\\']).any(|part| part == "..")
}
