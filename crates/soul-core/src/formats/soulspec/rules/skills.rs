//! Recommended skills: each with a name.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let skills = document.value("recommendedSkills").and_then(Value::as_array);
    for (index, skill) in skills.into_iter().flatten().enumerate() {
        if skill.is_object() && skill.get("name").and_then(Value::as_str).is_none_or(str::is_empty) {
            let path = format!("recommendedSkills[{index}]");
            let message = format!("recommended skill {} has no name", index + 1);
            let diagnostic = Diagnostic::new(Code::MissingField, message).severity(profile.weight());
            diagnostics.push_error(|| diagnostic.field(path.clone()).at(document.at(&path)).help("add `name`"));
        }
    }
}
