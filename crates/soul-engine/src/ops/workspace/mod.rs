//! Workspaces and their records: copies that share one or go on with their own, and records that lost their workspace.

pub mod adopt;
pub mod fork;
pub mod list;
pub mod share;

operations! { adopt, fork, list, share }

use std::path::Path;

use crate::Keeper;
use crate::places;

/// The workspace that a command is about.
fn root(keeper: &Keeper) -> Result<&Path, places::Error> {
    keeper.roots.workspace.as_deref().ok_or(places::Error::NoWorkspace)
}
