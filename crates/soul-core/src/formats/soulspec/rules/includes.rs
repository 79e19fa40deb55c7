//! What a pack says it bundles, against what it has.

use std::collections::BTreeSet;

use serde_json::Value;

use super::file_map::is_outside;
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

/// The lists of `includes`, where their things lie, and how a thing's file ends.
const LISTS: [(&str, &str, &[&str]); 3] =
    [("skills", "skills/", &["/SKILL.md"]), ("tools", "tools/", &[".yaml", ".yml"]), ("hooks", "hooks/", &[".md"])];

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    if !document.complete {
        return;
    }
    for (kind, folder, ends) in LISTS {
        let there = names(document, folder, ends);
        let field = format!("includes.{kind}");
        let mut declared = BTreeSet::new();
        for (index, name) in document.texts(&field).enumerate() {
            declared.insert(same(name));
            let path = format!("{field}[{index}]");
            let at = |code, message: String| Diagnostic::new(code, message).field(path.clone()).at(document.at(&path));
            if is_outside(name) {
                diagnostics.push_error(|| {
                    at(Code::FileOutsidePackage, format!("{} points outside the package", shown(name)))
                        .help("use a path inside the package")
                });
            } else if !there.contains(&same(name)) {
                let message = format!("the manifest includes it, but the package has no `{folder}{name}{}`", ends[0]);
                diagnostics.push_error(|| {
                    at(Code::IncludeMissing, message)
                        .severity(profile.weight())
                        .help("add the file, or remove it from `includes`")
                });
            }
        }
        let left_out: Vec<&str> = there.difference(&declared).map(String::as_str).collect();
        if document.is_pack() && !left_out.is_empty() {
            let message = format!("the pack has {} in `{folder}`, but `{field}` does not list it", left_out.join(", "));
            diagnostics.push(not_included(document, &field, message));
        }
    }
    let memory = ["memory/MEMORY.md", "MEMORY.md"].into_iter().chain(document.path("memory.layout.longTerm"));
    flag(
        document,
        profile,
        "includes.memory",
        "memory/MEMORY.md",
        memory.into_iter().any(|path| !document.lacks(path)),
        diagnostics,
    );
    flag(document, profile, "includes.rules", "RULES.md", !document.lacks("RULES.md"), diagnostics);
    if !document.is_pack() && document.value("includes").is_some() {
        let diagnostic =
            Diagnostic::new(Code::NotIncluded, "the manifest includes files, but its `type` is not `pack`");
        diagnostics.push(diagnostic.field("type").at(document.key_at("includes")).help("add `\"type\": \"pack\"`"));
    }
}

/// Something that is there or not, and that the manifest says is there or not.
fn flag(document: &Document, profile: Profile, field: &str, path: &str, there: bool, diagnostics: &mut Collector) {
    match document.value(field).and_then(Value::as_bool) {
        Some(true) if !there => {
            let message = format!("the manifest includes it, but the package has no `{path}`");
            let diagnostic = Diagnostic::new(Code::IncludeMissing, message).severity(profile.weight()).field(field);
            diagnostics.push(diagnostic.at(document.at(field)).help("add the file, or set it to false"));
        }
        Some(true) => {}
        _ if there && document.is_pack() => {
            let message = format!("the pack has `{path}`, but `{field}` does not say so");
            diagnostics.push(not_included(document, field, message));
        }
        _ => {}
    }
}

fn not_included(document: &Document, field: &str, message: String) -> Diagnostic {
    Diagnostic::new(Code::NotIncluded, message).field(field).at(document.at(field)).help(format!("add it to `{field}`"))
}

/// The things that lie in a folder, by name.
fn names(document: &Document, folder: &str, ends: &[&str]) -> BTreeSet<String> {
    let below = document.files.keys().filter_map(|path| path.strip_prefix(folder));
    below
        .filter_map(|rest| ends.iter().find_map(|end| rest.strip_suffix(end)))
        .filter(|name| !name.contains('/'))
        .map(same)
        .collect()
}

/// A file and a tool are told apart by `-` and `_` alone, which names nothing.
fn same(name: &str) -> String {
    name.replace('_', "-")
}
