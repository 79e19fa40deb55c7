use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "SEC020",
    name: "script-tag",
    family: Family::PermissionEscalation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "contains a script element",
    why: "A program that renders the soul as a web page runs the script.",
    fix: "remove the element",
    code_counts: false,
    matcher: Matcher::Raw {
        literals: &["<script"],
        pattern: r"(?i)<script(?:>(?:[^\x22\x27\x60]|$)|[\s/][^<>]*>?)",
        keep: runs,
    },
    hits: &["<script>alert(1)</script>", "<SCRIPT src=x>"],
    misses: &["A <scripted> scene.", "He wrote a script.", "<script setup>", "<script lang=\"ts\">"],
};

/// The script of a component of Vue or Svelte is compiled; no page runs it as it stands.
fn runs(text: &str) -> bool {
    let tag = text.to_ascii_lowercase();
    !tag.split([' ', '\t', '\n', '>', '/']).any(|part| part == "setup" || part.starts_with("lang="))
}
