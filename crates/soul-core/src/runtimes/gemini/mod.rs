//! Gemini CLI: GEMINI.md of its home, of the workspace and the folders above it, with imports.
//!
//! Recorded from the package's own functions; cases in `conformance/runtimes/gemini.jsonl`. Its home and its private
//! memory go into the system instruction, everything else into the first message of the user.

pub mod imports;

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::files::{
    Files, Node, bytes_of, exists, followed, is_folder, is_within, join, parent, real_path, resolve, upwards,
};
use super::units::js_trim;
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use imports::{Format, Importer};

const DISCOVERY: &str = "@google/gemini-cli-core 0.61.0 utils/memoryDiscovery.js";
const IMPORTS: &str = "@google/gemini-cli-core 0.61.0 utils/memoryImportProcessor.js";
const CONFIG: &str = "@google/gemini-cli-core 0.61.0 config/config.js, prompts/snippets.js";
const AGENTS: &str = "@google/gemini-cli-core 0.61.0 agents/local-executor.js";

/// What precedes the home's own file where there is no private memory. Text of gemini-cli, © 2025 Google LLC, under the
/// Apache licence 2.0.
const GLOBAL_OPENING: &str = include_str!("global_opening.txt");

/// The facts about Gemini CLI.
pub const RUNTIME: Runtime = Runtime {
    id: "gemini",
    name: "Gemini CLI",
    basis: Basis::Recorded,
    unit: Unit::Utf16,
    soul_at: "GEMINI.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version {
        version: "0.61",
        source: "npm @google/gemini-cli-core 0.61.0, its own functions run on 55 cases",
    }],
    kinds: &[
        Kind { id: "main", meaning: "an interactive or headless session", source: CONFIG },
        Kind { id: "subagent", meaning: "a local sub-agent: the same files", source: AGENTS },
        Kind { id: "untrusted", meaning: "a folder that is not trusted: no project files", source: CONFIG },
    ],
    reads: &[
        Reads { path: "~/.gemini/GEMINI.md", meaning: "system instruction", source: DISCOVERY },
        Reads { path: "MEMORY.md of the project's memory folder", meaning: "system instruction", source: DISCOVERY },
        Reads { path: "context files of extensions", meaning: "first message", source: DISCOVERY },
        Reads {
            path: "GEMINI.md",
            meaning: "first message: from the repository's root to the workspace",
            source: DISCOVERY,
        },
        Reads {
            path: "GEMINI.md of subfolders",
            meaning: "tool results, when the agent works there",
            source: DISCOVERY,
        },
    ],
    limits: &[],
    rules: &[
        Rule {
            id: "import",
            meaning: "a word that begins with @ is an import; if it fails, a comment takes its place",
            source: IMPORTS,
        },
        Rule {
            id: "untrusted-folder",
            meaning: "a folder that is not trusted delivers no project file",
            source: CONFIG,
        },
        Rule { id: "subfolder", meaning: "files of subfolders are read when the agent works there", source: DISCOVERY },
    ],
    settings: &[
        Setting {
            name: "context.fileName",
            takes: Takes::Text,
            meaning: "names of context files, with `;` between them",
            default: "GEMINI.md",
            source: DISCOVERY,
        },
        Setting { name: "home", takes: Takes::Text, meaning: "the user's home", default: "none", source: DISCOVERY },
        Setting {
            name: "projectMemoryDir",
            takes: Takes::Text,
            meaning: "the folder of the private project memory",
            default: "none",
            source: DISCOVERY,
        },
        Setting {
            name: "workspaceDirs",
            takes: Takes::Text,
            meaning: "workspace folders, relative to the target, with `;` between them",
            default: "the target",
            source: DISCOVERY,
        },
        Setting {
            name: "extensionFiles",
            takes: Takes::Text,
            meaning: "context files of active extensions, with `;` between them",
            default: "none",
            source: DISCOVERY,
        },
        Setting {
            name: "boundaryMarkers",
            takes: Takes::Text,
            meaning: "what marks the root of a project, with `;` between them",
            default: ".git",
            source: DISCOVERY,
        },
        Setting {
            name: "importFormat",
            takes: Takes::OneOf(&["tree", "flat"]),
            meaning: "tree or flat",
            default: "tree",
            source: IMPORTS,
        },
        Setting {
            name: "trusted",
            takes: Takes::Flag,
            meaning: "whether the folder is trusted",
            default: "by session kind",
            source: CONFIG,
        },
    ],
    emulate,
};

/// What is loaded, tier by tier.
#[derive(Debug, Clone, Default)]
pub struct Tiers {
    /// Of the user's home.
    pub global: Traced,
    /// The private memory of the project.
    pub private: Traced,
    /// Of extensions.
    pub extension: Traced,
    /// Of the workspace.
    pub project: Traced,
    /// Every file that was loaded, with its text.
    pub files: Vec<Injected>,
}

