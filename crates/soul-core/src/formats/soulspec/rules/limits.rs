//! How long texts, and how many tags.

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    for (path, most) in [("description", 160), ("disclosure.summary", 200)] {
        // The reference counts as JavaScript does.
        let length = document.text(path).map_or(0, |text| text.encode_utf16().count());
        if length > most {
            let message = format!("`{path}` has {length} characters, more than {most}");
            let diagnostic = Diagnostic::new(Code::TooLong, message).severity(profile.weight()).field(path);
            diagnostics.push(diagnostic.at(document.at(path)).help("move the rest into README.md"));
        }
    }
    let tags = document.value("tags").and_then(|tags| tags.as_array()).map_or(0, Vec::len);
    if tags > 10 {
        let message = format!("there are {tags} tags, more than the 10 that registries accept");
        // A few too many are untidy; thousands are no tags.
        let weight = if tags > 1_000 { Severity::Error } else { profile.weight() };
        let diagnostic = Diagnostic::new(Code::TooMany, message).severity(weight).field("tags");
        diagnostics.push(diagnostic.at(document.key_at("tags")).help("keep the ten that people search for"));
    }
}
