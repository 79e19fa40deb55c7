//! Show one soul of the library, with its content.

use super::Soul;
use crate::Keeper;
use crate::authoring::recover_if_idle;
use crate::library::SoulId;
use crate::library::member::{Member, key};
use crate::ops::{Error, Grant};
use serde::{Deserialize, Serialize};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Its id.
    pub id: SoulId,
}

/// Reads the soul from its file.
///
/// # Errors
/// When there is none, or it is invalid.
pub fn run(keeper: &Keeper, request: Request) -> Result<Soul, Error> {
    let member = Member::existing(keeper, request.id)?;
    recover_if_idle(keeper, &member, &key(&member.id))?;
    let soul = member.now(keeper);
    Soul::new(member.id, soul)
}
