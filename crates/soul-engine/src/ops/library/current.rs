//! Show which soul of the library is selected, and which one a session without an agent would use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::library::chain::{self, Choice, Wanted};
use crate::library::member::parts;
use crate::library::{Error as LibraryError, SoulId};
use crate::ops::{Error, Hints, Operation};
use crate::seed;
use crate::souls;
use crate::store::{Reason, SkippedSoul, SoulSource};

/// Show which soul of the library is selected, and which one a session without an agent would use.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// The selected soul, and the one that a session would use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LibrarySelection")]
pub struct Response {
    /// Id of the selected soul; absent if none is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_soul_id: Option<SoulId>,
    /// The soul that a session without an agent would use; null if that soul is invalid.
    pub soul: Option<ChosenSoul>,
}

/// The soul that a session would use, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChosenLibrarySoul")]
pub struct ChosenSoul {
    /// Id of the soul.
    pub id: String,
    /// Name of the soul.
    pub name: String,
    /// Why this soul.
    pub reason: Reason,
    /// The souls that come before it and cannot be used, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<SkippedSoul>,
}

impl Operation for Request {
    const NAME: &'static str = "library.current";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        seed::library_if_possible(context.keeper);
        Response::read(context.keeper)
    }
}

impl Response {
    pub(super) fn read(keeper: &Keeper) -> Result<Self, Error> {
        let soul = match chain::choose(keeper, Wanted::Chain) {
            Ok(Choice { soul, source: SoulSource { id, reason, passed_over }, .. }) => {
                let name = parts(&soul).map(|parts| parts.name().to_owned()).unwrap_or_default();
                Some(ChosenSoul { id, name, reason, passed_over })
            }
            // `library.show` reports what is wrong with it.
            Err(LibraryError::Soul(souls::Error::Invalid(_))) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self { selected_soul_id: chain::selected(keeper)?, soul })
    }
}
