//! Texts of souls in a table. All keepers of a database share the scope of the home.

use super::Postgres;
use crate::clock::Time;
use crate::store::settings::DATABASE_ID;
use crate::store::sql::{Alone, Durable, Engine, Sql, values};
use crate::store::texts::{SettledText, StoredText, Texts};
use crate::store::values::{parts, unknown};
use crate::store::{Error, Revision, Settled, revisions, statements as sql};
use crate::workspace::{Kind, SoulKey};

const TEXT: &str = "SELECT body FROM soul_texts WHERE scope = $1 AND kind = $2 AND name = $3 AND file = $4";

const REPLACE: &str = "UPDATE soul_texts SET body = $1, changed_at = $2 \
    WHERE scope = $3 AND kind = $4 AND name = $5 AND file = $6 AND body IS NOT DISTINCT FROM $7";

const CREATE: &str = "INSERT INTO soul_texts (scope, kind, name, file, changed_at, body) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, kind, name, file) DO NOTHING";

/// Whatever a transaction changes that is not over now has at least this number.
const MOMENT: &str = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text";

const CHANGED: &str = "SELECT kind, name, file, body FROM soul_texts \
    WHERE scope = $1 AND xid >= $2::text::xid8 ORDER BY kind, name, file";

const PENDING: &str = "SELECT 1 FROM agent_soul_revisions WHERE id = $1 AND state = 'pending'";

/// Replaces, creates or removes a file if it has the bytes that were read.
fn replace(
    db: &dyn Sql,
    key: &SoulKey,
    file: &str,
    read: Option<&[u8]>,
    bytes: Option<&[u8]>,
    now: Time,
) -> Result<bool, Error> {
    let (scope, kind, name) = parts(key);
    let replaced = db.run(REPLACE, values![bytes, now, scope, kind, name, file, read])?;
    if replaced > 0 || read.is_some() {
        return Ok(replaced > 0);
    }
    Ok(db.run(CREATE, values![scope, kind, name, file, now, bytes])? > 0)
}

impl Texts for Postgres {
    fn text(&self, key: &SoulKey, file: &str) -> Result<Option<Vec<u8>>, Error> {
        let (scope, kind, name) = parts(key);
        Ok(self.read(|db| db.one(TEXT, values![scope, kind, name, file], |row| row.take(0)))?.flatten())
    }

    fn replace_text(
        &self,
        key: &SoulKey,
        file: &str,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        now: Time,
    ) -> Result<bool, Error> {
        self.write(Alone::Soul(key), Durable::Now, |db| replace(db, key, file, read, bytes, now))
    }

    fn settle_text(
        &self,
        revision: &Revision,
        file: &str,
        read: Option<&[u8]>,
        bytes: Option<&[u8]>,
        now: Time,
    ) -> Result<SettledText, Error> {
        let (key, id) = (revision.sealed.key(), revision.sealed.id.as_str());
        let settled = self.write(Alone::Soul(&key), Durable::Now, |db| {
            if db.one(PENDING, values![id], |_| Ok(()))?.is_none() {
                return Ok(SettledText::Displaced);
            }
            if !replace(db, &key, file, read, bytes, now)? {
                return Ok(SettledText::Changed);
            }
            revisions::settle(db, revision, Settled::Done, now)?;
            Ok::<_, Error>(SettledText::Done)
        })?;
        if matches!(settled, SettledText::Done) {
            self.note_head(&key, Some(revision.link()));
        }
        Ok(settled)
    }

    fn database_id(&self) -> Result<String, Error> {
        let id = self.read(|db| db.one(sql::SETTING, values![DATABASE_ID], |row| row.get(0)))?;
        id.ok_or_else(|| Error::Damaged("it has no id".into()))
    }

    fn changed_since(&self, moment: Option<&str>) -> Result<(String, Vec<StoredText>), Error> {
        self.read(|db| {
            let now: Option<String> = db.one(MOMENT, &[], |row| row.get(0))?;
            let changed = db.all(CHANGED, values![SoulKey::HOME, moment.unwrap_or("0")], |row| {
                let kind: String = row.get(0)?;
                let kind = Kind::stored(&kind).ok_or_else(|| unknown("the kind", &kind))?;
                Ok(StoredText { kind, name: row.get(1)?, file: row.get(2)?, body: row.take(3)? })
            })?;
            Ok((now.unwrap_or_default(), changed))
        })
    }
}
