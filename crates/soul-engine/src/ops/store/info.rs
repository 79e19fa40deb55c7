//! Show where the store is, and how much is in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::doctor::home;
use crate::ops::{Error, Hints, Operation};
use crate::settings::{Origin, SoulsKept};
use crate::store::{StoreUrl, TableCount};

/// Show which store the keeper uses, where it is, and how much is in it.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {}

/// A store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StoreInfo")]
pub struct Response {
    /// The engine: `sqlite` or `postgres`.
    pub engine: String,
    /// Where it is: a file, or a URL without its password.
    pub location: String,
    /// What chose it.
    pub chosen_by: Origin,
    /// Where the texts of souls are kept.
    pub souls_in: SoulsKept,
    /// Whether it exists: the first change creates it.
    pub exists: bool,
    /// Its id, which a backup and a migrated store share.
    pub id: Option<String>,
    /// The version of its tables.
    pub schema_version: Option<i64>,
    /// How many bytes it takes on its disk.
    pub bytes: u64,
    /// How many souls have a record.
    pub souls: usize,
    /// How many revisions there are.
    pub revisions: u64,
    /// Every table, with the number of its rows.
    pub tables: Vec<TableCount>,
}

impl Operation for Request {
    const NAME: &'static str = "store.info";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Admin
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let url = keeper.store_url()?;
        let location = match &url {
            StoreUrl::Sqlite(path) => home::shown(context, path),
            StoreUrl::Postgres(url) => url.to_string(),
        };
        let chosen_by = keeper.settings.origins.iter().find(|said| said.key == "store.url");
        let mut response = Response {
            engine: url.engine().to_owned(),
            location,
            chosen_by: chosen_by.map(|said| said.origin).unwrap_or_default(),
            souls_in: keeper.settings.store.souls,
            exists: false,
            id: None,
            schema_version: None,
            bytes: 0,
            souls: 0,
            revisions: 0,
            tables: Vec::new(),
        };
        let Some(store) = keeper.existing_store()? else { return Ok(response) };
        let counts = store.counts()?;
        response.exists = true;
        response.id = store.id()?;
        response.schema_version = Some(counts.schema_version);
        response.bytes = counts.bytes;
        response.souls = store.souls()?.len();
        let revisions = counts.tables.iter().find(|count| count.table == "agent_soul_revisions");
        response.revisions = revisions.map_or(0, |count| count.rows);
        response.tables = counts.tables;
        Ok(response)
    }
}