/// Where files are looked for.
struct Places<'a> {
    files: &'a dyn Files,
    names: Vec<String>,
    markers: Vec<String>,
    home: Option<String>,
}

impl<'a> Places<'a> {
    fn new(session: &Session<'a>) -> Self {
        let settings = session.settings;
        let or = |name: &str, default: &str| match settings.get(name) {
            Some(_) => settings.list(name),
            None => vec![default.to_owned()],
        };
        Self {
            files: session.files,
            names: or("context.fileName", "GEMINI.md"),
            markers: or("boundaryMarkers", ".git"),
            home: settings.get("home").map(|home| resolve(&session.root, home)),
        }
    }

    fn readable(&self, path: &str) -> bool {
        !matches!(followed(self.files, path).0, Node::Missing | Node::Denied | Node::Link(_))
    }

    fn in_folder(&self, folder: &str) -> Vec<String> {
        self.names.iter().map(|name| join(folder, name)).filter(|path| self.readable(path)).collect()
    }

    /// From a folder up to the root of its project, the root first; without a root, the folder alone.
    fn upward(&self, folder: &str, root: &str) -> Vec<String> {
        let marked = |folder: &&str| {
            let safe = self.markers.iter().filter(|marker| !marker.starts_with('/') && !marker.contains(".."));
            safe.into_iter().any(|marker| exists(self.files, &join(folder, marker)))
        };
        let ceiling = upwards(root).find(marked).unwrap_or(root);
        let own = self.home.as_ref().map(|home| join(home, ".gemini"));
        let folders: Vec<&str> = upwards(folder)
            .take_while(|folder| own.as_deref() != Some(*folder))
            .take_while(|folder| is_within(ceiling, folder))
            .collect();
        folders.into_iter().rev().flat_map(|folder| self.in_folder(folder)).collect()
    }

    fn identity(&self, path: &str) -> String {
        real_path(self.files, path).unwrap_or_else(|| path.to_owned())
    }
}

/// Loads every tier.
pub fn tiers(session: &Session<'_>, sources: &mut Sources, losses: &mut Vec<Loss>) -> Tiers {
    let places = Places::new(session);
    let settings = session.settings;
    let global = places.home.as_ref().map(|home| places.in_folder(&join(home, ".gemini"))).unwrap_or_default();
    let private = settings.get("projectMemoryDir").map(|folder| resolve(&session.root, folder));
    let private = private.map_or_else(Vec::new, |folder| {
        let index = join(&folder, "MEMORY.md");
        if places.readable(&index) { vec![index] } else { places.in_folder(&folder) }
    });
    let mut extension: Vec<String> =
        settings.list("extensionFiles").iter().map(|path| resolve(&session.root, path)).collect();
    extension.sort();
    extension.dedup();
    let mut project: Vec<String> = Vec::new();
    if is_trusted(session) {
        let folders = match settings.get("workspaceDirs") {
            Some(_) => settings.list("workspaceDirs"),
            None => vec![".".to_owned()],
        };
        for folder in folders.iter().map(|folder| resolve(&session.root, folder)) {
            for path in places.upward(&folder, &folder) {
                if !project.iter().any(|known| places.identity(known) == places.identity(&path)) {
                    project.push(path);
                }
            }
        }
        project.sort();
    }
    // A file with several names is read by the first.
    let mut known: Vec<(String, String)> = Vec::new();
    for path in global.iter().chain(&extension).chain(&project).chain(&private) {
        let identity = places.identity(path);
        if !known.iter().any(|(other, same)| *same == identity && other != path) {
            known.push((path.clone(), identity));
        }
    }
    let mut tiers = Tiers::default();
    let format = if settings.get("importFormat") == Some("flat") { Format::Flat } else { Format::Tree };
    let mut importer = Importer { files: session.files, markers: &places.markers, format, sources, losses };
    let mut load = |paths: &[String], injected: &mut Vec<Injected>| {
        let mut blocks = Vec::new();
        for path in paths.iter().filter(|path| known.iter().any(|(known, _)| known == *path)) {
            let Some(bytes) = bytes_of(session.files, path) else { continue };
            let content = importer.process(path, &bytes).trimmed(js_trim);
            if !content.is_empty() {
                blocks.push(block(path, &content));
                injected.push(Injected { path: path.clone(), content });
            }
        }
        Traced::joined(&blocks, "\n\n")
    };
    let mut injected = Vec::new();
    tiers.global = load(&global, &mut injected);
    tiers.private = load(&private, &mut injected);
    tiers.extension = load(&extension, &mut injected);
    tiers.project = load(&project, &mut injected);
    tiers.files = injected;
    tiers
}

