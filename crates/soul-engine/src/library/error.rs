use soul_core::text::shown;

use crate::authoring;
use crate::fault::{Fault, Kind};
use crate::souls;
use crate::store;
use crate::workspace::SoulId;

/// Why the library did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The soul to select does not exist.
    #[error("cannot select the soul `{0}`: it is not in the library")]
    SelectedNotFound(SoulId),
    /// The id belongs to another soul.
    #[error("the library already has a soul with the id `{0}`")]
    IdTaken(SoulId),
    /// The name belongs to another soul.
    #[error("the soul `{id}` already has the name {}", shown(.name))]
    NameTaken {
        /// The name.
        name: String,
        /// The soul that has it.
        id: SoulId,
    },
    /// A field that must not be empty.
    #[error("{0} is required and cannot be empty")]
    Required(&'static str),
    /// A field that is too large.
    #[error("{what} has {bytes} bytes, more than {max}")]
    TooLong {
        /// The field.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// The largest size.
        max: usize,
    },
    /// There is no such page.
    #[error("invalid page {page} with {per_page} souls per page")]
    BadPage {
        /// The page.
        page: i64,
        /// How many souls on each.
        per_page: i64,
    },
    /// The soul is selected.
    #[error("the soul `{0}` is selected")]
    Selected(SoulId),
    /// The soul is the one that everything falls back to.
    #[error("the soul `{0}` is the default, which is used when no other is selected")]
    Default(SoulId),
    /// The frontmatter cannot be edited in place.
    #[error("the frontmatter of `{0}` cannot be edited in place")]
    NotEditable(SoulId),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The soul was not changed.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::SelectedNotFound(_) => (
                Kind::Dangling,
                "selected_soul_not_found",
                "`soul library list` lists the souls; `soul library history ID` shows a deleted one",
            ),
            Self::IdTaken(_) => (Kind::Conflict, "soul_id_taken", "choose another id, or leave it out"),
            Self::NameTaken { .. } => (
                Kind::Conflict,
                "soul_name_taken",
                "choose another name, or change that soul with `soul library update`",
            ),
            Self::Required("content") => (Kind::Usage, "field_required", "give `content`"),
            Self::Required(_) => (Kind::Usage, "field_required", "give it a value"),
            Self::TooLong { .. } => (Kind::Usage, "field_too_long", "a soul is a few pages of text; shorten it"),
            Self::BadPage { .. } => (Kind::Usage, "bad_page", "pages start at 1 and have at most 200 souls"),
            Self::Selected(_) => (Kind::Conflict, "soul_selected", "select another first, or give `force`"),
            Self::Default(_) => (
                Kind::Conflict,
                "soul_default",
                "give `force` to delete it anyway; sessions then use the built-in soul",
            ),
            Self::NotEditable(_) => {
                (Kind::Invalid, "soul_not_editable", "write `name` and `description` on lines of their own in the file")
            }
            Self::Soul(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}
