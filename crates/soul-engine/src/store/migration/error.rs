use crate::fault::{Fault, Kind};
use crate::store::{Error, StoreUrl};

/// Why a store was not migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// Both URLs are of one store.
    #[error("the source and the target are the same store")]
    Same,
    /// Two files in one folder that differ in their extension only.
    #[error("the source and the target differ only in their extension, and would share a lock and a mark")]
    SharedName,
    /// There is nothing at this place.
    #[error("there is no store at `{0}`")]
    NoSource(StoreUrl),
    /// The folder of the target does not exist.
    #[error("the folder of `{0}` does not exist")]
    NoFolder(StoreUrl),
    /// An earlier migration into the source was not finished.
    #[error("the source is incomplete: a migration into it was not finished")]
    UnfinishedSource,
    /// The target has rows that are not of a migration.
    #[error("the target is not empty: `{0}` has rows")]
    NotEmpty(&'static str),
    /// The target is what a migration of the source would make.
    #[error("the target already holds this store")]
    AlreadyThere,
    /// A migration of another store into the target was not finished.
    #[error("the target holds part of another store, whose migration was not finished")]
    OtherUnfinished,
    /// Rows of this table are not what was copied.
    #[error("the copy of `{0}` differs from the source")]
    Differs(&'static str),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl MigrationError {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::Same => (Kind::Usage, "same_store", "give the URLs of two different stores"),
            Self::SharedName => (Kind::Usage, "same_store", "choose another name or folder for the target"),
            Self::NoSource(_) => (Kind::NotFound, "not_found", "`soul store info` shows where the store is"),
            Self::NoFolder(_) => (Kind::Unable, "io", "create the folder first, or choose one that exists"),
            Self::UnfinishedSource => {
                (Kind::Conflict, "store_unfinished", "finish that migration first: run it again with the same URLs")
            }
            Self::NotEmpty(_) | Self::OtherUnfinished => {
                (Kind::Conflict, "target_not_empty", "choose an empty database, or a file that does not exist yet")
            }
            Self::AlreadyThere => (
                Kind::Conflict,
                "already_migrated",
                "set `[store] url` in config.toml to use it, or choose an empty target for another copy",
            ),
            Self::Differs(_) => {
                (Kind::Unable, "migration_failed", "make sure that nobody uses the target, and run the command again")
            }
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}
