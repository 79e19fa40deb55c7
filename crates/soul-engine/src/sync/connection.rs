//! Where souls are synced, and whether it can be reached.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use super::repository::{identity, reach};
use super::state::{Home, State};
use crate::Keeper;

/// Where souls are synced.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncConfig {
    /// Whether a remote was named.
    pub enabled: bool,
    /// The remote, without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The folder of the repository: always its root.
    pub path: String,
    /// Whether souls of agents are synced too.
    pub agents: bool,
    /// Whether changes can be published: if a remote was named.
    pub push_enabled: bool,
    /// What `[sync]` asks the service to do by itself.
    pub auto_sync: SyncSchedule,
    /// Who commits. Absent if no remote was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<SyncCommitter>,
}

/// What the service does by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncSchedule {
    /// Whether it syncs by itself.
    pub enabled: bool,
    /// Whether it syncs when it starts.
    pub on_startup: bool,
    /// Seconds between two syncs; 0 if there is no interval.
    pub interval: u64,
    /// Seconds after a change until it is published; absent if changes are not published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_change: Option<u64>,
}

/// Who commits: as git knows the user, or the program itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncCommitter {
    /// The name.
    pub author_name: String,
    /// The address.
    pub author_email: String,
}

/// Whether a remote can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncProbe {
    /// Whether it answered.
    pub success: bool,
    /// What it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Where souls are synced.
pub(crate) fn config(keeper: &Keeper) -> Result<SyncConfig, Error> {
    let settings = &keeper.settings.sync;
    let auto_sync = SyncSchedule {
        enabled: settings.is_automatic(),
        on_startup: settings.on_start,
        interval: settings.interval.map_or(0, |interval| interval.as_secs()),
        on_change: settings.on_change.map(|delay| delay.as_secs()),
    };
    let Some(state) = state(keeper)? else { return Ok(SyncConfig { auto_sync, ..SyncConfig::default() }) };
    Ok(SyncConfig {
        enabled: true,
        repository: Some(state.repository.to_string()),
        branch: Some(state.branch.to_string()),
        path: String::new(),
        agents: state.agents,
        push_enabled: true,
        auto_sync,
        commit: identity().ok().and_then(|known| committer(&known)),
    })
}

/// Asks the remote for its branch.
pub(crate) fn probe(keeper: &Keeper) -> Result<SyncProbe, Error> {
    let answered = match state(keeper)? {
        Some(state) => reach(&state.repository, &state.branch).map(|has_branch| match has_branch {
            true => format!("connected with `{}`", state.repository),
            false => format!("connected with `{}`, which has no branch `{}` yet", state.repository, state.branch),
        }),
        None => Err(Error::NotConfigured),
    };
    Ok(match answered {
        Ok(message) => SyncProbe { success: true, message: Some(message), error: None },
        Err(error) => SyncProbe { success: false, message: None, error: Some(error.to_string()) },
    })
}

fn state(keeper: &Keeper) -> Result<Option<State>, Error> {
    match keeper.home() {
        Some(_) => Home::souls(keeper)?.load(),
        None => Ok(None),
    }
}

/// `Name <address>` in two.
fn committer(known: &str) -> Option<SyncCommitter> {
    let (name, address) = known.strip_suffix('>')?.rsplit_once(" <")?;
    Some(SyncCommitter { author_name: name.to_owned(), author_email: address.to_owned() })
}
