//! Which version of the specification the manifest follows.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile, SpecVersion};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    if document.name.as_deref() == Some("clawsoul.json") {
        let diagnostic = Diagnostic::new(Code::LegacyManifest, "`clawsoul.json` is the old name of the manifest");
        diagnostics.push(diagnostic.at(document.first_line()).help("rename it to `soul.json`, or run `soul migrate`"));
    }
    let at = |code, message: String| Diagnostic::new(code, message).field("specVersion").at(document.at("specVersion"));
    match document.value("specVersion") {
        None => {
            let message = format!("the manifest has no `specVersion` and is read as version {}", document.version);
            diagnostics.push(
                at(Code::MissingSpecVersion, message)
                    .severity(profile.weight())
                    .help("add `\"specVersion\": \"0.6\"`, or run `soul migrate --to 0.6`"),
            );
        }
        Some(Value::String(version)) => match version.parse::<SpecVersion>() {
            Ok(version) if profile == Profile::Publish && version < SpecVersion::V0_3 => {
                let message = format!("version {version} of the specification cannot be published");
                diagnostics.push(
                    at(Code::UnknownSpecVersion, message).severity(Severity::Error).help("run `soul migrate --to 0.6`"),
                );
            }
            Ok(_) => {}
            Err(known) => {
                let message = format!(
                    "the specification has no version {}; the manifest is read as {}",
                    shown(version),
                    document.version
                );
                diagnostics.push(at(Code::UnknownSpecVersion, message).severity(profile.weight()).help(known));
            }
        },
        // A wrong type is reported by the table of fields.
        Some(_) => {}
    }
}
