//! The package name: kebab-case, and short enough to type.

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let Some(name) = document.text("name") else { return };
    let kebab =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let diagnostic =
        |message: String| Diagnostic::new(Code::InvalidName, message).field("name").at(document.at("name"));
    if !kebab {
        let message = format!("{} is not a package name: lower-case letters, digits and hyphens", shown(name));
        let near = suggestion(name);
        let diagnostic = diagnostic(message).severity(profile.weight());
        diagnostics.push(if near.is_empty() {
            diagnostic
        } else {
            diagnostic.help(format!("write `{near}`")).fix(document.at("name"), format!("\"{near}\""))
        });
    } else if name.len() > 40 {
        let message = format!("the name has {} characters, which is long to type", name.len());
        diagnostics.push(diagnostic(message).severity(Severity::Warning).help("use at most 40 characters"));
    }
}

/// The nearest name that would do; an owner before a slash is dropped.
fn suggestion(name: &str) -> String {
    let own = name.rsplit('/').next().unwrap_or(name);
    let words = own.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}
