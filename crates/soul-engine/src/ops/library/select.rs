//! Select the soul that is taken by whoever brings none.

use super::current;
use crate::Keeper;
use crate::library::member::Member;
use crate::library::{Error as LibraryError, SoulId};
use crate::ops::payload::Asker;
use crate::ops::{Error, Grant};
use serde::{Deserialize, Serialize};

/// It changes what is remembered.
pub const GRANT: Grant = Grant::Write;

/// Which soul.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Its id; none goes back to `default`.
    pub id: Option<SoulId>,
    /// Who asks.
    pub asker: Asker,
}

/// Selects the soul.
///
/// # Errors
/// When there is no such soul, it is invalid, or it could not be done; then the one before stays selected.
pub fn run(keeper: &Keeper, request: Request) -> Result<current::Response, Error> {
    let Asker { actor, origin } = &request.asker;
    if let Some(id) = request.id {
        let missing = || LibraryError::SelectedNotFound(id.clone());
        let member = Member::open(keeper, id.clone())?.ok_or_else(missing)?;
        // Nobody takes it away in between.
        let _lock = member.hold(keeper)?;
        let now = member.now(keeper);
        if !now.present {
            return Err(missing().into());
        }
        if !now.valid {
            return Err(Error::Invalid(Box::new(now)));
        }
        keeper.store()?.select_soul(Some(id.as_str()), actor, origin, keeper.now())?;
    } else {
        keeper.store()?.select_soul(None, actor, origin, keeper.now())?;
    }
    current::run(keeper)
}
