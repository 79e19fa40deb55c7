use regex::bytes::RegexBuilder;

use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::fold::fold;
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SEC102",
    name: "soul-against-laws",
    family: Family::PackageStructure,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "says in SOUL.md what the safety laws forbid",
    why: "The manifest says that the agent harms nobody, but the soul tells it to, and the model follows the soul.",
    fix: "remove the sentence from SOUL.md",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

fn look(package: &Package<'_>) -> Vec<Hit> {
    if super::laws(package).is_none_or(|laws| laws.is_empty()) {
        return Vec::new();
    }
    let Some(soul) = package.files.iter().find(|file| file.path == "SOUL.md") else { return Vec::new() };
    let folded = fold(&soul.text()).text;
    let Ok(pattern) = RegexBuilder::new(PATTERN).unicode(false).build() else { return vec![Hit::default()] };
    let is_affirmed = |at: usize| {
        let before = &folded.as_bytes()[at.saturating_sub(40)..at];
        let clause = before.rsplit(|byte| matches!(byte, b'.' | b'!' | b'?' | b';' | b',')).next().unwrap_or(before);
        let clause = String::from_utf8_lossy(clause);
        !["not ", "never ", "n't ", "cannot ", "refuse", "without ", "no ", "nor ", "prevent", "avoid"]
            .iter()
            .any(|word| clause.contains(word))
    };
    let contradicted = pattern.find_iter(folded.as_bytes()).any(|found| is_affirmed(found.start()));
    contradicted.then(Hit::default).into_iter().collect()
}

const PATTERN: &str = r"(?x)
    \b(?:harm|hurt|injure|kill)\ (?:the\ |any\ |some\ )?(?:humans?|people|users?)\b
  | \bignore\ (?:the\ |all\ |any\ )?safety\b
  | \bdisregard\ (?:the\ )?(?:first|second|third|zeroth)\ law\b
";
