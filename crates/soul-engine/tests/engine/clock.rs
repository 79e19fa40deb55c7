//! One clock for everything that is recorded.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use soul_engine::clock::Time;
use soul_engine::fields::Lease;
use soul_engine::ids::RunId;
use soul_engine::ops::session::{start, stop};
use soul_engine::ops::task::{add, claim, finish};
use soul_engine::ops::token::{create, revoke};
use soul_engine::store::Role;

use super::{Home, coder, digest, put, remove, run};

const SOUL: &str = "---\nrole: One\n---\nBody.\n";

#[test]
fn a_frozen_clock_freezes_everything() {
    let home = Home::new();
    let now: Time = "2031-02-03T04:05:06.789012Z".parse().unwrap();
    let keeper = home.keeper().with_clock(Arc::new(move || now));
    std::fs::write(home.soul(), "Written by hand.\n").unwrap();
    put(&keeper, SOUL, digest(&keeper).as_deref()).unwrap();
    let session = run(&keeper, start::Request { agent: Some(coder()), soul: None }).unwrap();
    let session_id = session.response.session.id;
    run(&keeper, add::Request { agent: None, payload: json!(1) }).unwrap();
    let request = claim::Request { session_id: session_id.clone(), lease_seconds: Lease::default() };
    let claimed = run(&keeper, request).unwrap().run.unwrap();
    assert_eq!(claimed.lease_expires_at, now.after(Duration::from_secs(60)));
    run(&keeper, finish::Request { run_id: claimed.id, failed: false }).unwrap();
    run(&keeper, stop::Request { session_id }).unwrap();
    let token = run(&keeper, create::Request { role: Role::Viewer, grants: Vec::new(), name: None, agent: None })
        .unwrap()
        .token
        .id;
    run(&keeper, revoke::Request { id: token }).unwrap();
    remove(&keeper, digest(&keeper).as_deref()).unwrap();

    let connection = Connection::open(home.0.path().join("keeper.db")).unwrap();
    let columns = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c \
                   WHERE m.type = 'table' AND c.name IN ('time', 'id', 'created_at', 'captured_at', 'stopped_at', \
                   'claimed_at', 'finished_at', 'revoked_at', 'reverted_at')";
    let mut columns = connection.prepare(columns).unwrap();
    let columns = columns.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let ulid = |id: &str| id.split_once('_').map(|(_, ulid)| ulid[..10].to_owned());
    let expected = ulid(RunId::fresh_at(now).as_str());
    let mut seen = 0;
    for (table, column) in columns.map(Result::unwrap) {
        let query = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
        let mut values = connection.prepare(&query).unwrap();
        for value in values.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap) {
            match column.as_str() {
                "id" => assert_eq!(ulid(&value), expected, "{table}.{column}"),
                _ => assert_eq!(value, now.to_string(), "{table}.{column}"),
            }
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}
