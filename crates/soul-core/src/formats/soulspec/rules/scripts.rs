//! Scripts and programs: legal beside the SKILL.md of a pack's skill, and nowhere else.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::Span;

/// How the names of scripts and programs end.
const ENDS: [&str; 33] = [
    ".sh", ".bash", ".zsh", ".fish", ".ksh", ".command", ".py", ".pyc", ".pyw", ".js", ".mjs", ".cjs", ".ts", ".rb",
    ".pl", ".php", ".lua", ".ps1", ".psm1", ".bat", ".cmd", ".vbs", ".wsf", ".scpt", ".exe", ".com", ".scr", ".msi",
    ".dll", ".so", ".dylib", ".jar", ".wasm",
];

/// How scripts and programs begin: a shebang, and the marks of the usual formats.
const STARTS: [&[u8]; 7] = [b"#!/", b"#! /", b"\x7fELF", b"MZ\x90", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm"];

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    for (path, source) in &document.files {
        if !is_script(path, source.bytes()) || document.is_pack() && is_beside_a_skill(document, path) {
            continue;
        }
        let (message, help) = if document.is_pack() {
            ("the pack has a script outside its skills", "move it into the folder of a skill, beside its SKILL.md")
        } else {
            (
                "a persona must not contain scripts",
                "remove it, or make the package a pack (`\"type\": \"pack\"`) and move it beside a skill's SKILL.md",
            )
        };
        diagnostics.push_error(|| {
            Diagnostic::new(Code::ScriptNotAllowed, message)
                .severity(profile.weight())
                .in_file(path, source, Span::new(0, 0))
                .help(help)
        });
    }
}

fn is_script(path: &str, bytes: &[u8]) -> bool {
    let name = path.to_ascii_lowercase();
    ENDS.iter().any(|end| name.ends_with(end)) || STARTS.iter().any(|start| bytes.starts_with(start))
}

/// Whether a file lies in the folder of a skill, or below it.
fn is_beside_a_skill(document: &Document, path: &str) -> bool {
    let skill = path.strip_prefix("skills/").and_then(|rest| rest.split_once('/'));
    skill.is_some_and(|(name, _)| document.files.contains_key(&format!("skills/{name}/SKILL.md")))
}
