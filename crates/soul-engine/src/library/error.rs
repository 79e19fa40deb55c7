use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use soul_core::text::shown;

use super::SoulId;
use crate::ops::Kind;

/// Why the library did not do what it was asked.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Error {
    /// The text cannot be an id.
    #[error("{} cannot be the id of a soul", shown(.0))]
    BadId(String),
    /// There is no such soul.
    #[error("there is no soul `{0}` in the library")]
    NotFound(SoulId),
    /// What is to be selected is not there.
    #[error("the soul `{0}` cannot be selected, for the library does not have it")]
    SelectedNotFound(SoulId),
    /// The id is another soul's.
    #[error("the library has a soul with the id `{0}` already")]
    IdTaken(SoulId),
    /// The name is another soul's.
    #[error("the soul `{id}` has the name {} already", shown(.name))]
    NameTaken {
        /// The name.
        name: String,
        /// Whose it is.
        id: SoulId,
    },
    /// A soul needs it.
    #[error("{0} is required and cannot be empty")]
    Required(Cow<'static, str>),
    /// It is too large.
    #[error("{what} has {bytes} bytes, more than {max}")]
    TooLong {
        /// What.
        what: Cow<'static, str>,
        /// How much it is.
        bytes: usize,
        /// How much it may be.
        max: usize,
    },
    /// There is no such page.
    #[error("there is no page {page} of {per_page}")]
    BadPage {
        /// The page.
        page: i64,
        /// How many on each.
        per_page: i64,
    },
    /// The soul is in use.
    #[error("the soul `{0}` is selected")]
    Selected(SoulId),
    /// The soul is what everything falls back to.
    #[error("the soul `{0}` is taken whenever no other is selected")]
    Default(SoulId),
    /// The frontmatter does not let itself be edited.
    #[error("the frontmatter of `{0}` is written in a way that cannot be changed in place")]
    NotEditable(SoulId),
    /// Another writer has the library.
    #[error("the library is being changed by another program")]
    Locked,
    /// The file is too large to be taken into the record before it is replaced.
    #[error("the file of the soul `{0}` is larger than 1 MiB and cannot be taken into the record")]
    TooLargeToAdopt(SoulId),
    /// Somebody else took the change off the record while it was made.
    #[error("another keeper changed the record of the soul `{0}` while this was written")]
    Displaced(SoulId),
    /// The folder cannot be used.
    #[error("the library at `{0}` could not be used: {1}")]
    Unusable(String, String),
}

impl Error {
    /// What kind of failure it is, and the stable name of it.
    pub(crate) const fn told(&self) -> (Kind, &'static str) {
        match self {
            Self::BadId(_) => (Kind::Usage, "bad_soul_id"),
            Self::Required(_) => (Kind::Usage, "field_required"),
            Self::TooLong { .. } => (Kind::Usage, "field_too_long"),
            Self::BadPage { .. } => (Kind::Usage, "bad_page"),
            Self::NotFound(_) => (Kind::NotFound, "soul_not_found"),
            Self::SelectedNotFound(_) => (Kind::NotFound, "selected_soul_not_found"),
            Self::IdTaken(_) => (Kind::Conflict, "soul_id_taken"),
            Self::NameTaken { .. } => (Kind::Conflict, "soul_name_taken"),
            Self::Selected(_) => (Kind::Conflict, "soul_selected"),
            Self::Default(_) => (Kind::Conflict, "soul_default"),
            Self::NotEditable(_) => (Kind::Invalid, "soul_not_editable"),
            Self::Locked => (Kind::Unable, "library_locked"),
            Self::TooLargeToAdopt(_) => (Kind::Unable, "too_large_to_adopt"),
            Self::Displaced(_) => (Kind::Unable, "displaced"),
            Self::Unusable(..) => (Kind::Unable, "library_unusable"),
        }
    }
}
