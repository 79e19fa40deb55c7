//! What a pack says it bundles, against what it has.

use serde_json::Value;

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let has = |path: &str| document.files.contains_key(path);
    let has_below = |prefix: &str| document.files.keys().any(|path| path.starts_with(prefix));
    let mut wanted: Vec<(String, String)> = Vec::new();
    for (kind, form) in [("skills", "skills/{}/SKILL.md"), ("tools", "tools/{}.yaml"), ("hooks", "hooks/{}.md")] {
        for (index, name) in document.texts(&format!("includes.{kind}")).enumerate() {
            wanted.push((format!("includes.{kind}[{index}]"), form.replace("{}", name)));
        }
    }
    for (flag, path) in [("includes.memory", "memory/MEMORY.md"), ("includes.rules", "RULES.md")] {
        if document.value(flag) == Some(&Value::Bool(true)) {
            wanted.push((flag.to_owned(), path.to_owned()));
        }
    }
    for (field, path) in wanted
        .iter()
        .filter(|(_, path)| !document.files.is_empty() && !has(path) && !has(&path.replace(".yaml", ".yml")))
    {
        let message = format!("the manifest includes it, and the package has no {}", shown(path));
        diagnostics.push_error(|| {
            Diagnostic::new(Code::IncludeMissing, message)
                .severity(profile.weight())
                .field(field.clone())
                .at(document.at(field))
                .help("add the file, or take it out of `includes`")
        });
    }
    if document.is_pack() {
        for (flag, prefix) in [("skills", "skills/"), ("tools", "tools/"), ("hooks", "hooks/")] {
            if has_below(prefix) && document.value(&format!("includes.{flag}")).is_none() {
                let message = format!("the pack has `{prefix}`, and `includes.{flag}` does not say so");
                diagnostics.push(
                    Diagnostic::new(Code::NotIncluded, message)
                        .field(format!("includes.{flag}"))
                        .at(document.at("includes"))
                        .help(format!("add `includes.{flag}`")),
                );
            }
        }
    } else if document.value("includes").is_some() {
        let diagnostic =
            Diagnostic::new(Code::NotIncluded, "the manifest includes files, and its `type` is not `pack`");
        diagnostics.push(diagnostic.field("type").at(document.key_at("includes")).help("add `\"type\": \"pack\"`"));
    }
}
