//! Tools that the files speak of, against those that are allowed.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::Span;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    if document.value("allowedTools").is_none() {
        return;
    }
    let allowed: Vec<&str> = document.texts("allowedTools").collect();
    for path in [document.soul_file(), "AGENTS.md", "RULES.md"] {
        let Some(source) = document.source_of(path) else { continue };
        for (span, tool) in calls(source.text().unwrap_or_default()) {
            if !allowed.iter().any(|name| name.eq_ignore_ascii_case(tool)) {
                diagnostics.push_with(|| {
                    let message = format!("`{tool}` is mentioned, but `allowedTools` does not list it");
                    Diagnostic::new(Code::ToolNotAllowed, message)
                        .field("allowedTools")
                        .in_file(path, source, span)
                        .help("add it to `allowedTools`, or remove it here")
                });
            }
        }
    }
}

/// Names written as calls in backticks, such as `search_book(title)`.
fn calls(text: &str) -> Vec<(Span, &str)> {
    let mut found: Vec<(Span, &str)> = Vec::new();
    for (at, _) in text.match_indices('`') {
        let rest = &text[at + 1..];
        let name =
            &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len())];
        if name.len() > 2 && rest[name.len()..].starts_with('(') && !found.iter().any(|(_, known)| *known == name) {
            found.push((Span::new(at + 1, at + 1 + name.len()), name));
        }
    }
    found
}
