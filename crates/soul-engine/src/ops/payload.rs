//! A soul as every transport tells it: what `inspect` shows, and how it stands with the agent.

use serde::{Deserialize, Serialize};
use soul_core::formats::agh::Limits;
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;
use soul_core::scan::Finding;

use super::{Error, inspect};
use crate::Keeper;
use crate::authoring::Applied;
use crate::ids::{RevisionId, SnapshotId};
use crate::settings::ConfigProvenance;
use crate::store::{Party, Revision};
use crate::workspace::{AgentName, Target};

/// A soul and how it stands with its agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Soul {
    /// The agent; none if the soul is one of the library.
    pub agent_name: Option<String>,
    /// Whether souls are in use.
    pub enabled: bool,
    /// What `inspect` shows.
    #[serde(flatten)]
    pub inspected: inspect::Response,
    /// The snapshot that was taken of it.
    pub snapshot_id: Option<SnapshotId>,
    /// The revision that made it so.
    pub revision_id: Option<RevisionId>,
    /// What it is measured by.
    pub limits: Limits,
    /// The settings that hold for it.
    pub config_provenance: ConfigProvenance,
}

/// An agent's soul as it is, valid or not.
///
/// # Errors
/// When there is no such agent.
pub fn inspect(keeper: &Keeper, agent: &AgentName) -> Result<Soul, Error> {
    check(keeper, Some(agent.clone()), None, None)
}

/// A text as if it were an agent's soul, the agent's file as it is, or a text alone; valid or not.
///
/// # Errors
/// When there is no such agent.
pub fn check(
    keeper: &Keeper,
    agent: Option<AgentName>,
    body: Option<String>,
    dialect: Option<Dialect>,
) -> Result<Soul, Error> {
    let target = match (agent.clone(), body) {
        (Some(name), Some(body)) => Target::Proposal(name, body.into_bytes()),
        (Some(name), None) => Target::Agent(name),
        (None, body) => Target::Text(body.unwrap_or_default().into_bytes()),
    };
    let inspected = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
    Ok(Soul::of(keeper, agent.as_ref(), inspected))
}

/// What a change answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Changed {
    /// The soul as it is now.
    pub soul: Soul,
    /// The record of the change.
    pub revision: Revision,
    /// What the scanner found in the text; nothing that stopped it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// What every request for a change brings along.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Authorship {
    /// The digest, canonical or raw, of the soul that the asker has seen.
    pub expected_digest: Option<String>,
    /// The same key twice is the same request.
    pub idempotency_key: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    pub force: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

impl Authorship {
    /// Of somebody who only asks.
    pub(crate) const fn plain(asker: Asker) -> Self {
        Self { expected_digest: None, idempotency_key: None, force: None, asker }
    }
}

/// Who asks, and through what.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asker {
    /// Who.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

impl Soul {
    /// The soul of an agent, or of nobody.
    fn of(keeper: &Keeper, agent: Option<&AgentName>, inspected: inspect::Response) -> Self {
        Self { agent_name: agent.map(|name| name.as_str().to_owned()), ..Self::unnamed(keeper, inspected) }
    }

    /// A soul that was refused, of whichever agent its place is.
    #[must_use]
    pub fn invalid(keeper: &Keeper, inspected: inspect::Response) -> Self {
        let mut place = inspected.source_path.rsplit('/').skip(1);
        let agent_name = place.next().filter(|_| place.next() == Some("agents")).map(str::to_owned);
        Self { agent_name, ..Self::unnamed(keeper, inspected) }
    }

    /// A soul that is nobody's.
    pub(super) fn unnamed(keeper: &Keeper, inspected: inspect::Response) -> Self {
        Self {
            agent_name: None,
            enabled: keeper.settings.soul.enabled,
            inspected,
            snapshot_id: None,
            revision_id: None,
            limits: keeper.settings.soul.limits,
            config_provenance: keeper.settings.soul.provenance(),
        }
    }
}

impl Changed {
    pub(super) fn new(keeper: &Keeper, agent: &AgentName, applied: Applied) -> Self {
        let Applied { soul, revision, findings } = applied;
        let soul = Soul {
            snapshot_id: revision.sealed.snapshot_id.clone(),
            revision_id: Some(revision.sealed.id.clone()),
            ..Soul::of(keeper, Some(agent), soul)
        };
        Self { soul, revision, findings }
    }
}
