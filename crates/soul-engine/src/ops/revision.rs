use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::Digest;

use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::store::{Revision, Sealed};
use crate::workspace::{AgentName, Kind, SoulId, SoulKey};

/// A recorded change of a soul, and the file that it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedRevision {
    /// What the chain covers.
    #[serde(flatten)]
    pub sealed: Sealed,
    /// The hash chain up to this revision.
    pub chain: Digest,
    /// The agent; `null` for a soul of the library.
    pub agent_name: Option<String>,
    /// The soul's file as it is called now, relative to the workspace or the home. The record does not hold it:
    /// directories move.
    pub source_path: String,
}

impl RecordedRevision {
    /// A revision of the soul in this file.
    pub(super) fn new(revision: Revision, source_path: String) -> Self {
        let Revision { sealed, chain, .. } = revision;
        let agent_name = (sealed.kind == Kind::Agent).then(|| sealed.agent.clone());
        Self { sealed, chain, agent_name, source_path }
    }
}

/// The file of a soul as users see it, also if the soul is gone.
pub(super) fn source_path(keeper: &Keeper, key: &SoulKey) -> String {
    let path = match key.kind {
        Kind::Agent => key.name.parse::<AgentName>().ok().and_then(|name| {
            let directory = keeper.roots.agent_path_in(&keeper.settings.discovery, &key.scope, &name)?;
            Some(directory.join(SOUL_FILE))
        }),
        Kind::Library => {
            key.name.parse::<SoulId>().ok().and_then(|id| Some(keeper.library_path().ok()?.join(id.file())))
        }
    };
    path.map_or_else(String::new, |path| keeper.roots.shown(&path))
}
