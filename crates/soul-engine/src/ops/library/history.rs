//! Who changed a soul of the library, when, and to what.

use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::library::member::{Member, key};
use crate::library::{Error as LibraryError, SoulId};
use crate::ops::history::{Page, Response};
use crate::ops::{Error, Grant};
use serde::{Deserialize, Serialize};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Whose history, and which part of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The soul.
    pub id: SoulId,
    /// The most revisions.
    pub limit: usize,
    /// Where the last page ended.
    pub cursor: Option<String>,
    /// Whether the texts are wanted too.
    pub bodies: bool,
    /// Whether what changed is wanted too.
    pub diffs: bool,
}

/// Reads a page of a soul's history. One that is gone still has one.
///
/// # Errors
/// When there is no such soul and never was, or the store does not answer.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { id, limit, cursor, bodies, diffs } = request;
    let key = key(&id);
    let member = Member::open(keeper, id.clone())?;
    if let Some(member) = &member {
        recover_if_idle(keeper, member, &key)?;
    }
    let is_there = member.is_some_and(|member| member.now(keeper).present);
    let had_past = || keeper.existing_store()?.map_or(Ok(None), |store| store.tail(&key).map(|tail| tail.last));
    if !is_there && had_past()?.is_none() {
        return Err(LibraryError::NotFound(id).into());
    }
    Page { limit, cursor, bodies, diffs }.of(keeper, Some(&key))
}
