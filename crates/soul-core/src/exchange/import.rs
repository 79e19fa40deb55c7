//! What a soul can be imported from.

use std::borrow::Cow;

use serde_json::Value;

use super::material::SOUL;
use super::{character_card, claw, crewai, eliza, markdown, secrets};
use crate::runtimes::{Files, Node, base_name};

/// Something that was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is.
    pub what: String,
    /// Why.
    pub reason: Cow<'static, str>,
}

impl LeftOut {
    pub(super) fn new(what: impl Into<String>, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { what: what.into(), reason: reason.into() }
    }
}

/// A soul that was imported, as the files of a plain one.
#[derive(Debug, Clone, Default)]
pub struct Imported {
    /// The name of the agent, if the file gives one.
    pub name: Option<String>,
    /// The files, SOUL.md first.
    pub files: Vec<(String, String)>,
    /// What was not imported.
    pub left_out: Vec<LeftOut>,
    /// What was written in other words.
    pub notes: Vec<String>,
    /// What the program that the file is for makes of it, in its own terms.
    pub reading: Value,
}

impl Imported {
    /// A soul of one text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { files: vec![(SOUL.to_owned(), text.into())], ..Self::default() }
    }

    pub(super) fn file(&mut self, path: &str, text: impl Into<String>) {
        self.files.push((path.to_owned(), text.into()));
    }

    pub(super) fn leave(&mut self, what: impl Into<String>, reason: impl Into<Cow<'static, str>>) {
        self.left_out.push(LeftOut::new(what, reason));
    }

    /// The text of SOUL.md.
    #[must_use]
    pub fn soul(&self) -> &str {
        self.files.first().map(|(_, text)| text.as_str()).unwrap_or_default()
    }

    /// Gives the soul a card with its name and what it is, unless its text says both.
    pub(super) fn card(&mut self, name: Option<&str>, description: Option<&str>) {
        let text = self.soul().to_lowercase();
        let said = |value: &&str| super::is_said(&value.to_lowercase(), &text);
        let missing =
            |value: Option<&str>| value.map(str::trim).filter(|value| !value.is_empty() && !said(value)).map(one_line);
        let lines = [("Name", missing(name)), ("Description", missing(description))];
        let lines: Vec<String> =
            lines.into_iter().filter_map(|(label, value)| Some(format!("- {label}: {}\n", value?))).collect();
        if !lines.is_empty() && !self.files.iter().any(|(path, _)| path == "IDENTITY.md") {
            self.file("IDENTITY.md", lines.concat());
        }
        self.name = name.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a file was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// In a sentence.
    pub message: String,
    /// What the program that the file is for says, in its own terms.
    pub reading: Value,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), reading: Value::Null }
    }
}

/// A form that a soul can be imported from.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// The name that selects it; that of the target, if it is one.
    pub id: &'static str,
    /// What it reads.
    pub meaning: &'static str,
    /// Whether a path looks like one.
    pub is_at: fn(&dyn Files, &str) -> bool,
    /// Reads it.
    pub read: fn(&dyn Files, &str) -> Result<Imported, Refusal>,
}

/// Every form. The first that a path looks like is taken.
pub const FORMS: &[Form] = &[
    Form { id: "claw", meaning: "an OpenClaw package with CLAW.md", is_at: claw::is_claw, read: claw::import },
    Form {
        id: "openclaw",
        meaning: "an OpenClaw home or workspace",
        is_at: markdown::is_openclaw_home,
        read: markdown::openclaw_home,
    },
    Form { id: "hermes", meaning: "a Hermes home", is_at: markdown::is_hermes_home, read: markdown::hermes_home },
    Form {
        id: "claude-subagent",
        meaning: "a sub-agent of Claude Code",
        is_at: |_, path| path.contains("/.claude/agents/"),
        read: markdown::claude_agent,
    },
    Form {
        id: "claude-output-style",
        meaning: "an output style of Claude Code",
        is_at: |_, path| path.contains("/output-styles/"),
        read: markdown::claude_style,
    },
    Form {
        id: "claude-code",
        meaning: "CLAUDE.md",
        is_at: |files, path| at(files, path, &["CLAUDE.md", "CLAUDE.local.md"]),
        read: markdown::claude_memory,
    },
    Form {
        id: "cursor",
        meaning: ".cursorrules, or a rule in .cursor/rules",
        is_at: |files, path| at(files, path, &[".cursorrules"]) || path.ends_with(".mdc"),
        read: markdown::cursor_rules,
    },
    Form {
        id: "gemini",
        meaning: "GEMINI.md",
        is_at: |files, path| at(files, path, &["GEMINI.md"]),
        read: markdown::gemini_memory,
    },
    Form {
        id: "codex",
        meaning: "AGENTS.md",
        is_at: |files, path| at(files, path, &["AGENTS.md", "AGENTS.override.md"]),
        read: markdown::agents_file,
    },
    Form { id: "crewai", meaning: "agents.yaml of CrewAI", is_at: crewai::is_agents, read: crewai::import },
    Form {
        id: "character-card",
        meaning: "a character card, V2 or V3, as JSON, in a PNG picture or in a `.charx` archive",
        is_at: character_card::is_card,
        read: character_card::import,
    },
    Form { id: "eliza", meaning: "a character of ElizaOS, v1 or v2", is_at: eliza::is_character, read: eliza::import },
];

