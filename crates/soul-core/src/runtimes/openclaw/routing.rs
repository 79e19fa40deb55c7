//! Whether a session is asked to work through BOOTSTRAP.md, the file of a workspace that is still new.

use super::budget::BootstrapFile;
use crate::runtimes::units::js_trim;

/// What decides about BOOTSTRAP.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// Whether the workspace is recorded as not set up.
    pub pending: bool,
    /// `user` and `manual` are interactive; `cron` and `heartbeat` are not.
    pub trigger: &'a str,
    /// `default`, `cron` or `heartbeat`.
    pub run_kind: &'a str,
    /// Whether it is neither a sub-agent nor a client protocol session.
    pub primary: bool,
    /// Whether the session works in the agent's own workspace.
    pub canonical: bool,
    /// Whether the session can read files.
    pub file_access: bool,
}

/// How a session is asked to handle BOOTSTRAP.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing, and the file is withheld.
    None,
    /// That it is pending; the file is withheld.
    Limited,
    /// To follow it; the file is injected.
    Full,
}

impl Mode {
    /// The runtime's own name for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Limited => "limited",
            Self::Full => "full",
        }
    }
}

/// Decides for one run and the files that were loaded for it.
#[must_use]
pub fn route(run: &Run<'_>, files: &[BootstrapFile]) -> Mode {
    let has_content = files.iter().any(|file| {
        file.name == "BOOTSTRAP.md" && file.content.as_ref().is_some_and(|text| !js_trim(text.as_str()).is_empty())
    });
    let interactive = matches!(run.trigger, "user" | "manual");
    if !(run.pending || has_content) || matches!(run.run_kind, "heartbeat" | "cron") || !run.primary || !interactive {
        Mode::None
    } else if run.canonical && (run.file_access || has_content) {
        Mode::Full
    } else {
        Mode::Limited
    }
}
