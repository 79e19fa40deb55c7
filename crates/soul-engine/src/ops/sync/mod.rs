//! Git sync of souls. Keys of responses are camelCase, as the routes spell them that sync is known by.

pub mod config;
pub mod delete;
pub mod diff;
pub mod discard;
pub mod forget;
pub mod init;
pub mod r#move;
pub mod probe;
pub mod publish;
pub mod pull;
pub mod resolve;
pub mod status;

operations! { config, delete, diff, discard, forget, init, r#move, probe, publish, pull, resolve, status }

use crate::ops::Verdict;
use crate::sync::{ItemId, SyncResult};

/// The items that a request names: one in its path, or several in its body.
fn named(item_id: Option<ItemId>, item_ids: impl IntoIterator<Item = ItemId>) -> Vec<ItemId> {
    item_id.into_iter().chain(item_ids).collect()
}

/// Whether nothing waits for a person.
fn verdict(result: &SyncResult) -> Verdict {
    if result.conflicts.is_empty() { Verdict::Passed } else { Verdict::Conflict }
}
