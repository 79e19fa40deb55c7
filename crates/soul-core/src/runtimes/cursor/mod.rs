//! Cursor: project rules that always apply, `.cursorrules` and AGENTS.md.
//!
//! By its documentation; nothing was recorded. Which words stand around the rules is not documented.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Unit, Version};
use super::files::{bytes_of, is_folder, join};
use super::units::js_trim;
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced, frontmatter};

const DOCS: &str = "cursor.com/docs/rules";

/// The facts about Cursor.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "cursor",
    name: "Cursor",
    basis: Basis::Documented,
    unit: Unit::Utf16,
    soul_at: ".cursor/rules/soul.mdc",
    soul_opening: "---\nalwaysApply: true\n---\n",
    memory_at: "",
    versions: &[Version { version: "2.0", source: DOCS }],
    kinds: &[
        Kind { id: "main", meaning: "Agent (chat), before any file is open", source: DOCS },
        Kind { id: "inline-edit", meaning: "Tab and Inline Edit: rules do not apply", source: DOCS },
    ],
    reads: &[
        Reads { path: ".cursor/rules/**/*.mdc", meaning: "rules with `alwaysApply: true`", source: DOCS },
        Reads { path: ".cursorrules", meaning: "the older single file", source: DOCS },
        Reads { path: "AGENTS.md", meaning: "instructions at the root", source: DOCS },
    ],
    limits: &[],
    rules: &[
        Rule {
            id: "not-always",
            meaning: "a rule without `alwaysApply: true` is included only for matching files, on the model's request, or when mentioned",
            source: DOCS,
        },
        Rule { id: "not-mdc", meaning: "other files in .cursor/rules are ignored", source: DOCS },
        Rule { id: "agent-only", meaning: "rules apply to Agent only", source: DOCS },
        Rule { id: "frontmatter", meaning: "the frontmatter is not part of the prompt", source: DOCS },
    ],
    settings: &[],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let mut paths = Vec::new();
    collect(session, &join(&session.root, ".cursor/rules"), 0, &mut paths);
    paths.extend([".cursorrules", "AGENTS.md"].map(|name| join(&session.root, name)));
    for path in paths {
        let Some(bytes) = bytes_of(session.files, &path) else { continue };
        let file = sources.number(&path);
        let whole = Traced::lossy(&bytes, file);
        let is_rule = path.contains("/.cursor/rules/");
        let split = frontmatter::split(&whole);
        let refusal = if session.kind != "main" {
            Some(("agent-only", "rules apply to Agent only".to_owned()))
        } else if is_rule && !path.ends_with(".mdc") {
            Some(("not-mdc", "files in .cursor/rules need the extension `.mdc`".to_owned()))
        } else if is_rule && split.get("alwaysApply") != Some("true") {
            let when = if split.has_value("globs") {
                "it has `globs`, so it is included for matching files"
            } else if split.has_value("description") {
                "it has a `description` only, so the model has to ask for it"
            } else {
                "it is included only when it is mentioned"
            };
            Some(("not-always", when.to_owned()))
        } else {
            None
        };
        if let Some((rule, reason)) = refusal {
            delivery.losses.push(Loss::file(file, State::Dropped, rule, reason));
            continue;
        }
        let content = if is_rule { split.body } else { whole.clone() }.trimmed(js_trim);
        if is_rule {
            delivery.losses.push(Loss::file(
                file,
                State::Dropped,
                "frontmatter",
                "the frontmatter is not part of the prompt",
            ));
        }
        if !content.is_empty() {
            delivery.files.push(Injected { path, content });
        }
    }
    delivery.text = Traced::joined(delivery.files.iter().map(|file| &file.content), "\n\n");
    delivery.sources = sources.paths();
    delivery
}

fn collect(session: &Session<'_>, folder: &str, depth: usize, paths: &mut Vec<String>) {
    if depth > 4 || !is_folder(session.files, folder) {
        return;
    }
    let mut names = session.files.names(folder);
    names.sort();
    for name in names {
        let path = join(folder, &name);
        if is_folder(session.files, &path) {
            collect(session, &path, depth + 1, paths);
        } else {
            paths.push(path);
        }
    }
}
