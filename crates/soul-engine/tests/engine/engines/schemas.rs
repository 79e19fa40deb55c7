//! The tables of both engines are the same, but for what is listed here.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use soul_engine::store::Sqlite;

use super::*;

/// What only one of the engines has, and why.
const ONLY_IN_SQLITE: [(&str, &str); 2] = [
    // There is one writer at a time, so the order of the numbers is the order of the commits.
    ("events", "column seq INTEGER not null, numbered"),
    ("events", "primary key (seq)"),
];
const ONLY_IN_POSTGRES: [(&str, &str); 7] = [
    // Commits have another order than the numbers that were given before them, so an event gets the number that
    // readers go on after when it is committed.
    ("events", "column position INTEGER not null, numbered"),
    ("events", "primary key (position)"),
    ("events", "column seq INTEGER"),
    ("events", "unique (seq)"),
    ("events", "index (position) where seq is null"),
    // Texts of souls are in files, where the store is one.
    ("soul_texts", "column xid XID8 not null, default pg_current_xact_id()"),
    ("soul_texts", "index (xid)"),
];

/// What a table has, one line each.
type Schema = BTreeMap<String, BTreeSet<String>>;

#[test]
fn both_engines_have_the_same_tables() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("keeper.db");
    drop(Sqlite::open(&path).unwrap());
    let sqlite = of_sqlite(&Connection::open(&path).unwrap());
    let postgres = of_postgres(&Fleet::new(Engine::PostgresAlone).database);
    assert_eq!(sqlite.keys().collect::<Vec<_>>(), postgres.keys().collect::<Vec<_>>());
    assert_eq!(beyond(&sqlite, &postgres), listed(&ONLY_IN_SQLITE));
    assert_eq!(beyond(&postgres, &sqlite), listed(&ONLY_IN_POSTGRES));
    let lines: usize = sqlite.values().map(BTreeSet::len).sum();
    println!("schemas: {} tables, {lines} columns, keys, indexes and checks compared", sqlite.len());
}

/// What one schema has and the other has not.
fn beyond(one: &Schema, other: &Schema) -> BTreeSet<(String, String)> {
    let lines = one.iter().flat_map(|(table, lines)| lines.iter().map(move |line| (table, line)));
    lines
        .filter(|(table, line)| !other.get(*table).is_some_and(|lines| lines.contains(*line)))
        .map(|(table, line)| (table.clone(), line.clone()))
        .collect()
}

fn listed(lines: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    lines.iter().map(|(table, line)| ((*table).to_owned(), (*line).to_owned())).collect()
}

fn column(name: &str, kind: &str, required: bool, numbered: bool, default: &str) -> String {
    let required = if required { " not null" } else { "" };
    let numbered = if numbered { ", numbered" } else { "" };
    let default = if default.is_empty() { String::new() } else { format!(", default {default}") };
    format!("column {name} {kind}{required}{numbered}{default}")
}

/// A condition, without what only its engine writes.
fn plain(condition: &str) -> String {
    condition.replace(['(', ')'], "").replace("::text", "").to_lowercase()
}

/// An index over columns, with its condition if it is partial.
fn index(unique: bool, columns: &str, condition: &str) -> String {
    let kind = if unique { "unique" } else { "index" };
    let condition = if condition.is_empty() { String::new() } else { format!(" where {}", plain(condition)) };
    format!("{kind} ({columns}){condition}")
}

/// A check: its column, and the values that are allowed.
fn check(text: &str) -> String {
    let name: String = text.trim_start_matches('(').chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let values: BTreeSet<&str> = text.split('\'').skip(1).step_by(2).collect();
    format!("check {name} in {values:?}")
}

