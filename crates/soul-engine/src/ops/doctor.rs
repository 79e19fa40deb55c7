//! Check the keeper's home, configuration, record, souls and sessions, and say what to do about each problem.

mod configuration;
pub(super) mod home;
mod record;
mod sessions;
mod souls;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::settings::Setting;
use crate::store;

/// Check the keeper's home, configuration, record, souls and sessions. Changes nothing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// What was checked, and what is wrong.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DoctorReport")]
pub struct Response {
    /// Whether nothing is broken.
    pub ok: bool,
    /// Each check, group by group.
    pub checks: Vec<Check>,
    /// Every setting that is not a default, and the file that it comes from.
    pub settings: Vec<PlacedSetting>,
}

/// A setting, and where it is set.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PlacedSetting {
    /// The setting.
    #[serde(flatten)]
    pub setting: Setting,
    /// The file that sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of that file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// One check.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DoctorCheck")]
pub struct Check {
    /// What the check belongs to.
    pub group: Group,
    /// What was checked.
    pub name: Cow<'static, str>,
    /// The result.
    pub status: Health,
    /// The result in a sentence.
    pub message: String,
    /// What to do, if anything.
    pub help: Option<String>,
    /// The agent that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

/// What a check belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "DoctorGroup")]
pub enum Group {
    /// The home directory and the socket in it.
    Home,
    /// `config.toml` of the home and of the workspace.
    Configuration,
    /// The store, its revisions, and the workspaces that they belong to.
    Record,
    /// The souls of agents and of the library.
    Souls,
    /// Live sessions.
    Sessions,
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "CheckStatus")]
pub enum Health {
    /// Fine.
    Ok,
    /// Works, but needs attention.
    Warning,
    /// A problem that must be fixed.
    Broken,
}

impl Group {
    fn ok(self, name: &'static str, message: impl Into<String>) -> Check {
        self.check(name, Health::Ok, message.into(), None)
    }

    fn warning(self, name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Check {
        self.check(name, Health::Warning, message.into(), Some(help.into()))
    }

    fn broken(self, name: &'static str, message: impl Into<String>, help: impl Into<String>) -> Check {
        self.check(name, Health::Broken, message.into(), Some(help.into()))
    }

    /// A store that could not be used, with what helps against that.
    fn unusable(self, name: &'static str, error: &store::Error) -> Check {
        let help = match error {
            store::Error::Damaged(_) => RESTORE.to_owned(),
            error => error.fault().hint.unwrap_or_default().into_owned(),
        };
        self.broken(name, error.to_string(), help)
    }

    fn check(self, name: &'static str, status: Health, message: String, help: Option<String>) -> Check {
        Check { group: self, name: name.into(), status, message, help, agent: None }
    }
}

impl Check {
    fn about(self, agent: &str) -> Self {
        Self { agent: Some(agent.to_owned()), ..self }
    }
}

impl Operation for Request {
    const NAME: &'static str = "doctor";
    const HINTS: Hints = Hints::READ.slow();
    const NEEDS_SETTINGS: bool = false;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// What is broken is part of the answer, never an error.
    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let mut checks = home::check(context);
        checks.extend(configuration::check(keeper));
        let store = keeper.existing_store();
        checks.extend(record::check(context, store.as_ref()));
        let store = store.ok().flatten();
        checks.extend(souls::check(context, store)?);
        checks.extend(sessions::check(keeper));
        let ok = checks.iter().all(|check| check.status != Health::Broken);
        Ok(Response { ok, checks, settings: configuration::shown(keeper) })
    }

    fn verdict(response: &Response) -> Verdict {
        if response.ok { Verdict::Passed } else { Verdict::Failed }
    }
}

const RESTORE: &str = "stop the service, and run `soul restore-backup FILE` with a backup; the souls themselves are in \
    their files and are safe";

fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
