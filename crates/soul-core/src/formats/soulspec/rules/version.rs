//! The package version: three numbers.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let Some(version) = document.text("version").filter(|version| !is_version(version)) else { return };
    let message = format!("{} is not a version: three numbers with dots between", shown(version));
    let diagnostic = Diagnostic::new(Code::InvalidVersion, message).severity(profile.weight()).field("version");
    diagnostics.push(diagnostic.at(document.at("version")).help("write it as `1.0.0`"));
}

/// Three runs of digits; versions before 1.0 of the specification allow nothing else.
fn is_version(version: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version.split('.').count() == 3 && version.split('.').all(number)
}