fn of_sqlite(database: &Connection) -> Schema {
    let rows = |query: &str| -> Vec<Vec<String>> {
        let mut statement = database.prepare(query).unwrap();
        let columns = statement.column_count();
        let text = |row: &rusqlite::Row<'_>, column| match row.get_ref(column).unwrap() {
            rusqlite::types::ValueRef::Null => String::new(),
            rusqlite::types::ValueRef::Integer(number) => number.to_string(),
            other => other.as_str().unwrap().to_owned(),
        };
        let rows = statement.query_map([], |row| Ok((0..columns).map(|column| text(row, column)).collect())).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let tables = rows("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    let mut schema = Schema::new();
    for table in tables {
        let [name, sql] = &table[..] else { panic!() };
        let mut lines = BTreeSet::new();
        let columns = rows(&format!("SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('{name}')"));
        let mut key: Vec<_> = columns.iter().filter(|column| column[4] != "0").collect();
        key.sort_by_key(|column| column[4].clone());
        let key: Vec<_> = key.into_iter().map(|column| (&column[0][..], &column[1][..])).collect();
        for found in &columns {
            let numbered = key == [(&found[0][..], "INTEGER")];
            lines.insert(column(&found[0], &found[1], found[2] == "1" || found[4] != "0", numbered, &found[3]));
        }
        lines.insert(format!("primary key ({})", key.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")));
        for found in rows(&format!("SELECT name, \"unique\", origin FROM pragma_index_list('{name}')")) {
            if found[2] == "pk" {
                continue;
            }
            let columns = rows(&format!("SELECT name FROM pragma_index_info('{}')", found[0])).concat().join(", ");
            let sql = rows(&format!("SELECT sql FROM sqlite_master WHERE name = '{}'", found[0])).concat().concat();
            let condition = sql.split_once(" WHERE ").map_or("", |(_, condition)| condition);
            lines.insert(index(found[1] == "1", &columns, condition));
        }
        for found in rows(&format!("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list('{name}')")) {
            lines.insert(format!("foreign key ({}) to {} ({})", found[0], found[1], found[2]));
        }
        for text in sql.split("CHECK (").skip(1) {
            lines.insert(check(&text[..text.find("))").unwrap_or(text.len())]));
        }
        schema.insert(name.clone(), lines);
    }
    schema
}

fn of_postgres(database: &str) -> Schema {
    let mut schema = Schema::new();
    let mut add = |query: &str, line: &dyn Fn(&[&str]) -> String| {
        for row in Server::shared().psql(database, query).lines() {
            let cells: Vec<_> = row.split('|').collect();
            schema.entry(cells[0].to_owned()).or_default().insert(line(&cells[1..]));
        }
    };
    let columns = "SELECT table_name, column_name, data_type, is_nullable, is_identity, COALESCE(column_default, '') \
                   FROM information_schema.columns WHERE table_schema = 'public'";
    add(columns, &|cells| {
        let kind = match cells[1] {
            "text" => "TEXT",
            "bigint" => "INTEGER",
            "double precision" => "REAL",
            "bytea" => "BLOB",
            "xid8" => "XID8",
            other => panic!("SQLite has no {other}"),
        };
        column(cells[0], kind, cells[2] == "NO", cells[3] == "YES", cells[4].trim_end_matches("::text"))
    });
    let indexes = "SELECT t.relname, i.indisprimary, i.indisunique, \
                   (SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY AS k(of, n) \
                    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.of), \
                   COALESCE(pg_get_expr(i.indpred, i.indrelid), '') \
                   FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace s ON s.oid = t.relnamespace \
                   WHERE s.nspname = 'public'";
    add(indexes, &|cells| match cells[0] {
        "t" => format!("primary key ({})", cells[2]),
        _ => index(cells[1] == "t", cells[2], cells[3]),
    });
    let references = "SELECT c.conrelid::regclass, a.attname, c.confrelid::regclass, f.attname FROM pg_constraint c \
                      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
                      JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1] \
                      WHERE c.contype = 'f' AND cardinality(c.conkey) = 1";
    add(references, &|cells| format!("foreign key ({}) to {} ({})", cells[0], cells[1], cells[2]));
    let checks = "SELECT conrelid::regclass, substr(pg_get_constraintdef(oid), 7) FROM pg_constraint \
                  WHERE contype = 'c' AND conrelid <> 0";
    add(checks, &|cells| check(cells[0]));
    schema
}
