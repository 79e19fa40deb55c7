//! A store on whatever engine its URL names.

use std::path::Path;

#[cfg(feature = "postgres")]
use super::Postgres;
use super::sql::Engine;
use super::{Error, PostgresUrl, Sqlite, Store, StoreUrl, migration};

/// An open store.
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
    /// Opens a store that others may use too; it is made if it is not there.
    pub(super) fn open(url: &StoreUrl, home: &Path) -> Result<Self, Error> {
        match url {
            StoreUrl::Sqlite(path) => Sqlite::open(path).map(Self::Sqlite),
            StoreUrl::Postgres(url) => Self::connect(url, home),
        }
    }

    /// The same, but nobody else can use a SQLite file meanwhile.
    pub(super) fn open_alone(url: &StoreUrl, home: &Path) -> Result<Self, Error> {
        match url {
            StoreUrl::Sqlite(path) => Sqlite::open_alone(path).map(Self::Sqlite),
            StoreUrl::Postgres(url) => Self::connect(url, home),
        }
    }

    #[cfg(feature = "postgres")]
    fn connect(url: &PostgresUrl, home: &Path) -> Result<Self, Error> {
        Postgres::open(url.expose(), home).map(Self::Postgres)
    }

    #[cfg(not(feature = "postgres"))]
    fn connect(_: &PostgresUrl, _: &Path) -> Result<Self, Error> {
        Err(Error::Failed("this build of soul has no PostgreSQL".into()))
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