fn block(path: &str, content: &Traced) -> Traced {
    let mut block = Traced::from(format!("--- Context from: {path} ---\n").as_str());
    block.push(content);
    block.push_str(&format!("\n--- End of Context from: {path} ---"));
    block
}

fn is_trusted(session: &Session<'_>) -> bool {
    session.settings.flag("trusted").unwrap_or(session.kind != "untrusted")
}

impl Tiers {
    /// The part of the system instruction.
    #[must_use]
    pub fn system_text(&self, names: &[String]) -> Traced {
        let global = self.global.trimmed(js_trim);
        let private = self.private.trimmed(js_trim);
        if private.is_empty() {
            if global.is_empty() {
                return global;
            }
            let mut text = Traced::from(GLOBAL_OPENING.replace("NAMES", &names.join(", ")).as_str());
            text.push(&global);
            text.push_str("\n</loaded_context>");
            return text;
        }
        let mut sections = Vec::new();
        if !global.is_empty() {
            sections.push(wrapped("<global_context>\n", &global, "\n</global_context>"));
        }
        sections.push(wrapped(
            "<user_project_memory>\n--- Private Project Memory Index (private, not committed to repo) ---\n",
            &private,
            "\n--- End Private Project Memory Index ---\n</user_project_memory>",
        ));
        wrapped("\n---\n\n<loaded_context>\n", &Traced::joined(&sections, "\n"), "\n</loaded_context>")
    }

    /// The part of the first message.
    #[must_use]
    pub fn session_text(&self) -> Traced {
        let tiers = [("extension_context", &self.extension), ("project_context", &self.project)];
        let sections: Vec<Traced> = tiers
            .into_iter()
            .map(|(tag, text)| (tag, text.trimmed(js_trim)))
            .filter(|(_, text)| !text.is_empty())
            .map(|(tag, text)| wrapped(&format!("<{tag}>\n"), &text, &format!("\n</{tag}>")))
            .collect();
        if sections.is_empty() {
            return Traced::default();
        }
        wrapped("\n<loaded_context>\n", &Traced::joined(&sections, "\n"), "\n</loaded_context>")
    }
}

fn wrapped(before: &str, text: &Traced, after: &str) -> Traced {
    let mut result = Traced::from(before);
    result.push(text);
    result.push_str(after);
    result
}

/// What a tool result is given when the agent first reaches a path.
#[must_use]
pub fn just_in_time(session: &Session<'_>, path: &str, loaded: &Tiers) -> String {
    let places = Places::new(session);
    let target = resolve(&session.root, path);
    let roots = match session.settings.get("workspaceDirs") {
        Some(_) => session.settings.list("workspaceDirs"),
        None => vec![".".to_owned()],
    };
    let roots: Vec<String> = roots.iter().map(|root| resolve(&session.root, root)).collect();
    let deepest = roots.iter().filter(|root| is_within(root, &target)).max_by_key(|root| root.len());
    let Some(root) = deepest.filter(|_| is_trusted(session)) else { return String::new() };
    let folder = if is_folder(session.files, &target) { target.as_str() } else { parent(&target) };
    let known: Vec<String> = loaded.files.iter().map(|file| places.identity(&file.path)).collect();
    let mut sources = Sources::default();
    let mut losses = Vec::new();
    let mut importer = Importer {
        files: session.files,
        markers: &places.markers,
        format: Format::Tree,
        sources: &mut sources,
        losses: &mut losses,
    };
    let mut blocks = Vec::new();
    for path in places.upward(folder, root).into_iter().filter(|path| !known.contains(&places.identity(path))) {
        let Some(bytes) = bytes_of(session.files, &path) else { continue };
        let content = importer.process(&path, &bytes).trimmed(js_trim);
        if !content.is_empty() {
            blocks.push(block(&path, &content));
        }
    }
    Traced::joined(&blocks, "\n\n").as_str().to_owned()
}

fn emulate(session: &Session<'_>) -> Delivery {
    let mut sources = Sources::default();
    let mut losses = Vec::new();
    let tiers = tiers(session, &mut sources, &mut losses);
    let mut text = tiers.system_text(&Places::new(session).names);
    text.push(&tiers.session_text());
    if !is_trusted(session) {
        let path = join(&session.root, "GEMINI.md");
        if exists(session.files, &path) {
            let reason = "the folder is not trusted";
            losses.push(Loss::file(sources.number(&path), State::Dropped, "untrusted-folder", reason));
        }
    }
    Delivery { files: tiers.files, text, sources: sources.paths(), losses, ..Delivery::default() }
}
