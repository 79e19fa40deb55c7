//! An agent with a body needs limits for it.

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    if !document.is_embodied()
        || document
            .value("safety.physical")
            .and_then(|limits| limits.as_object())
            .is_some_and(|limits| !limits.is_empty())
    {
        return;
    }
    let diagnostic = Diagnostic::new(Code::NoPhysicalSafety, "the agent has a body, but no physical safety limits");
    let weight = if profile == Profile::Publish { Severity::Error } else { Severity::Warning };
    diagnostics.push(
        diagnostic
            .severity(weight)
            .field("safety.physical")
            .at(document.at("environment"))
            .help("add `safety.physical`: maximum speed, minimum distance, emergency stop"),
    );
}
