//! What replaces a soul that is no longer to be installed.

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let Some(successor) = document.text("supersededBy") else { return };
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let at = |message: String| {
        Diagnostic::new(Code::InvalidSuccessor, message)
            .severity(profile.weight())
            .field("supersededBy")
            .at(document.at("supersededBy"))
    };
    match successor.split_once('/') {
        Some((owner, name)) if part(owner) && part(name) => {
            let own = document.text("author.github").is_some_and(|github| github.eq_ignore_ascii_case(owner));
            if own && Some(name) == document.text("name") {
                diagnostics
                    .push(at("the soul is superseded by itself".to_owned()).help("name the soul to take instead"));
            } else if document.value("deprecated").and_then(|value| value.as_bool()) != Some(true) {
                let diagnostic = at("a successor is named, and the soul is not `deprecated`".to_owned());
                diagnostics.push(diagnostic.severity(Severity::Warning).help("add `\"deprecated\": true`"));
            }
        }
        _ => diagnostics
            .push(at(format!("{} is not written as owner/name", shown(successor))).help("write it as `owner/name`")),
    }
}
