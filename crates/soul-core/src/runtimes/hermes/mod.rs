//! Hermes Agent: SOUL.md of its home, the project files of the working folder, and its memory.
//!
//! Recorded from the package's own functions; cases in `conformance/runtimes/hermes.jsonl`. The text here is what comes
//! from files: guidance that the runtime puts between them is its own.

pub mod memory;
pub mod project;
pub mod subfolder;
pub mod text;
pub mod threats;

mod pattern;

use super::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::files::{Files, Node, bytes_of, followed, join, resolve};
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use crate::text::python_strip;
use memory::Store;

/// The identity where there is no SOUL.md, which the runtime writes as SOUL.md on its first start. Text of
/// hermes-agent, © 2025 Nous Research, under the MIT licence.
const DEFAULT_IDENTITY: &str = include_str!("default_identity.txt");

const BUILDER: &str = "hermes-agent 0.19.0 agent/prompt_builder.py";
const SYSTEM: &str = "hermes-agent 0.19.0 agent/system_prompt.py";
const MEMORY: &str = "hermes-agent 0.19.0 tools/memory_tool.py";
const THREATS: &str = "hermes-agent 0.19.0 tools/threat_patterns.py";
const DELEGATE: &str = "hermes-agent 0.19.0 tools/delegate_tool.py";
const CRON: &str = "hermes-agent 0.19.0 cron/scheduler.py";

/// The facts about Hermes Agent.
pub const RUNTIME: Runtime = Runtime {
    id: "hermes",
    name: "Hermes Agent",
    basis: Basis::Recorded,
    unit: Unit::CodePoints,
    soul_at: "SOUL.md",
    soul_opening: "",
    memory_at: "memories/MEMORY.md",
    versions: &[Version { version: "0.19", source: "PyPI hermes-agent 0.19.0, its own functions run on 197 cases" }],
    kinds: &[
        Kind { id: "main", meaning: "a chat with the agent", source: SYSTEM },
        Kind { id: "subagent", meaning: "a delegated task: no SOUL.md, no project files, no memory", source: DELEGATE },
        Kind {
            id: "cron",
            meaning: "a scheduled job: SOUL.md, no memory, project files only with a work folder",
            source: CRON,
        },
    ],
    reads: &[
        Reads { path: "SOUL.md", meaning: "the identity, of the runtime's home only", source: BUILDER },
        Reads {
            path: ".hermes.md, HERMES.md",
            meaning: "project rules, the nearest up to the repository's root",
            source: BUILDER,
        },
        Reads { path: "AGENTS.md, agents.md", meaning: "project rules, if none of the above", source: BUILDER },
        Reads { path: "CLAUDE.md, claude.md", meaning: "project rules, if none of the above", source: BUILDER },
        Reads {
            path: ".cursorrules, .cursor/rules/*.mdc",
            meaning: "project rules, if none of the above",
            source: BUILDER,
        },
        Reads { path: "memories/MEMORY.md", meaning: "memory", source: MEMORY },
        Reads { path: "memories/USER.md", meaning: "the person", source: MEMORY },
    ],
    limits: &[
        Limit {
            setting: "context_file_max_chars",
            value: 20_000,
            unit: Unit::CodePoints,
            per: "file, more with a large window",
            versions: "0.19",
            source: BUILDER,
        },
        Limit {
            setting: "",
            value: 500_000,
            unit: Unit::CodePoints,
            per: "file, at most, by the window",
            versions: "0.19",
            source: BUILDER,
        },
        Limit {
            setting: "",
            value: 65_536,
            unit: Unit::CodePoints,
            per: "text that is scanned",
            versions: "0.19",
            source: THREATS,
        },
        Limit {
            setting: "memory_char_limit",
            value: 2_200,
            unit: Unit::CodePoints,
            per: "MEMORY.md, for writes only",
            versions: "0.19",
            source: MEMORY,
        },
        Limit {
            setting: "user_char_limit",
            value: 1_375,
            unit: Unit::CodePoints,
            per: "USER.md, for writes only",
            versions: "0.19",
            source: MEMORY,
        },
    ],
    rules: &[
        Rule {
            id: "context-limit",
            meaning: "a file over the limit keeps 70 % of the limit from its beginning and 20 % from its end",
            source: BUILDER,
        },
        Rule {
            id: "threat-scan",
            meaning: "one hit of its scan replaces the whole file by a placeholder",
            source: THREATS,
        },
        Rule { id: "memory-scan", meaning: "a hit replaces the memory entry by a placeholder", source: MEMORY },
        Rule { id: "memory-duplicate", meaning: "repeated memory entries are injected once", source: MEMORY },
        Rule {
            id: "not-utf8",
            meaning: "a file that is not UTF-8 is ignored; for SOUL.md the built-in identity is used",
            source: BUILDER,
        },
        Rule { id: "unreadable", meaning: "a file that cannot be read is ignored", source: BUILDER },
        Rule { id: "first-project-file", meaning: "only one kind of project file is loaded", source: BUILDER },
        Rule { id: "frontmatter", meaning: "the frontmatter of .hermes.md is not injected", source: BUILDER },
        Rule {
            id: "subagent-context",
            meaning: "delegated tasks run with the built-in identity, without files and memory",
            source: DELEGATE,
        },
        Rule {
            id: "cron-context",
            meaning: "scheduled jobs have no memory, and no project files without a work folder",
            source: CRON,
        },
    ],
    settings: &[
        Setting {
            name: "context_file_max_chars",
            takes: Takes::Text,
            meaning: "limit for each file",
            default: "by the window, at least 20000",
            source: BUILDER,
        },
        Setting {
            name: "memory_char_limit",
            takes: Takes::Number,
            meaning: "shown in the header of the memory block",
            default: "2200",
            source: MEMORY,
        },
        Setting {
            name: "user_char_limit",
            takes: Takes::Number,
            meaning: "shown in the header of the user block",
            default: "1375",
            source: MEMORY,
        },
        Setting {
            name: "HERMES_HOME",
            takes: Takes::Text,
            meaning: "the runtime's home",
            default: "the target",
            source: BUILDER,
        },
        Setting {
            name: "cwd",
            takes: Takes::Text,
            meaning: "the working folder, relative to the target",
            default: "the target",
            source: BUILDER,
        },
        Setting {
            name: "skip_soul",
            takes: Takes::Flag,
            meaning: "whether SOUL.md is left out",
            default: "false",
            source: BUILDER,
        },
    ],
    emulate,
};

