//! Copy a store into another one.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::{Context, Progress};
use crate::fault::{Fault, Kind};
use crate::files;
use crate::ops::audit::verify;
use crate::ops::{Error as OpError, Hints, Operation};
use crate::store::{self, Copied, CopiedTable, Migration, MigrationError, Store, StoreUrl};
use crate::workspace::{SoulKey, id};

/// Copy a whole store into an empty one, on the same engine or the other, and verify the copy. A run that was
/// interrupted continues where it stopped. The source stays as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The store to copy. A URL may hold a password and name a file of this machine, so it is never sent.
    #[serde(skip)]
    pub from: Option<StoreUrl>,
    /// The empty store to copy it into; never sent either.
    #[serde(skip)]
    pub to: Option<StoreUrl>,
}

/// A store that was migrated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StoreMigration")]
pub struct Response {
    /// The source, without its password.
    pub from: String,
    /// The target, without its password.
    pub to: String,
    /// The id of the source, which the target has now.
    pub id: String,
    /// Whether an earlier run had copied part of it.
    pub resumed: bool,
    /// How many souls have a record. The chain of each was verified in the target.
    pub souls: usize,
    /// How many revisions were verified.
    pub revisions: usize,
    /// How many snapshots were verified.
    pub snapshots: usize,
    /// How many rows there are in all tables.
    pub rows: u64,
    /// Every table. Source and target have the same rows.
    pub tables: Vec<CopiedTable>,
}

/// Why a store was not migrated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A URL is missing.
    #[error("a migration needs two store URLs, but they were not given")]
    NoUrls,
    /// The record of a store is not intact.
    #[error("the record of the {0} is damaged: {1}")]
    Damaged(&'static str, String),
    /// The copy failed.
    #[error(transparent)]
    Migration(MigrationError),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<MigrationError> for Error {
    fn from(error: MigrationError) -> Self {
        match error {
            MigrationError::Store(error) => Self::Store(error),
            error => Self::Migration(error),
        }
    }
}

impl Error {
    pub(in crate::ops) fn fault(&self) -> Fault {
        match self {
            Self::NoUrls => Fault::new(
                Kind::Usage,
                "bad_request",
                "run `soul store migrate --from URL --to URL` on a machine that reaches both stores",
            ),
            Self::Damaged(..) => Fault::new(
                Kind::Invalid,
                "record_damaged",
                "run `soul audit verify` on the source; `soul audit repair` accepts what is broken, or restore a backup",
            ),
            Self::Migration(error) => error.fault(),
            Self::Store(error) => error.fault(),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "store.migrate";
    const HINTS: Hints = Hints::ADD.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn is_local(&self) -> bool {
        true
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let (Some(from), Some(to)) = (self.from, self.to) else { return Err(Error::NoUrls.into()) };
        let home = context.keeper.home().ok_or(store::Error::NoHome)?;
        let is_own = match (&from, context.keeper.store_url()?) {
            (StoreUrl::Sqlite(from), StoreUrl::Sqlite(own)) => files::is_same(from, &own),
            (from, own) => *from == own,
        };
        let migration = Migration::open(&from, &to, home).map_err(Error::from)?;
        let response = migrate(&migration, (from.to_string(), to.to_string()), context.progress)?;
        if is_own && matches!(to, StoreUrl::Postgres(_)) {
            keep_scope(home, migration.target(), true)?;
        }
        Ok(response)
    }
}

/// Lets the home find its record in a store that others may share later: what it recorded while it had a store for
/// itself is of the scope `home`.
pub(in crate::ops) fn keep_scope(home: &Path, store: &dyn Store, is_own: bool) -> Result<(), OpError> {
    let souls = store.souls()?;
    let has = |scope: &str| souls.iter().any(|key| key.scope == scope);
    let is_kept = match id::is_home_named(home) {
        false => is_own || has(SoulKey::HOME),
        true => has(SoulKey::HOME) && !has(&id::home_scope(Some(home))),
    };
    if is_kept {
        id::continue_home(home).map_err(|error| store::Error::ReadOnly(store::Detail::io(error)))?;
    }
    Ok(())
}

/// Copies, verifies and finishes. Nothing is copied from a record that is damaged.
pub(in crate::ops) fn migrate(
    migration: &Migration,
    (from, to): (String, String),
    progress: &dyn Progress,
) -> Result<Response, OpError> {
    intact(verify::examine(migration.source(), Vec::new(), progress)?, "source")?;
    let Copied { resumed, tables } = migration.copy(progress).map_err(Error::from)?;
    let verify::Response { revisions, snapshots, heads, .. } =
        intact(verify::examine(migration.target(), Vec::new(), progress)?, "target")?;
    migration.finish().map_err(Error::from)?;
    let rows = tables.iter().map(|table| table.rows).sum();
    let id = migration.id().to_owned();
    Ok(Response { from, to, id, resumed, souls: heads.len(), revisions, snapshots, rows, tables })
}

fn intact(verified: verify::Response, which: &'static str) -> Result<verify::Response, Error> {
    match verified.problem {
        Some(problem) => Err(Error::Damaged(which, problem)),
        None => Ok(verified),
    }
}
