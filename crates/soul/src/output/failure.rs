use std::io;
use std::process::ExitCode;

use serde_json::{Value, json};
use soul_engine::{ops, settings};

use super::style::{ERROR, HINT};
use super::terminal;

/// Why a command did not do what it was asked: a stable code, a sentence, the next step.
#[derive(Debug)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
    hint: Option<String>,
    exit: u8,
    /// What stands before the sentence on a terminal, and in the error object in JSON.
    detail: Option<Box<Detail>>,
}

#[derive(Debug)]
struct Detail {
    text: String,
    json: Value,
}

impl Failure {
    pub(crate) fn message(code: &'static str, message: &str, exit: u8) -> Self {
        Self { code, message: message.to_owned(), hint: None, exit, detail: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn io(what: &str, error: &io::Error) -> Self {
        Self::message("io", &format!("{what} could not be used: {}", soul_engine::files::plain(error)), 5)
    }

    /// clap's own message, without its prefix: it names the option and suggests others.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let rest = rest
            .replace("\n\nFor more information, try '--help'.", "")
            .replace("For more information, try '--help'.", "");
        let rest = rest.trim().strip_prefix("tip: ").unwrap_or(rest.trim());
        let hint = if rest.is_empty() { "try `--help`" } else { rest };
        Self::message("usage", message.trim_end(), 2).hint(hint)
    }

    pub(super) fn exit(&self) -> ExitCode {
        ExitCode::from(self.exit)
    }

    pub(super) fn text(&self) -> String {
        let detail = self.detail.as_ref().map_or("", |detail| &detail.text);
        let gap = if detail.is_empty() { "" } else { "\n" };
        let mut text = format!("{detail}{gap}{ERROR}error{ERROR:#}: {}\n", self.message);
        if let Some(hint) = &self.hint {
            text.push_str(&format!("{HINT}hint{HINT:#}: {hint}\n"));
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let (Some(hint), Some(error)) = (&self.hint, error.as_object_mut()) {
            error.insert("hint".into(), hint.as_str().into());
        }
        if let (Some(Value::Object(detail)), Some(error)) =
            (self.detail.as_ref().map(|detail| &detail.json), error.as_object_mut())
        {
            error.extend(detail.clone());
        }
        format!("{:#}\n", json!({ "schema": "soul.error/1", "error": error }))
    }
}

impl From<ops::Error> for Failure {
    fn from(error: ops::Error) -> Self {
        let message = error.to_string();
        match error {
            ops::Error::NotFound(_) => Self::message("not_found", &message, 4).hint("give a file, an agent's directory or name, or `-` for standard input"),
            ops::Error::NoSoul(_) => Self::message("not_found", &message, 4).hint("an agent's directory has a SOUL.md; `soul validate` checks every soul below a folder"),
            ops::Error::NoPackage(_) => Self::message("not_found", &message, 4).hint("a package is a folder with a `soul.json`"),
            ops::Error::CannotMigrate(_) => Self::message("cannot_migrate", &message, 1).hint("choose the same version, or a later one"),
            ops::Error::Unreadable(..) => Self::message("io", &message, 5).hint("check the path and its permissions"),
            ops::Error::BadRules(..) => {
                Self::message("bad_rules", &message, 5).hint("nothing was scanned: a rule that cannot run is no pass")
            }
            ops::Error::BadBaseline(..) => {
                Self::message("bad_baseline", &message, 5).hint("make one with `soul scan --write-baseline FILE`")
            }
            ops::Error::NoRule(_) => Self::message("not_found", &message, 4).hint("`soul rule` lists them all"),
            ops::Error::AgentNotFound(name) => Self::message("agent_not_found", &message, 4).hint(format!(
                "agents live in `.soul/agents/{name}` of a workspace or `agents/{name}` of the home; for a file, type its path"
            )),
            ops::Error::AgentUnreadable(..) => {
                Self::message("path_escape", &message, 5).hint("an agent's directory is no link to elsewhere")
            }
            ops::Error::BadName(_) => {
                Self::message("bad_agent_name", &message, 2).hint("a name has 1 to 128 bytes and no slash; for a path, begin with `./`")
            }
            ops::Error::Unwritable(..) => {
                Self::message("io", &message, 5).hint("check the permissions of the file and its directory")
            }
            ops::Error::Unlistable(..) => Self::message("io", &message, 5).hint("check the permissions of the folder"),
            ops::Error::Invalid(response) => {
                let hint = "mend the errors above; an invalid soul never reaches a model";
                let json = json!({ "diagnostics": response.diagnostics });
                let detail = Detail { text: terminal::diagnostics(&response), json };
                Self { detail: Some(Box::new(detail)), ..Self::message("soul_invalid", &message, 1).hint(hint) }
            }
        }
    }
}

impl From<settings::Error> for Failure {
    fn from(error: settings::Error) -> Self {
        let exit = if matches!(error, settings::Error::Unreadable(_)) { 5 } else { 2 };
        Self::message("bad_config", &error.to_string(), exit)
            .hint("mend `config.toml` in the home, or choose another home with `--home`")
    }
}
