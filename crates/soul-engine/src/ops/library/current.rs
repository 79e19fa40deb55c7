//! Which soul of the library is selected, and which one a session without an agent would take.

use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::library::SoulId;
use crate::library::chain::{self, Wanted};
use crate::library::member::parts;
use crate::ops::{Error, Grant};
use crate::store::{Reason, SkippedSoul, SoulSource};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Nothing is to be said.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Request {}

/// What is selected and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The soul that is selected, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_soul_id: Option<SoulId>,
    /// The soul that a session would take; none if the one that it would take is invalid.
    pub soul: Option<Taken>,
}

/// A soul that would be taken, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Why it.
    pub reason: Reason,
    /// Those that came before it, and why they would not be taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<SkippedSoul>,
}

/// Follows the chain.
///
/// # Errors
/// When the library cannot be read.
pub fn run(keeper: &Keeper) -> Result<Response, Error> {
    let soul = match chain::take(keeper, Wanted::Chain) {
        Ok(chain::Taken { soul, source: SoulSource { id, reason, passed_over }, .. }) => {
            let name = parts(&soul).map(|parts| parts.name().to_owned()).unwrap_or_default();
            Some(Taken { id, name, reason, passed_over })
        }
        // That is told by whoever looks at the soul itself.
        Err(Error::Invalid(_)) => None,
        Err(error) => return Err(error),
    };
    Ok(Response { selected_soul_id: chain::selected(keeper)?, soul })
}
