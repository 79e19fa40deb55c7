//! Ranges of versions: of OpenClaw, and of recommended skills.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let mut check = |path: String, range: Option<&str>| {
        if let Some(range) = range.filter(|range| !is_range(range)) {
            let message = format!("{} is not a range of versions", shown(range));
            let diagnostic =
                Diagnostic::new(Code::InvalidRange, message).severity(profile.weight()).field(path.clone());
            diagnostics.push(
                diagnostic.at(document.at(&path)).help("write it as `>=1.2.0`, `^1.2`, `1.x` or `1.0.0 - 2.0.0`"),
            );
        }
    };
    check("compatibility.openclaw".into(), document.text("compatibility.openclaw"));
    let skills = document.value("recommendedSkills").and_then(Value::as_array);
    for (index, skill) in skills.into_iter().flatten().enumerate().take(64) {
        check(format!("recommendedSkills[{index}].version"), skill.get("version").and_then(Value::as_str));
    }
}

/// A range as npm writes them: comparators, carets, tildes, wildcards, hyphens, joined by `||`.
fn is_range(range: &str) -> bool {
    range.split("||").all(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words.as_slice() {
            [from, "-", to] => is_version(from) && is_version(to),
            words => is_comparators(words),
        }
    })
}

/// Comparators, of which each may stand apart from its version.
fn is_comparators(words: &[&str]) -> bool {
    let mut words = words.iter();
    let mut some = false;
    while let Some(word) = words.next() {
        let version =
            [">=", "<=", ">", "<", "=", "^", "~"].iter().find_map(|sign| word.strip_prefix(sign)).unwrap_or(word);
        let version = if version.is_empty() { words.next().copied().unwrap_or_default() } else { version };
        if !is_version(version) {
            return false;
        }
        some = true;
    }
    some
}

/// A version, of which the end may be left out or open.
fn is_version(word: &str) -> bool {
    let version = word.strip_prefix('v').unwrap_or(word);
    let (core, rest) = version.split_once(['-', '+']).unwrap_or((version, "x"));
    let part = |part: &str| {
        matches!(part, "x" | "X" | "*") || (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let tag = rest
        .split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    core.split('.').count() <= 3 && core.split('.').all(part) && tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_told_from_prose() {
        for range in
            [">=1.2.0", "^1", "~1.2", "1.x", "*", "1.0.0 - 2.0.0", ">=1 <2 || 3.x", "1.0.0-beta.1", ">= 1.2.0", "v1.2"]
        {
            assert!(is_range(range), "{range}");
        }
        for range in [
            "",
            "latest and greatest",
            "1.2.3.4",
            ">=",
            "1..2",
            "||",
            "1.2.3 -",
            "- 1.2.3",
            "<>1",
            ">>1",
            "vv1",
            "^^1",
            "1 - 2 - 3",
        ] {
            assert!(!is_range(range), "{range}");
        }
    }
}
