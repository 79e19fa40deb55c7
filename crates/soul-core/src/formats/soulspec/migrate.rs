//! A manifest brought to another version by edits that keep its author's layout.

use serde_json::Value;

use super::parse::MOST_PLACES;
use super::{Document, SpecVersion};
use crate::text::{Edit, Span};

/// The changes that migrate a manifest to a later version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Migration {
    /// Edits of the manifest's text.
    pub edits: Vec<Edit>,
    /// What the edits do, and what is left to the author.
    pub notes: Vec<String>,
    /// The new file name, if it must be renamed.
    pub rename: Option<&'static str>,
}

/// Migrates a manifest to a version.
///
/// # Errors
/// If the manifest already follows a later version, which cannot be undone.
pub fn migrate(document: &Document, to: SpecVersion) -> Result<Migration, String> {
    if document.text("specVersion").is_some_and(|version| version.parse::<SpecVersion>().is_err()) {
        return Err("the manifest follows an unknown version of the specification".to_owned());
    }
    if to < document.version {
        return Err(format!("the manifest follows {} and cannot be migrated down to {to}", document.version));
    }
    let mut migration = Migration::default();
    spec_version(document, to, &mut migration);
    if to >= SpecVersion::V0_4 {
        skills(document, &mut migration);
        for field in ["modes", "interpolation"].into_iter().filter(|field| document.value(field).is_some()) {
            migration
                .notes
                .push(format!("`{field}` is deprecated and left as it is: move it to SOUL.md, then delete it"));
        }
    }
    if to >= SpecVersion::V0_5 {
        laws(document, &mut migration);
    }
    if to >= SpecVersion::V0_3 && document.name.as_deref() == Some("clawsoul.json") {
        migration.rename = Some("soul.json");
        migration.notes.push("`clawsoul.json` becomes `soul.json`".to_owned());
    }
    Ok(migration)
}

fn spec_version(document: &Document, to: SpecVersion, migration: &mut Migration) {
    let text = document.source.text().unwrap_or_default();
    match document.manifest.get("specVersion") {
        Some(Value::String(version)) if version.parse() == Ok(to) => {}
        Some(_) => {
            migration.edits.push(Edit { span: document.at("specVersion"), text: format!("\"{to}\"") });
            migration.notes.push(format!("`specVersion` becomes {to}"));
        }
        None => {
            // Between the brace and the first key stands the layout that every key has.
            let open = text.find('{').map_or(0, |at| at + 1);
            let first = document.manifest.keys().next().map_or(open, |key| document.key_at(key).start);
            let layout = text.get(open..first).unwrap_or_default();
            let comma = if document.manifest.is_empty() { "" } else { "," };
            let gap = if text.contains("\": ") || !text.contains("\":") { " " } else { "" };
            migration.edits.push(Edit {
                span: Span::new(open, open),
                text: format!("{layout}\"specVersion\":{gap}\"{to}\"{comma}"),
            });
            migration.notes.push(format!("`specVersion` {to} is added"));
        }
    }
}

/// Skills by name become recommended skills, which are objects.
fn skills(document: &Document, migration: &mut Migration) {
    let Some(skills) = document.manifest.get("skills").filter(|skills| !skills.is_null()) else { return };
    let Some(skills) =
        skills.as_array().filter(|skills| skills.iter().all(Value::is_string) && skills.len() <= MOST_PLACES)
    else {
        return migration.notes.push("`skills` is left as it is: it is not a short list of names".to_owned());
    };
    if document.manifest.contains_key("recommendedSkills") {
        let note = "`skills` is left as it is, because `recommendedSkills` stands beside it: merge the two";
        return migration.notes.push(note.to_owned());
    }
    migration.edits.push(Edit { span: document.key_at("skills"), text: "\"recommendedSkills\"".into() });
    for (index, skill) in skills.iter().enumerate().filter(|(_, skill)| skill.is_string()) {
        let text = format!("{{ \"name\": {skill}, \"required\": false }}");
        migration.edits.push(Edit { span: document.at(&format!("skills[{index}]")), text });
    }
    migration.notes.push("`skills` becomes `recommendedSkills`".to_owned());
}

/// A law's text is called `rule`.
fn laws(document: &Document, migration: &mut Migration) {
    let laws = document.value("safety.laws").and_then(Value::as_array);
    for (index, law) in laws.into_iter().flatten().enumerate().take(MOST_PLACES) {
        if law.get("law").is_some() && law.get("rule").is_none() {
            let span = document.key_at(&format!("safety.laws[{index}].law"));
            migration.edits.push(Edit { span, text: "\"rule\"".into() });
            migration.notes.push(format!("`law` of law {} becomes `rule`", index + 1));
        }
    }
}
