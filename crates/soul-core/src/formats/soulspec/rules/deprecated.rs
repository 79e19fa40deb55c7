//! Fields that the specification has given up.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile, SpecVersion};

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    if document.version < SpecVersion::V0_4 {
        return;
    }
    for (field, instead) in [
        ("skills", "`recommendedSkills`, a list of objects with a `name`"),
        ("modes", "prose in SOUL.md"),
        ("interpolation", "prose in SOUL.md"),
    ] {
        if document.value(field).is_some() {
            let message = format!("`{field}` is deprecated since version 0.4; it is still read");
            let diagnostic = Diagnostic::new(Code::DeprecatedField, message).field(field).at(document.key_at(field));
            diagnostics.push(diagnostic.help(format!("use {instead}; `soul migrate` rewrites skills")));
        }
    }
}
