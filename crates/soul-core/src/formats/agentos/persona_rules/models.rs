//! Preferences for models.

use super::Persona;
use crate::diagnostics::{Code, Collector};
use crate::formats::fields::Entry;

const PREFERENCES: &str = "modelTargetPreferences";

fn preferences<'f>(persona: &Persona<'f>) -> impl Iterator<Item = (String, Entry<'f>)> {
    let preferences = persona.get(PREFERENCES).into_iter().flat_map(|list| persona.fields.items(list));
    preferences.enumerate().map(|(index, preference)| (format!("{PREFERENCES}[{index}]"), preference))
}

/// A preference lists each allowed model once.
pub(super) fn allowed_models(persona: &Persona<'_>, diagnostics: &mut Collector) {
    for (path, preference) in preferences(persona) {
        if let Some(allowed) = persona.inside(preference, "allowedModelIds") {
            let path = format!("{path}.allowedModelIds");
            persona.repeats(Code::DuplicateAllowedModelIds, &path, persona.fields.items(allowed), diagnostics);
        }
    }
}

/// A preference does not name a model, a family and a list at once: it is not clear which one counts.
pub(super) fn over_specified(persona: &Persona<'_>, diagnostics: &mut Collector) {
    for (path, preference) in preferences(persona) {
        let names = |key| {
            let text = persona.inside(preference, key).and_then(|entry| persona.text(entry));
            text.is_some_and(|text| !text.is_empty())
        };
        let lists = persona.inside(preference, "allowedModelIds");
        let lists = lists.is_some_and(|allowed| persona.fields.items(allowed).next().is_some());
        if names("modelId") && names("modelFamily") && lists {
            diagnostics.push_with(|| {
                let message = format!("`{}` has `modelId`, `modelFamily` and `allowedModelIds`", persona.path(&path));
                let diagnostic = persona.problem(Code::OverSpecifiedModelPreference, &path, message);
                diagnostic.at(persona.fields.span(preference.value)).help("keep one of the three")
            });
        }
    }
}
