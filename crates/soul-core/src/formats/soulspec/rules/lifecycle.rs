//! A soul that is no longer to be used, and what replaces it.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let successor = document.text("supersededBy");
    let is_deprecated = document.value("deprecated").and_then(Value::as_bool) == Some(true);
    let at = |message: String| {
        Diagnostic::new(Code::InvalidSuccessor, message)
            .severity(profile.weight())
            .field("supersededBy")
            .at(document.at("supersededBy"))
    };
    let known = successor.filter(|successor| is_soul(successor) && !is_itself(document, successor));
    if is_deprecated {
        let diagnostic = Diagnostic::new(Code::DeprecatedSoul, "the soul is deprecated by its author");
        diagnostics.push(diagnostic.field("deprecated").at(document.key_at("deprecated")).help(match known {
            Some(successor) => format!("use {} instead", shown(successor)),
            None => "choose another soul; this one is no longer maintained".to_owned(),
        }));
    }
    match (successor, known) {
        (Some(successor), None) if !is_soul(successor) => diagnostics
            .push(at(format!("{} is not written as owner/name", shown(successor))).help("write it as `owner/name`")),
        (Some(_), None) => {
            diagnostics.push(at("the soul is superseded by itself".to_owned()).help("name the soul to use instead"));
        }
        (Some(successor), Some(_)) if !is_deprecated => {
            let diagnostic =
                at(format!("the soul is superseded by {}, but not marked as `deprecated`", shown(successor)));
            diagnostics.push(diagnostic.severity(Severity::Warning).help("add `\"deprecated\": true`"));
        }
        _ => {}
    }
}

/// Whether a text names a soul as owner/name.
fn is_soul(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    text.split_once('/').is_some_and(|(owner, name)| part(owner) && part(name))
}

fn is_itself(document: &Document, successor: &str) -> bool {
    let own = |owner: &str| document.text("author.github").is_some_and(|github| github.eq_ignore_ascii_case(owner));
    successor.split_once('/').is_some_and(|(owner, name)| own(owner) && Some(name) == document.text("name"))
}
