//! The homes of OpenClaw and Hermes: folders with a soul, what the agent remembers, and much that is not its soul.

use crate::exchange::import::{Imported, Refusal, bytes, text};
use crate::runtimes::{Files, Node, join};

/// The files of a workspace that a plain soul has too.
const KEPT: [&str; 7] = ["IDENTITY.md", "STYLE.md", "RULES.md", "AGENTS.md", "TOOLS.md", "USER.md", "MEMORY.md"];

/// What only a Hermes home has: its settings, what it remembers, and what it writes while it runs.
const HERMES_SIGNS: [&str; 7] =
    ["memories", "config.yaml", "state.db", "sessions", "auth.json", "gateway.json", "cron"];

/// More names than this are counted, not listed.
const MAX_LISTED: usize = 50;

pub(crate) fn is_openclaw_home(files: &dyn Files, path: &str) -> bool {
    let has = |name: &str| bytes(files, &join(path, name)).is_ok();
    has("openclaw.json") || has("workspace/SOUL.md") || (has("SOUL.md") && !is_hermes_home(files, path))
}

pub(crate) fn is_hermes_home(files: &dyn Files, path: &str) -> bool {
    let has = |name: &str| files.node(&join(path, name)) != Node::Missing;
    let is_openclaw = ["openclaw.json", "IDENTITY.md", "MEMORY.md", "memory"].iter().any(|name| has(name));
    let is_named = path.ends_with("/.hermes") || path.contains("/.hermes/profiles/");
    has("SOUL.md") && !is_openclaw && (is_named || HERMES_SIGNS.iter().any(|name| has(name)))
}

/// The workspace of a home, or a workspace itself.
pub(crate) fn openclaw_home(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let inner = join(path, "workspace");
    let is_home = bytes(files, &join(path, "SOUL.md")).is_err() && files.node(&inner) == Node::Folder;
    let root = if is_home { inner } else { path.to_owned() };
    let mut imported = Imported::text(text(files, &join(&root, "SOUL.md"))?);
    for name in KEPT {
        if let Ok(text) = text(files, &join(&root, name)) {
            imported.file(name, text);
        }
    }
    memories(files, &root, &mut imported);
    let mut known: Vec<&str> = KEPT.to_vec();
    known.extend(["SOUL.md", "memory"]);
    leave_others(files, &root, &known, &mut imported);
    if is_home {
        leave_others(files, path, &["workspace"], &mut imported);
    }
    imported.name = card_name(&imported);
    Ok(imported)
}

pub(crate) fn hermes_home(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let mut imported = Imported::text(text(files, &join(path, "SOUL.md"))?);
    for name in ["MEMORY.md", "USER.md"] {
        if let Ok(text) = text(files, &join(path, &format!("memories/{name}"))) {
            imported.file(name, entries(&text));
        }
    }
    leave_others(files, path, &["SOUL.md", "memories"], &mut imported);
    Ok(imported)
}

/// Hermes separates what it remembers by a line with `§`; a list says the same.
fn entries(text: &str) -> String {
    let entries = text.split("\n§\n").map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(|entry| format!("- {}\n", entry.replace('\n', "\n  "))).collect()
}

fn memories(files: &dyn Files, root: &str, imported: &mut Imported) {
    let folder = join(root, "memory");
    let mut names = files.names(&folder);
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    for name in names {
        if let Ok(text) = text(files, &join(&folder, &name)) {
            imported.file(&format!("memory/{name}"), text);
        }
    }
}

/// Names what else is in a folder.
fn leave_others(files: &dyn Files, folder: &str, known: &[&str], imported: &mut Imported) {
    let mut names = files.names(folder);
    names.retain(|name| !known.contains(&name.as_str()));
    names.sort();
    for name in names.iter().take(MAX_LISTED) {
        imported.leave(name.as_str(), reason(name));
    }
    if names.len() > MAX_LISTED {
        imported.leave(format!("{} more files", names.len() - MAX_LISTED), "they are not part of a soul");
    }
}

fn reason(name: &str) -> &'static str {
    match name {
        ".env" | "auth.json" | "credentials" | "openclaw.json" | "config.yaml" | "secrets" => {
            "settings and secrets are never imported"
        }
        "BOOTSTRAP.md" | "BOOT.md" | "HEARTBEAT.md" => "it says what to do at a time, not who the agent is",
        "skills" => "skills are not part of a soul",
        _ => "it is not part of a soul",
    }
}

fn card_name(imported: &Imported) -> Option<String> {
    let card = imported.files.iter().find(|(path, _)| path == "IDENTITY.md")?;
    crate::formats::plain::card_name(&card.1)
}