/// A form by its name.
#[must_use]
pub fn form(id: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.id == id)
}

/// The form that a path looks like.
#[must_use]
pub fn detect(files: &dyn Files, path: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| (form.is_at)(files, path))
}

impl Form {
    /// Reads a file or a folder. Secrets in it are masked, whatever the form.
    ///
    /// # Errors
    /// When the program that the form is of does not accept it.
    pub fn import(&self, files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
        let mut imported = (self.read)(files, path).map_err(|mut refusal| {
            secrets::mask_values(&mut refusal.reading);
            refusal.message = crate::scan::mask_secrets(&refusal.message).into_owned();
            refusal
        })?;
        let read = std::mem::take(&mut imported.files);
        for (path, text) in read {
            let text = secrets::masked(&path, text, &mut imported.left_out);
            imported.files.push((path, text));
        }
        secrets::mask_values(&mut imported.reading);
        let masked = |text: &mut String| *text = crate::scan::mask_secrets(text).into_owned();
        imported.name.iter_mut().for_each(masked);
        imported.notes.iter_mut().for_each(masked);
        imported.left_out.iter_mut().for_each(|left| masked(&mut left.what));
        Ok(imported)
    }
}

/// Whether a path is a file of one of these names, or a folder with one of them.
fn at(files: &dyn Files, path: &str, names: &[&str]) -> bool {
    names.contains(&base_name(path))
        || names.iter().any(|name| bytes(files, &crate::runtimes::join(path, name)).is_ok())
}

/// The bytes of a file; a link is followed.
pub(super) fn bytes(files: &dyn Files, path: &str) -> Result<Vec<u8>, Refusal> {
    match crate::runtimes::followed(files, path).0 {
        Node::File(bytes) | Node::Hardlinked(bytes) => Ok(bytes.into_owned()),
        Node::Missing => Err(Refusal::new(format!("`{}` does not exist", base_name(path)))),
        Node::Folder => Err(Refusal::new(format!("`{}` is a directory", base_name(path)))),
        Node::TooLarge => Err(Refusal::new(format!("`{}` is too large", base_name(path)))),
        Node::Denied | Node::Link(_) => Err(Refusal::new(format!("`{}` cannot be read", base_name(path)))),
    }
}

/// The text of a file, without a byte order mark.
pub(super) fn text(files: &dyn Files, path: &str) -> Result<String, Refusal> {
    let text = String::from_utf8(bytes(files, path)?);
    let text = text.map_err(|_| Refusal::new(format!("`{}` is not UTF-8 text", base_name(path))))?;
    Ok(text.strip_prefix(crate::text::BOM).map(str::to_owned).unwrap_or(text))
}

/// The file itself, or the first of some names in the folder.
pub(super) fn file_of(files: &dyn Files, path: &str, names: &[&str]) -> Result<String, Refusal> {
    if files.node(path) != Node::Folder {
        return Ok(path.to_owned());
    }
    let there = names.iter().map(|name| crate::runtimes::join(path, name)).find(|path| bytes(files, path).is_ok());
    there.ok_or_else(|| Refusal::new(format!("`{}` has no {}", base_name(path), names.join(" or "))))
}
