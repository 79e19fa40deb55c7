//! Every path of the manifest: inside the package, and there.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::soulspec::{Document, Profile};
use crate::text::{closest, shown};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let mut paths: Vec<(String, String)> = Vec::new();
    for group in ["files", "examples"] {
        for (key, value) in document.value(group).and_then(Value::as_object).into_iter().flatten() {
            if let Some(path) = value.as_str().filter(|_| key != "avatarAlt" && key != "avatar") {
                paths.push((format!("{group}.{key}"), path.to_owned()));
            }
        }
    }
    if document.value("files.soul").is_none() && document.lacks("SOUL.md") {
        let diagnostic = Diagnostic::new(Code::FileMissing, "the package has no SOUL.md").field("files.soul");
        diagnostics.push(diagnostic.at(document.first_line()).help("write a SOUL.md that says who the agent is"));
    }
    for (field, path) in paths {
        let at = document.at(&field);
        if is_outside(&path) {
            let message = format!("`{field}` points outside the package: {}", shown(&path));
            diagnostics.push(
                Diagnostic::new(Code::FileOutsidePackage, message)
                    .field(field)
                    .at(at)
                    .help("use a path inside the package, relative to its folder"),
            );
        } else if document.lacks(path.trim_start_matches("./")) {
            let weight = if field == "files.soul" { Severity::Error } else { profile.weight() };
            let message = format!("the package has no {}", shown(&path));
            let diagnostic = Diagnostic::new(Code::FileMissing, message).severity(weight).field(field.clone()).at(at);
            let names = document.files.keys().map(String::as_str);
            diagnostics.push(match closest(&path, names) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(at, format!("\"{near}\"")),
                None => diagnostic.help("add the file, or delete the line"),
            });
        }
    }
}

/// Whether a path could lead out of the package on any system.
pub(super) fn is_outside(path: &str) -> bool {
    path.is_empty()
        || path.starts_with(['/', '\\', '~'])
        || path.contains(['\0', ':'])
        || path.split(['/', '\\']).any(|part| part == "..")
}
