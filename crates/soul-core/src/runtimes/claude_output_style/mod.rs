//! An output style of Claude Code: its body becomes part of the system prompt of the main session.
//!
//! By its documentation; nothing was recorded.

use super::facts::{Basis, Kind, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::files::{bytes_of, is_folder, join};
use super::units::js_trim;
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced, frontmatter};

const DOCS: &str = "code.claude.com/docs/en/output-styles";

/// The facts about output styles.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "claude-output-style",
    name: "Claude Code output style",
    basis: Basis::Documented,
    unit: Unit::Utf16,
    soul_at: ".claude/output-styles/soul.md",
    soul_opening: "---\nname: soul\nkeep-coding-instructions: true\n---\n",
    memory_at: "",
    versions: &[Version { version: "2.1", source: DOCS }],
    kinds: &[
        Kind { id: "main", meaning: "the main session", source: DOCS },
        Kind { id: "subagent", meaning: "a sub-agent: output styles do not apply", source: DOCS },
    ],
    reads: &[Reads { path: ".claude/output-styles/*.md", meaning: "the one that `outputStyle` names", source: DOCS }],
    limits: &[],
    rules: &[
        Rule { id: "main-only", meaning: "output styles affect the main session only", source: DOCS },
        Rule { id: "frontmatter", meaning: "the frontmatter is not part of the prompt", source: DOCS },
        Rule { id: "not-selected", meaning: "only one output style is active", source: DOCS },
    ],
    settings: &[Setting {
        name: "outputStyle",
        takes: Takes::Text,
        meaning: "the file name of the style, without `.md`",
        default: "the first",
        source: DOCS,
    }],
    emulate,
};

fn emulate(session: &Session<'_>) -> Delivery {
    let chosen = session.settings.get("outputStyle");
    let whole = session.kind == "main";
    one_of(
        session,
        ".claude/output-styles",
        chosen,
        whole.then_some(()).ok_or(("main-only", "output styles affect the main session only")),
    )
}

/// One Markdown file of a folder: its body, without the frontmatter.
pub(super) fn one_of(
    session: &Session<'_>,
    folder: &str,
    chosen: Option<&str>,
    applies: Result<(), (&'static str, &str)>,
) -> Delivery {
    let folder = join(&session.root, folder);
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    let mut names = if is_folder(session.files, &folder) { session.files.names(&folder) } else { Vec::new() };
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    let active = match chosen {
        Some(chosen) => names.iter().position(|name| name.strip_suffix(".md") == Some(chosen)),
        None => (!names.is_empty()).then_some(0),
    };
    for (index, name) in names.iter().enumerate() {
        let path = join(&folder, name);
        let Some(bytes) = bytes_of(session.files, &path) else { continue };
        let file = sources.number(&path);
        if Some(index) != active {
            delivery.losses.push(Loss::file(
                file,
                State::Dropped,
                "not-selected",
                "another file of the folder is selected",
            ));
            continue;
        }
        if let Err((rule, reason)) = applies {
            delivery.losses.push(Loss::file(file, State::Dropped, rule, reason));
            continue;
        }
        let whole = Traced::lossy(&bytes, file);
        let body = frontmatter::split(&whole).body.trimmed(js_trim);
        delivery.losses.push(Loss::file(
            file,
            State::Dropped,
            "frontmatter",
            "the frontmatter is not part of the prompt",
        ));
        delivery.files.push(Injected { path, content: body.clone() });
        delivery.text = body;
    }
    delivery.sources = sources.paths();
    delivery
}
