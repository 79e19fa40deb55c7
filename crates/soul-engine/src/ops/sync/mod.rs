//! Git sync of souls. Keys of responses are camelCase, as the routes spell them that sync is known by.

pub mod delete;
pub mod diff;
pub mod discard;
pub mod forget;
pub mod init;
pub mod r#move;
pub mod publish;
pub mod pull;
pub mod resolve;
pub mod status;

operations! { delete, diff, discard, forget, init, r#move, publish, pull, resolve, status }

use crate::ops::Verdict;
use crate::sync::SyncResult;

/// Whether nothing waits for a person.
fn verdict(result: &SyncResult) -> Verdict {
    if result.conflicts.is_empty() { Verdict::Passed } else { Verdict::Conflict }
}
