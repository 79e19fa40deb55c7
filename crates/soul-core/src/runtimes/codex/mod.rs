//! Codex: AGENTS.md of its home and of the folders from the project's root down to the working folder.
//!
//! Recorded with `codex debug prompt-input`; cases in `conformance/runtimes/codex.jsonl`.

use super::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::files::{Files, Node, bytes_of, exists, is_within, join, resolve, upwards};
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};

const RECORDED: &str = "@openai/codex 0.166.0, `codex debug prompt-input`";
const DOCS: &str = "Codex documentation, AGENTS.md";
const NAMES: &[&str] = &["AGENTS.override.md", "AGENTS.md"];
const DEFAULT_MAX_BYTES: usize = 32 * 1024;
const SEPARATOR: &str = "\n\n--- project-doc ---\n\n";

/// The facts about Codex.
pub const RUNTIME: Runtime = Runtime {
    id: "codex",
    name: "Codex",
    basis: Basis::Recorded,
    unit: Unit::Bytes,
    soul_at: "AGENTS.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "0.166", source: RECORDED }],
    kinds: &[Kind { id: "main", meaning: "an interactive or headless session", source: RECORDED }],
    reads: &[
        Reads {
            path: "$CODEX_HOME/AGENTS.override.md, AGENTS.md",
            meaning: "the first that is not blank",
            source: RECORDED,
        },
        Reads {
            path: "AGENTS.override.md, AGENTS.md",
            meaning: "one in each folder from the project's root to the working folder",
            source: RECORDED,
        },
        Reads {
            path: "project_doc_fallback_filenames",
            meaning: "other names, where neither exists",
            source: RECORDED,
        },
    ],
    limits: &[Limit {
        setting: "project_doc_max_bytes",
        value: DEFAULT_MAX_BYTES as u64,
        unit: Unit::Bytes,
        per: "all project files",
        versions: "0.166",
        source: RECORDED,
    }],
    rules: &[
        Rule {
            id: "project-doc-limit",
            meaning: "project files are cut where their bytes reach the limit, from the root down",
            source: RECORDED,
        },
        Rule { id: "project-docs-off", meaning: "a limit of 0 turns project files off", source: RECORDED },
        Rule {
            id: "first-name",
            meaning: "the first name that exists in a folder hides the others, even if it is empty",
            source: RECORDED,
        },
        Rule { id: "blank", meaning: "blank files are left out", source: DOCS },
    ],
    settings: &[
        Setting {
            name: "project_doc_max_bytes",
            takes: Takes::Number,
            meaning: "limit for all project files",
            default: "32768",
            source: RECORDED,
        },
        Setting {
            name: "project_doc_fallback_filenames",
            takes: Takes::Text,
            meaning: "other names, with `;` between them",
            default: "none",
            source: RECORDED,
        },
        Setting {
            name: "project_root_markers",
            takes: Takes::Text,
            meaning: "what marks the project's root, with `;` between them",
            default: ".git",
            source: RECORDED,
        },
        Setting {
            name: "CODEX_HOME",
            takes: Takes::Text,
            meaning: "the runtime's home",
            default: "none",
            source: RECORDED,
        },
        Setting {
            name: "cwd",
            takes: Takes::Text,
            meaning: "the working folder, relative to the target",
            default: "the target",
            source: RECORDED,
        },
    ],
    emulate,
};

