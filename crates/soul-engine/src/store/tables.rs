//! Every table of a store, as both engines have it: what is copied from one store to another, and counted.

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The primary key, by which rows are read in order.
    pub(super) key: &'static [&'static str],
    /// Every other column. An engine may have more, which it fills by itself.
    pub(super) others: &'static [&'static str],
    /// One of the others that refers to a row of the same table, which may come later.
    pub(super) refers_to_own: Option<&'static str>,
}

impl Table {
    const fn new(name: &'static str, key: &'static [&'static str], others: &'static [&'static str]) -> Self {
        Self { name, key, others, refers_to_own: None }
    }

    /// The columns, those of the key first.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.key.iter().chain(self.others).copied()
    }
}

/// Every table. What others refer to comes first.
pub(super) const TABLES: [Table; 19] = [
    Table::new(
        "agent_soul_revisions",
        SOUL_AND_SEQ,
        &[
            "id",
            "action",
            "previous_digest",
            "new_digest",
            "raw_digest",
            "dialect",
            "snapshot_id",
            "idempotency_key",
            "request_digest",
            "actor_kind",
            "actor_ref",
            "origin_kind",
            "origin_ref",
            "created_at",
            "chain",
            "reason",
            "chain_version",
            "message",
            "state",
            "body",
        ],
    ),
    Table::new(
        "agent_soul_snapshots",
        ID,
        &[
            "scope",
            "kind",
            "name",
            "digest",
            "bundle_digest",
            "config_digest",
            "profile_json",
            "seal",
            "created_at",
            "state",
        ],
    ),
    Table::new("agent_soul_snapshot_files", &["snapshot_id", "name"], &["body"]),
    Table {
        refers_to_own: Some("parent_id"),
        ..Table::new(
            "sessions",
            ID,
            &[
                "scope",
                "kind",
                "name",
                "state",
                "soul_snapshot_id",
                "soul_digest",
                "soul_status",
                "parent_id",
                "parent_soul_digest",
                "created_at",
                "captured_at",
                "stopped_at",
                "surroundings_json",
                "soul_source_json",
                "persona_json",
                "seal",
            ],
        )
    },
    Table::new(
        "session_receipts",
        ID,
        &["session_id", "captured_at", "actor_kind", "actor_ref", "snapshot_id", "soul_digest", "prompt_json", "seal"],
    ),
    Table::new("tasks", &["seq"], &["id", "scope", "agent", "payload_json", "state", "created_at"]),
    Table::new(
        "task_runs",
        ID,
        &[
            "task_id",
            "session_id",
            "state",
            "metadata_json",
            "lease_expires_at",
            "claimed_at",
            "finished_at",
            "seal",
            "lease_boot",
            "lease_deadline",
        ],
    ),
    Table::new("persona_states", SOUL, &["state_json"]),
    Table::new(
        "persona_mutations",
        SOUL_AND_SEQ,
        &[
            "id",
            "trait",
            "delta",
            "previous_value",
            "new_value",
            "session",
            "reason",
            "evidence",
            "actor_kind",
            "actor_ref",
            "origin_kind",
            "origin_ref",
            "created_at",
            "reverted_at",
        ],
    ),
    Table::new("persona_budgets", &["scope", "kind", "name", "session", "trait"], &["spent"]),
    Table::new(
        "events",
        &["seq"],
        &[
            "time",
            "kind",
            "scope",
            "agent",
            "digest",
            "revision_id",
            "session_id",
            "task_id",
            "run_id",
            "actor_kind",
            "actor_ref",
            "origin_kind",
            "origin_ref",
            "soul",
            "token_id",
            "findings_json",
            "proposal_id",
            "detail_json",
        ],
    ),
    Table::new("tokens", ID, &["name", "role", "grants", "proof", "created_at", "revoked_at", "seal", "agent"]),
    Table::new(
        "proposals",
        ID,
        &[
            "scope",
            "kind",
            "name",
            "state",
            "base_digest",
            "base_raw_digest",
            "new_digest",
            "raw_digest",
            "dialect",
            "summary",
            "reason",
            "evidence",
            "session",
            "poisoned",
            "findings_json",
            "diagnostics_json",
            "actor_kind",
            "actor_ref",
            "origin_kind",
            "origin_ref",
            "created_at",
            "reviewer_kind",
            "reviewer_ref",
            "review_message",
            "reviewed_at",
            "revision_id",
            "seal",
            "base",
            "body",
        ],
    ),
    Table::new("workspace_places", &["place"], &["scope", "device", "inode", "path", "bound_at", "owner"]),
    Table::new("pending_places", &["revision_id"], &["place", "expires_at"]),
    Table::new("soul_forks", SOUL, &["parent_scope", "seq", "chain", "created_at"]),
    Table::new(
        "chain_repairs",
        &["revision_id"],
        &[
            "scope",
            "kind",
            "name",
            "seq",
            "problem",
            "previous_chain",
            "chain",
            "content",
            "actor_kind",
            "actor_ref",
            "origin_kind",
            "origin_ref",
            "created_at",
        ],
    ),
    Table::new("soul_texts", &["scope", "kind", "name", "file"], &["changed_at", "body"]),
    Table::new("settings", &["name"], &["value"]),
];

const ID: &[&str] = &["id"];
const SOUL: &[&str] = &["scope", "kind", "name"];
const SOUL_AND_SEQ: &[&str] = &["scope", "kind", "name", "seq"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rusqlite::Connection;

    use super::*;
    use crate::store::Sqlite;

    /// Each table with the columns of its key, in their order, and the others, sorted.
    type Shape = BTreeMap<String, (Vec<String>, Vec<String>)>;

    fn listed() -> Shape {
        let shape = |table: &Table| {
            let mut others: Vec<String> = table.others.iter().map(ToString::to_string).collect();
            others.sort();
            (table.name.to_owned(), (table.key.iter().map(ToString::to_string).collect(), others))
        };
        TABLES.iter().map(shape).collect()
    }

    #[test]
    fn the_list_has_every_table_and_column_of_sqlite() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("keeper.db");
        drop(Sqlite::open(&path).unwrap());
        let database = Connection::open(&path).unwrap();
        let mut found = Shape::new();
        let sql = "SELECT t.name, c.name, c.pk FROM sqlite_schema t, pragma_table_info(t.name) c \
                   WHERE t.type = 'table' ORDER BY t.name, c.pk, c.name";
        let mut statement = database.prepare(sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let (table, column, key): (String, String, i64) =
                (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap());
            let (keys, others) = found.entry(table).or_default();
            if key > 0 { keys.push(column) } else { others.push(column) }
        }
        assert_eq!(listed(), found);
    }

    #[test]
    fn what_a_table_refers_to_comes_before_it() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("keeper.db");
        drop(Sqlite::open(&path).unwrap());
        let database = Connection::open(&path).unwrap();
        let place = |name: &str| TABLES.iter().position(|table| table.name == name).unwrap();
        let sql = "SELECT t.name, f.\"table\", f.\"from\" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f \
                   WHERE t.type = 'table'";
        let mut statement = database.prepare(sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        let mut references = 0;
        while let Some(row) = rows.next().unwrap() {
            references += 1;
            let (table, parent, column): (String, String, String) =
                (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap());
            match table == parent {
                true => assert_eq!(TABLES[place(&table)].refers_to_own, Some(&*column), "{table}"),
                false => assert!(place(&parent) < place(&table), "{table} refers to {parent}"),
            }
        }
        assert!(references > 0);
    }
}
