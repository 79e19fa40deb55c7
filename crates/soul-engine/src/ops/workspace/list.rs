//! List the records of workspaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::caller::Grant;
use crate::clock::Time;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation};
use crate::places;
use crate::store::{Place, ScopeRecord, Store};
use crate::workspace::Presence;

/// List the records of all workspaces, the last changed first, with the directories that use each. One that no
/// directory uses has lost its workspace; `workspace.adopt` reconnects it.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The records of all workspaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceList")]
pub struct Response {
    /// The records.
    pub workspaces: Vec<Entry>,
}

/// The record of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceEntry")]
pub struct Entry {
    /// Its id.
    pub scope: String,
    /// Whether the workspace of this request has it.
    pub here: bool,
    /// The directories that use it, by the last parts of their paths; this one is `.`. Empty if all are gone.
    pub places: Vec<String>,
    /// Where it was last used, if all directories are gone and one was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_place: Option<String>,
    /// Its agents.
    pub agents: Vec<String>,
    /// How many revisions it has of its own.
    pub revisions: usize,
    /// When it last changed.
    pub last_change: Option<Time>,
}

impl Operation for Request {
    const NAME: &'static str = "workspace.list";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let Some(store) = keeper.existing_store()? else { return Ok(Response { workspaces: Vec::new() }) };
        let mut workspaces = Vec::new();
        for record in store.scopes()? {
            let entry = entry(keeper, store, record)?;
            // A fork that was never completed, or never changed before it was deleted, holds nothing of its own.
            if entry.revisions > 0 || !entry.places.is_empty() {
                workspaces.push(entry);
            }
        }
        workspaces.sort_by(|a, b| b.last_change.cmp(&a.last_change).then_with(|| a.scope.cmp(&b.scope)));
        Ok(Response { workspaces })
    }
}

pub(in crate::ops) fn entry(keeper: &Keeper, store: &dyn Store, record: ScopeRecord) -> Result<Entry, Error> {
    let ScopeRecord { scope, souls, revisions, last_change } = record;
    let here = keeper.roots.workspace_scope().is_some_and(|id| id == scope);
    let known = store.places(&scope)?;
    let shown = |place: &Place| places::shown(keeper, place);
    let is_live = |place: &&Place| place.location.presence(&scope) != Presence::Gone;
    let mut places: Vec<String> = known.iter().filter(is_live).map(shown).collect();
    if here && places.is_empty() {
        places.push(".".to_owned());
    }
    let last_place = if places.is_empty() { known.last().map(shown) } else { None };
    let agents = souls.into_iter().map(|soul| soul_core::text::visible(&soul.name)).collect();
    Ok(Entry { scope, here, places, last_place, agents, revisions, last_change })
}
