//! What the target of a migration says in its settings: whose rows it gets, and which came last.

use serde::{Deserialize, Serialize};

use super::MigrationError;
use super::rows::Key;
use crate::ids::StoreId;
use crate::store::Error;
use crate::store::settings::{self, MIGRATION, OWN};
use crate::store::sql::{Alone, Durable, Engine, Sql, values};
use crate::store::statements as sql;
use crate::store::tables::TABLES;

/// A target that is being filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claim {
    /// The id of the source.
    from: String,
    /// A name that no other claim has: a source that shows it is the target itself.
    run: String,
    /// The last row that was copied.
    pub(super) last: Option<Last>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Last {
    /// The table.
    pub(super) table: String,
    /// The key of the row.
    pub(super) key: Key,
}

impl Claim {
    pub(super) const fn is_resumed(&self) -> bool {
        self.last.is_some()
    }

    /// Whether this store is the target that was claimed.
    pub(super) fn is_of(&self, db: &dyn Sql) -> Result<bool, Error> {
        Ok(read(db)?.is_some_and(|other| other.run == self.run))
    }

    /// Notes how far the copy has come.
    pub(super) fn write(&self, db: &dyn Sql) -> Result<(), Error> {
        // Texts and numbers: nothing that could fail to be written.
        let text = serde_json::to_string(self).unwrap_or_default();
        db.run(sql::SET_SETTING, values![MIGRATION, text]).map(drop)
    }

    /// Removes what was copied so far.
    pub(super) fn restart<T: Engine>(&self, target: &T) -> Result<Self, Error> {
        let anew = Self { last: None, ..self.clone() };
        target.write(Alone::Setting(MIGRATION), Durable::Soon, |db| {
            for table in TABLES.iter().rev().filter(|table| table.name != "settings") {
                if let Some(column) = table.refers_to_own {
                    db.run(&format!("UPDATE {} SET {column} = NULL", table.name), &[])?;
                }
                db.run(&format!("DELETE FROM {}", table.name), &[])?;
            }
            db.run("DELETE FROM settings WHERE name NOT IN ($1, $2, $3, $4)", values![OWN[0], OWN[1], OWN[2], OWN[3]])?;
            anew.write(db)
        })?;
        Ok(anew)
    }
}

/// Claims a target for a source: an empty one, or one that an earlier run has begun to fill from the same source.
pub(super) fn take<T: Engine>(target: &T, from: &str) -> Result<Claim, MigrationError> {
    let run = StoreId::fresh().as_str().to_owned();
    target.write(Alone::Setting(MIGRATION), Durable::Now, |db| {
        let claim = match read(db)? {
            Some(claim) if claim.from == from => Claim { run: run.clone(), ..claim },
            Some(_) => return Ok(Err(MigrationError::OtherUnfinished)),
            None => match first_filled(db)? {
                None => Claim { from: from.to_owned(), run: run.clone(), last: None },
                Some(_) if settings::store_id(db)?.as_deref() == Some(from) => {
                    return Ok(Err(MigrationError::AlreadyThere));
                }
                Some(table) => return Ok(Err(MigrationError::NotEmpty(table))),
            },
        };
        claim.write(db)?;
        Ok::<_, Error>(Ok(claim))
    })?
}

/// Gives a target back that was claimed and got no rows.
pub(super) fn release<T: Engine>(target: &T) -> Result<(), Error> {
    target.write(Alone::Setting(MIGRATION), Durable::Now, clear)
}

pub(super) fn clear(db: &dyn Sql) -> Result<(), Error> {
    db.run(sql::UNSET_SETTING, values![MIGRATION]).map(drop)
}

/// Whether this store is the target of a migration that was not finished.
pub(in crate::store) fn is_unfinished(db: &dyn Sql) -> Result<bool, Error> {
    Ok(read(db)?.is_some())
}

fn read(db: &dyn Sql) -> Result<Option<Claim>, Error> {
    let Some(text) = db.one(sql::SETTING, values![MIGRATION], |row| row.get::<String>(0))? else { return Ok(None) };
    let claim = serde_json::from_str(&text);
    claim.map(Some).map_err(|_| Error::Damaged("the note of a migration cannot be read".into()))
}

/// The first table with rows, besides the store's own id.
fn first_filled(db: &dyn Sql) -> Result<Option<&'static str>, Error> {
    for table in &TABLES {
        let found = match table.name {
            "settings" => {
                let query = "SELECT 1 FROM settings WHERE name NOT IN ($1, $2, $3, $4) LIMIT 1";
                db.one(query, values![OWN[0], OWN[1], OWN[2], OWN[3]], |_| Ok(()))?
            }
            name => db.one(&format!("SELECT 1 FROM {name} LIMIT 1"), &[], |_| Ok(()))?,
        };
        if found.is_some() {
            return Ok(Some(table.name));
        }
    }
    Ok(None)
}