/// SOUL.md of a home as it is injected.
#[derive(Debug, Clone, Default)]
pub struct Soul {
    /// The text; `None` if there is none, so that the built-in identity is used.
    pub text: Option<Traced>,
    /// The runtime's own warnings.
    pub warnings: Vec<String>,
    /// What was blocked or cut.
    pub losses: Vec<Loss>,
}

/// Loads SOUL.md of a home.
pub fn soul(files: &dyn Files, home: &str, limit: usize, sources: &mut Sources) -> Soul {
    let path = join(home, "SOUL.md");
    let mut soul = Soul::default();
    match followed(files, &path).0 {
        Node::Missing => {
            soul.text = Some(Traced::from(DEFAULT_IDENTITY));
            return soul;
        }
        Node::File(_) | Node::Hardlinked(_) => {}
        _ => {
            let file = sources.number(&path);
            let reason = "SOUL.md cannot be read, so the built-in identity is used";
            soul.losses.push(Loss::file(file, State::Blocked, "unreadable", reason));
            return soul;
        }
    }
    let Some(bytes) = bytes_of(files, &path) else { return soul };
    let file = sources.number(&path);
    let Some(whole) = text::read(&bytes, file) else {
        let reason = "SOUL.md is not UTF-8, so the built-in identity is used";
        soul.losses.push(Loss::file(file, State::Blocked, "not-utf8", reason));
        return soul;
    };
    let whole = text::stripped(&whole);
    if whole.is_empty() {
        return soul;
    }
    let scanned = text::scanned(&whole, "SOUL.md");
    if let Some(ids) = scanned.blocked {
        soul.losses.push(Loss::file(file, State::Blocked, "threat-scan", project::blocked(&ids)));
    }
    let length = Unit::CodePoints.count(scanned.text.as_str());
    let (injected, warning) = text::shortened(scanned.text, "SOUL.md", &path, limit);
    if let Some(warning) = warning {
        let reason = format!("{length} code points, {limit} allowed for SOUL.md");
        soul.losses.push(Loss::file(file, State::Cut, "context-limit", reason));
        soul.warnings.push(warning);
    }
    soul.text = Some(injected);
    soul
}

