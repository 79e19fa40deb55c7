//! Which version of the specification the manifest follows.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile, SpecVersion};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    if profile == Profile::Publish && document.version < SpecVersion::V0_3 {
        let message = format!("version {} of the specification cannot be published", document.version);
        let diagnostic =
            Diagnostic::new(Code::UnknownSpecVersion, message).severity(Severity::Error).field("specVersion");
        diagnostics
            .push(diagnostic.at(document.at("specVersion")).help("`soul migrate --to 0.6` brings it up to date"));
    }
    if document.name.as_deref() == Some("clawsoul.json") {
        let diagnostic = Diagnostic::new(Code::LegacyManifest, "`clawsoul.json` is the manifest's old name");
        diagnostics.push(diagnostic.help("rename it to `soul.json`; `soul migrate` does it for you"));
    }
    let known = "the versions are 0.1 to 0.6";
    match document.value("specVersion") {
        None => {
            let message = format!("the manifest does not say its `specVersion`, and is read as {}", document.version);
            diagnostics.push(
                Diagnostic::new(Code::MissingSpecVersion, message)
                    .field("specVersion")
                    .help("add `\"specVersion\": \"0.6\"`"),
            );
        }
        Some(Value::String(version)) if version.parse::<SpecVersion>().is_ok() => {}
        // A wrong type is reported by the table of fields.
        Some(Value::String(version)) => {
            let message = format!(
                "there is no version {} of the specification; the manifest is read as {}",
                shown(version),
                document.version
            );
            let diagnostic = Diagnostic::new(Code::UnknownSpecVersion, message).field("specVersion");
            diagnostics.push(diagnostic.at(document.at("specVersion")).help(known));
        }
        Some(_) => {}
    }
}