/// A list as the configuration writes it, or with `;` between its values.
fn list(session: &Session<'_>, name: &str) -> Vec<String> {
    let value = session.settings.get(name).unwrap_or_default().trim();
    match value.strip_prefix('[').and_then(|value| value.strip_suffix(']')) {
        Some(inner) => inner
            .split(',')
            .map(|entry| entry.trim().trim_matches(['"', '\'']).to_owned())
            .filter(|entry| !entry.is_empty())
            .collect(),
        None => session.settings.list(name),
    }
}

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let cwd = resolve(&session.root, session.settings.get("cwd").unwrap_or("."));
    let global = session
        .settings
        .get("CODEX_HOME")
        .and_then(|home| global(session.files, &resolve(&session.root, home), &mut sources));
    let docs = project_docs(session, &cwd, &mut sources, &mut delivery);

    let mut text = Traced::default();
    if let Some((path, content)) = global {
        text.push(&content);
        delivery.files.push(Injected { path, content });
    }
    let project = Traced::joined(docs.iter().map(|(_, content)| content), "\n\n");
    if !project.is_empty() {
        if !text.is_empty() {
            text.push_str(SEPARATOR);
        }
        text.push(&project);
    }
    if !text.is_empty() {
        let place = if project.is_empty() { String::new() } else { format!(" for {cwd}") };
        let mut whole = Traced::from(format!("# AGENTS.md instructions{place}\n\n<INSTRUCTIONS>\n").as_str());
        whole.push(&text);
        whole.push_str("\n</INSTRUCTIONS>");
        delivery.text = whole;
    }
    delivery.files.extend(docs.into_iter().map(|(path, content)| Injected { path, content }));
    delivery.sources = sources.paths();
    delivery
}

/// The first file of the home that is not blank, trimmed.
fn global(files: &dyn Files, home: &str, sources: &mut Sources) -> Option<(String, Traced)> {
    NAMES.iter().find_map(|name| {
        let path = join(home, name);
        let content = Traced::lossy(&bytes_of(files, &path)?, sources.number(&path)).trimmed(str::trim);
        (!content.is_empty()).then_some((path, content))
    })
}

fn project_docs(
    session: &Session<'_>,
    cwd: &str,
    sources: &mut Sources,
    delivery: &mut Delivery,
) -> Vec<(String, Traced)> {
    let files = session.files;
    let max = session.settings.number("project_doc_max_bytes").map_or(DEFAULT_MAX_BYTES, |number| number as usize);
    let markers = match session.settings.get("project_root_markers") {
        Some(_) => list(session, "project_root_markers"),
        None => vec![".git".to_owned()],
    };
    let root = upwards(cwd).find(|folder| markers.iter().any(|marker| exists(files, &join(folder, marker))));
    let mut folders: Vec<&str> = match root {
        Some(root) => upwards(cwd).take_while(|folder| is_within(root, folder)).collect(),
        None => vec![cwd],
    };
    folders.reverse();
    let fallbacks = list(session, "project_doc_fallback_filenames");
    let names: Vec<&str> = NAMES.iter().copied().chain(fallbacks.iter().map(String::as_str)).collect();
    let mut remaining = max;
    let mut docs = Vec::new();
    for folder in folders {
        let mut found = None;
        for path in names.iter().map(|name| join(folder, name)) {
            if matches!(files.node(&path), Node::Missing | Node::Folder) {
                continue;
            }
            if let Some(first) = &found {
                let reason = format!("{first} exists in the same folder");
                delivery.losses.push(Loss::file(sources.number(&path), State::Dropped, "first-name", reason));
            } else {
                found = Some(path);
            }
        }
        let Some(path) = found else { continue };
        let Some(bytes) = bytes_of(files, &path) else { continue };
        let number = sources.number(&path);
        if remaining == 0 {
            let (rule, reason) = if max == 0 {
                ("project-docs-off", "project_doc_max_bytes is 0".to_owned())
            } else {
                ("project-doc-limit", format!("nothing was left of {max} bytes for all project files"))
            };
            delivery.losses.push(Loss::file(number, State::Dropped, rule, reason));
            continue;
        }
        let taken = &bytes[..bytes.len().min(remaining)];
        if taken.len() < bytes.len() {
            let reason = format!("{} bytes, {remaining} left of {max} for all project files", bytes.len());
            delivery.losses.push(Loss::file(number, State::Cut, "project-doc-limit", reason));
        }
        let content = Traced::lossy(taken, number);
        if !content.as_str().trim().is_empty() {
            remaining -= taken.len();
            docs.push((path, content));
        }
    }
    docs
}
