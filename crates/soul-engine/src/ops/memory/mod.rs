//! An agent's memory: search it, read it, add to it and forget.

pub mod add;
pub mod detail;
pub mod forget;
pub mod init;
pub mod pull;
pub mod push;
pub mod search;
pub mod status;
pub mod sync;

operations! { add, detail, forget, init, pull, push, search, status, sync }

use crate::Keeper;
use crate::fields::Moment;

/// What progress is reported in while an index is brought up to date.
const INDEXED: &str = "files indexed";

/// The time of a request, in seconds since 1970: the one that it names, or now.
fn seconds(keeper: &Keeper, named: Option<Moment>) -> i64 {
    named.map_or_else(|| keeper.now().seconds(), |moment| moment.0.as_second())
}
