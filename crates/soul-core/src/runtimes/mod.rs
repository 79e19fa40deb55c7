//! What other programs make of a soul's files: one folder a runtime, with facts as data and a small emulator.
//!
//! An emulator takes files, a kind of session and settings, and returns what the model is given, byte for byte, and
//! what it is not given and why. It never touches a disk; [`Files`] brings what it asks for. Where the behaviour was
//! recorded from the running program, the cases are in `conformance/runtimes`.

mod agentos;
mod agh;
mod cantus;
mod claude_code;
mod claude_output_style;
mod claude_subagent;
pub mod codex;
mod cursor;
mod dagu;
mod facts;
mod files;
mod frontmatter;
pub mod gemini;
pub mod hermes;
pub mod openclaw;
mod projected;
mod report;
mod settings;
mod soul;
mod traced;
mod units;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
pub use files::{Files, Node, Tree};
pub(crate) use files::{base_name, followed, is_within, join, parent, real_path, upwards};
pub(crate) use report::frontmatter_end;
pub use report::{Authored, LostLimit, NOT_READ, Section, report};
pub use settings::Settings;
pub use traced::{Piece, Traced};
pub(crate) use units::js_trim;

/// Every runtime.
pub const RUNTIMES: &[Runtime] = &[
    openclaw::RUNTIME,
    hermes::RUNTIME,
    claude_code::RUNTIME,
    claude_output_style::RUNTIME,
    claude_subagent::RUNTIME,
    codex::RUNTIME,
    gemini::RUNTIME,
    cursor::RUNTIME,
    agh::RUNTIME,
    agentos::RUNTIME,
    cantus::RUNTIME,
    dagu::RUNTIME,
    soul::RUNTIME,
];

/// A runtime by its name.
#[must_use]
pub fn runtime(id: &str) -> Option<&'static Runtime> {
    RUNTIMES.iter().find(|runtime| runtime.id == id)
}

/// A session that is about to start.
#[derive(Clone)]
pub struct Session<'a> {
    /// The files of the machine.
    pub files: &'a dyn Files,
    /// The folder that the runtime works with, as an absolute path.
    pub root: String,
    /// The kind of session, one of the runtime's.
    pub kind: &'static str,
    /// The version, one of the runtime's.
    pub version: &'static str,
    /// The model's context window in tokens, which some limits depend on.
    pub window: Option<u64>,
    /// Settings by the runtime's own names.
    pub settings: &'a Settings,
}

/// Whether a part of a file reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DeliveryState", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The model is given it.
    Delivered,
    /// Part of it was cut off at a limit.
    Cut,
    /// It is not injected.
    Dropped,
    /// It was replaced, because the runtime distrusts or cannot read it.
    Blocked,
}

impl State {
    /// The spelling in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Cut => "cut",
            Self::Dropped => "dropped",
            Self::Blocked => "blocked",
        }
    }
}

/// Why text of a file is not delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The number of the file.
    pub file: usize,
    /// The bytes that it explains; `None` for whatever of the file is not delivered.
    pub range: Option<Range<usize>>,
    /// What happened.
    pub state: State,
    /// The rule, one of the runtime's.
    pub rule: &'static str,
    /// The reason, with figures.
    pub reason: String,
}

impl Loss {
    /// The reason for whatever of a file is not delivered.
    #[must_use]
    pub fn file(file: usize, state: State, rule: &'static str, reason: impl Into<String>) -> Self {
        Self { file, range: None, state, rule, reason: reason.into() }
    }
}

/// A file as it is injected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injected {
    /// The path as the runtime prints it.
    pub path: String,
    /// What is injected of it.
    pub content: Traced,
}

/// What the model is given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivery {
    /// The files, in the runtime's order.
    pub files: Vec<Injected>,
    /// The whole text.
    pub text: Traced,
    /// The runtime's own warnings, in its words.
    pub warnings: Vec<String>,
    /// The paths of the files that were read, by number.
    pub sources: Vec<String>,
    /// Why text is not delivered; a part without one was not read.
    pub losses: Vec<Loss>,
    /// Parts of files that the text states in other words.
    pub also: Vec<(usize, Range<usize>)>,
}

/// Numbers for the files that an emulator reads.
#[derive(Debug, Clone, Default)]
pub struct Sources(Vec<String>);

impl Sources {
    /// The number of a file.
    pub fn number(&mut self, path: &str) -> usize {
        match self.0.iter().position(|known| known == path) {
            Some(number) => number,
            None => {
                self.0.push(path.to_owned());
                self.0.len() - 1
            }
        }
    }

    /// The paths, by number.
    #[must_use]
    pub fn paths(self) -> Vec<String> {
        self.0
    }
}