/// `context_file_max_chars` at the top level of the runtime's configuration.
fn configured_limit(files: &dyn Files, home: &str) -> Option<f64> {
    let bytes = bytes_of(files, &join(home, "config.yaml"))?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let value = text.lines().rev().find_map(|line| line.strip_prefix("context_file_max_chars:"))?;
    text::yaml_number(value.split(" #").next().unwrap_or(value))
}

fn emulate(session: &Session<'_>) -> Delivery {
    let settings = session.settings;
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let home = settings.get("HERMES_HOME").map_or_else(|| session.root.clone(), |home| resolve(&session.root, home));
    let cwd = resolve(&session.root, settings.get("cwd").unwrap_or("."));
    let configured = match settings.get("context_file_max_chars") {
        Some(value) => text::yaml_number(value),
        None => configured_limit(session.files, &home),
    };
    let limit = text::limit(configured, session.window.and_then(|window| i64::try_from(window).ok()));
    let mut parts: Vec<Traced> = Vec::new();

    let with_soul = session.kind != "subagent" && !settings.flag("skip_soul").unwrap_or(false);
    let with_project = session.kind == "main" || (session.kind == "cron" && settings.get("cwd").is_some());
    let with_memory = session.kind == "main";
    if with_soul {
        let soul = soul(session.files, &home, limit, &mut sources);
        delivery.warnings.extend(soul.warnings);
        delivery.losses.extend(soul.losses);
        let text = soul.text.filter(|text| !text.is_empty());
        let path = join(&home, "SOUL.md");
        let text = text.unwrap_or_else(|| Traced::from(DEFAULT_IDENTITY));
        delivery.files.push(Injected { path, content: text.clone() });
        parts.push(text);
    } else if session.kind == "subagent" {
        parts.push(Traced::from(DEFAULT_IDENTITY));
    }
    if with_project {
        let mut project = project::load(session.files, &cwd, limit, &mut sources);
        delivery.warnings.append(&mut project.warnings);
        delivery.losses.append(&mut project.losses);
        delivery.files.append(&mut project.files);
        parts.push(project.text);
    }
    if with_memory {
        for (store, setting) in [(Store::Memory, "memory_char_limit"), (Store::User, "user_char_limit")] {
            let limit = settings.number(setting).map_or_else(|| store.default_limit(), |number| number as usize);
            let path = join(&home, store.path());
            let block = memory::block(session.files, &path, store, limit, &mut sources, &mut delivery.losses);
            if let Some(block) = block {
                delivery.files.push(Injected { path, content: block.clone() });
                parts.push(block);
            }
        }
    }
    withheld(session, &home, &cwd, &mut sources, &mut delivery);
    let parts: Vec<Traced> =
        parts.iter().map(|part| part.trimmed(python_strip)).filter(|part| !part.is_empty()).collect();
    delivery.text = Traced::joined(&parts, "\n\n");
    delivery.sources = sources.paths();
    delivery
}

/// The reasons for files that the runtime knows and this session is not given.
fn withheld(session: &Session<'_>, home: &str, cwd: &str, sources: &mut Sources, delivery: &mut Delivery) {
    let names = [".hermes.md", "HERMES.md", "AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules"];
    let mut paths: Vec<String> = names.iter().map(|name| join(cwd, name)).collect();
    paths.push(join(home, "SOUL.md"));
    paths.extend([Store::Memory, Store::User].map(|store| join(home, store.path())));
    for path in paths {
        if delivery.files.iter().any(|file| file.path == path) || bytes_of(session.files, &path).is_none() {
            continue;
        }
        let (rule, reason) = match session.kind {
            "subagent" => {
                ("subagent-context", "delegated tasks run with the built-in identity, without files and memory")
            }
            "cron" => ("cron-context", "scheduled jobs have no memory, and no project files without a work folder"),
            _ => ("first-project-file", "another project file comes first, or the file is empty"),
        };
        let file = sources.number(&path);
        if !delivery.losses.iter().any(|loss| loss.file == file) {
            delivery.losses.push(Loss::file(file, State::Dropped, rule, reason));
        }
    }
}
