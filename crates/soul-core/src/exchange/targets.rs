//! What a soul can be exported to.

use std::borrow::Cow;

use super::{Material, character_card, claw, crewai, eliza, markdown, mcp_tools, messages};
use crate::model::Dialect;

/// A file that an exporter made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeFile {
    /// The path, relative to the output folder.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What an exporter made of a soul.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Made {
    /// The files, the main one first.
    pub files: Vec<MadeFile>,
    /// The text that the model can be given of them.
    pub says: String,
    /// What the target has no place for: the part, and why.
    pub dropped: Vec<(String, Cow<'static, str>)>,
    /// What was written in other words, or is replaced when it is used.
    pub notes: Vec<String>,
}

impl Made {
    /// One text file that is all the model reads.
    pub(super) fn text(path: impl Into<String>, text: String) -> Self {
        let file = MadeFile { path: path.into(), bytes: text.clone().into_bytes() };
        Self { files: vec![file], says: text, ..Self::default() }
    }

    pub(super) fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push(MadeFile { path: path.into(), bytes: bytes.into() });
    }

    pub(super) fn drop(&mut self, part: impl Into<String>, reason: impl Into<Cow<'static, str>>) {
        self.dropped.push((part.into(), reason.into()));
    }
}

/// How files are made for a target.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// The soul in a dialect, as a conversion writes it.
    Dialect(Dialect),
    /// By an exporter of its own.
    Files(fn(&Material) -> Made),
    /// The full prompt of our own sessions, put into files.
    Prompt(fn(&str) -> Made),
}

/// A program, or a form, that a soul can be exported to.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name that selects it; that of the runtime, if it is one.
    pub id: &'static str,
    /// What it writes.
    pub meaning: &'static str,
    /// How files are made.
    pub make: Make,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        id: "openclaw",
        meaning: "a workspace: SOUL.md, IDENTITY.md, AGENTS.md",
        make: Make::Files(markdown::openclaw),
    },
    Target { id: "hermes", meaning: "SOUL.md of a Hermes home", make: Make::Files(markdown::hermes) },
    Target { id: "claude-code", meaning: "CLAUDE.md", make: Make::Files(markdown::claude_code) },
    Target {
        id: "claude-output-style",
        meaning: ".claude/output-styles/NAME.md",
        make: Make::Files(markdown::claude_output_style),
    },
    Target { id: "claude-subagent", meaning: ".claude/agents/NAME.md", make: Make::Files(markdown::claude_subagent) },
    Target { id: "codex", meaning: "AGENTS.md", make: Make::Files(markdown::codex) },
    Target { id: "gemini", meaning: "GEMINI.md", make: Make::Files(markdown::gemini) },
    Target { id: "cursor", meaning: ".cursor/rules/NAME.mdc", make: Make::Files(markdown::cursor) },
    Target { id: "agh", meaning: "SOUL.md in the dialect `agh`", make: Make::Dialect(Dialect::Agh) },
    Target { id: "agentos", meaning: "a workspace in the dialect `agentos`", make: Make::Dialect(Dialect::Agentos) },
    Target { id: "cantus", meaning: "SOUL.md in the dialect `cantus`", make: Make::Dialect(Dialect::Cantus) },
    Target { id: "dagu", meaning: "a file in the dialect `dagu`", make: Make::Dialect(Dialect::Dagu) },
    Target { id: "soul", meaning: "an agent's folder in the dialect `plain`", make: Make::Dialect(Dialect::Plain) },
    Target { id: "system-prompt", meaning: "the full prompt as text", make: Make::Prompt(messages::system_prompt) },
    Target {
        id: "messages",
        meaning: "the full prompt as request bodies for OpenAI and Anthropic",
        make: Make::Prompt(messages::messages),
    },
    Target { id: "crewai", meaning: "agents.yaml", make: Make::Files(crewai::export) },
    Target { id: "eliza", meaning: "character.json for ElizaOS", make: Make::Files(eliza::export) },
    Target {
        id: "character-card",
        meaning: "a character card as JSON, V2 and V3",
        make: Make::Files(character_card::export),
    },
    Target { id: "claw", meaning: "an OpenClaw package: CLAW.md and package.json", make: Make::Files(claw::export) },
    Target {
        id: "mcp-tools",
        meaning: "tools.json: `tools/list` from tools/*.yaml",
        make: Make::Files(mcp_tools::export),
    },
];

/// A target by its name.
#[must_use]
pub fn target(id: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.id == id)
}

/// Whether a text says what a statement says: the same words, whatever the white space and the marks of lists.
///
/// ```
/// use soul_core::exchange::is_said;
///
/// assert!(is_said("Never share a password.", "## Limits\n\n- Never share\n  a password.\n"));
/// assert!(!is_said("Never share a password.", "- Never share anything.\n"));
/// ```
#[must_use]
pub fn is_said(statement: &str, text: &str) -> bool {
    let words = |text: &str| {
        let mark = |word: &&str| !matches!(*word, "-" | "*" | "+") && !word.chars().all(|c| c == '#');
        text.split_whitespace().filter(mark).collect::<Vec<_>>().join(" ")
    };
    let statement = words(statement);
    statement.is_empty() || format!(" {} ", words(text)).contains(&format!(" {statement} "))
}
