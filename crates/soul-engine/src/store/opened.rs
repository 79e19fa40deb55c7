//! A store on whatever engine its URL names.

use std::path::Path;

#[cfg(feature = "postgres")]
use super::Postgres;
use super::sql::Engine;
use super::{Error, Sqlite, Store, StoreUrl, migration};

/// An open store.
#[cfg_attr(feature = "postgres", expect(clippy::large_enum_variant, reason = "one or two of them in a process"))]
pub(super) enum Opened {
    Sqlite(Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

/// Does the same with either engine.
macro_rules! on_engine {
    ($opened:expr, $engine:ident => $work:expr) => {
        match $opened {
            $crate::store::opened::Opened::Sqlite($engine) => $work,
            #[cfg(feature = "postgres")]
            $crate::store::opened::Opened::Postgres($engine) => $work,
        }
    };
}
pub(super) use on_engine;

impl Opened {
    /// Opens the store of a keeper; it is made if it is not there.
    pub(super) fn open(url: &StoreUrl, home: &Path) -> Result<Self, Error> {
        match url {
            StoreUrl::Sqlite(path) => Sqlite::open(path).map(Self::Sqlite),
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(url) => Postgres::open(url, home).map(Self::Postgres),
            #[cfg(not(feature = "postgres"))]
            StoreUrl::Postgres(_) => Err(without_postgres(home)),
        }
    }

    /// Opens a store for a migration. Nobody else can use a SQLite file meanwhile.
    pub(super) fn open_alone(url: &StoreUrl, home: &Path) -> Result<Self, Error> {
        match url {
            StoreUrl::Sqlite(path) => Sqlite::open_alone(path).map(Self::Sqlite),
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(url) => Postgres::connect(url, home).map(Self::Postgres),
            #[cfg(not(feature = "postgres"))]
            StoreUrl::Postgres(_) => Err(without_postgres(home)),
        }
    }

    /// Whether a migration into it was not finished.
    pub(super) fn is_unfinished(&self) -> Result<bool, Error> {
        on_engine!(self, engine => engine.read(migration::is_unfinished))
    }

    pub(super) fn store(&self) -> &dyn Store {
        on_engine!(self, engine => engine)
    }

    pub(super) fn into_store(self) -> Box<dyn Store> {
        on_engine!(self, engine => Box::new(engine))
    }
}

#[cfg(not(feature = "postgres"))]
fn without_postgres(_: &Path) -> Error {
    Error::Failed("this build of soul has no PostgreSQL".into())
}
