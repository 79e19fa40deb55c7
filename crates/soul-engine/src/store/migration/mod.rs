//! Copying a whole store into another one, on whatever engines they are.
//!
//! The target names the source and how far the copy has come in its settings, in the same transaction as the rows, so
//! that a run that was killed goes on. Until the copy was compared and finished, no keeper opens the target.

mod claim;
mod compare;
mod copy;
mod error;
mod rows;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;

pub(super) use claim::is_unfinished;
pub use error::MigrationError;

use super::opened::{Opened, on_engine};
use super::sql::{Alone, Durable, Engine};
use super::{Error, Store, StoreUrl, settings};
use crate::context::Progress;
use crate::files;

/// A table of a store that was copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CopiedTable {
    /// Its name.
    pub table: String,
    /// How many rows it has.
    pub rows: u64,
    /// A digest over its rows, whatever their order. Source and target have the same.
    pub digest: RawDigest,
}

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copied {
    /// Whether an earlier run had copied part of it.
    pub(crate) resumed: bool,
    /// Each table.
    pub(crate) tables: Vec<CopiedTable>,
}

/// A copy from one store into another, which both are held for it.
pub(crate) struct Migration {
    id: String,
    source: Opened,
    target: Opened,
}

impl Migration {
    /// Opens both stores. Nobody else can use a SQLite file meanwhile.
    pub(crate) fn open(from: &StoreUrl, to: &StoreUrl, home: &Path) -> Result<Self, MigrationError> {
        check_apart(from, to)?;
        if let StoreUrl::Sqlite(path) = from
            && !path.is_file()
        {
            return Err(MigrationError::NoSource(from.clone()));
        }
        if let StoreUrl::Sqlite(path) = to
            && !files::folder_of(path).is_dir()
        {
            return Err(MigrationError::NoFolder(to.clone()));
        }
        let source = Opened::open_alone(from, home)?;
        if source.is_unfinished()? {
            return Err(MigrationError::UnfinishedSource);
        }
        let id = source.store().id()?.ok_or_else(|| Error::Damaged("it has no id".into()))?;
        let target = Opened::open_alone(to, home)?;
        Ok(Self { id, source, target })
    }

    /// The store that is copied.
    pub(crate) fn source(&self) -> &dyn Store {
        self.source.store()
    }

    /// The store that it is copied into.
    pub(crate) fn target(&self) -> &dyn Store {
        self.target.store()
    }

    /// The id of the source, which the target gets.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Copies every row, and compares both stores.
    pub(crate) fn copy(&self, progress: &dyn Progress) -> Result<Copied, MigrationError> {
        on_engine!(&self.source, source => on_engine!(&self.target, target => {
            run(source, target, &self.id, progress)
        }))
    }

    /// Makes the target a store that keepers can use.
    pub(crate) fn finish(&self) -> Result<(), MigrationError> {
        on_engine!(&self.target, target => finish(target, &self.id))?;
        match &self.target {
            Opened::Sqlite(target) => Ok(target.note_all()?),
            #[cfg(feature = "postgres")]
            Opened::Postgres(_) => Ok(()),
        }
    }
}

/// Copies and compares. A run that went on after another one begins anew if the source was changed in between.
fn run<S: Engine, T: Engine>(
    source: &S,
    target: &T,
    id: &str,
    progress: &dyn Progress,
) -> Result<Copied, MigrationError> {
    let claim = claim::take(target, id)?;
    target.forget_mark()?;
    let resumed = claim.is_resumed();
    source.read_consistent(|from| {
        if claim.is_of(from)? {
            claim::release(target)?;
            return Ok(Err(MigrationError::Same));
        }
        copy::rows(from, target, claim.clone(), progress)?;
        let compared = match compare::stores(from, target, progress)? {
            Err(MigrationError::Differs(_)) if resumed => {
                copy::rows(from, target, claim.restart(target)?, progress)?;
                compare::stores(from, target, progress)?
            }
            compared => compared,
        };
        Ok(compared.map(|tables| Copied { resumed, tables }))
    })?
}

fn finish<T: Engine>(target: &T, id: &str) -> Result<(), Error> {
    target.resume_numbering()?;
    target.write(Alone::Setting(settings::MIGRATION), Durable::Now, |db| {
        claim::clear(db)?;
        settings::set_store_id(db, id)
    })
}

/// Fills a new SQLite file with everything that a store has, for a backup. The file is complete by itself.
#[cfg(feature = "postgres")]
pub(super) fn copy_to_file<S: Engine>(source: &S, file: &Path) -> Result<(), Error> {
    let id = source.read(settings::store_id)?.ok_or_else(|| Error::Damaged("it has no id".into()))?;
    let target = super::Sqlite::open_unowned(file)?;
    run(source, &target, &id, &crate::context::Silent).map_err(|error| match error {
        MigrationError::Store(error) => error,
        error => Error::Failed(error.to_string().into()),
    })?;
    finish(&target, &id)?;
    drop(target);
    super::Sqlite::merge_log(file)
}

/// Refuses URLs that are obviously of one store, and files that would share what is kept beside them.
fn check_apart(from: &StoreUrl, to: &StoreUrl) -> Result<(), MigrationError> {
    match (from, to) {
        (StoreUrl::Sqlite(from), StoreUrl::Sqlite(to)) if files::is_same(from, to) || from == to => {
            Err(MigrationError::Same)
        }
        (StoreUrl::Sqlite(from), StoreUrl::Sqlite(to)) => {
            let stems = (from.file_stem(), to.file_stem());
            let is_shared = stems.0 == stems.1 && files::is_same(files::folder_of(from), files::folder_of(to));
            if is_shared { Err(MigrationError::SharedName) } else { Ok(()) }
        }
        (from, to) if from == to => Err(MigrationError::Same),
        _ => Ok(()),
    }
}
