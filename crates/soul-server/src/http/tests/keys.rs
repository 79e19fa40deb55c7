//! Keys that a request does not have, and lists where an object belongs, on every route and operation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use soul_engine::ops;

use super::Served;
use crate::http::routes::ROUTES;

/// What no request has: another spelling of a key that some have, and who asks.
const UNKNOWN: [&str; 3] = ["dryRun", "authorship", "actor"];

/// A way from a request to an object in it: keys, and `None` for an entry of a list.
type Way = Vec<Option<String>>;

/// Every object within a schema.
fn objects(schema: &Value, way: &Way, found: &mut Vec<Way>) {
    for key in ["anyOf", "oneOf", "allOf"] {
        schema[key].as_array().into_iter().flatten().for_each(|schema| objects(schema, way, found));
    }
    let with = |step: Option<&String>| way.iter().cloned().chain([step.cloned()]).collect::<Way>();
    if let Some(properties) = schema["properties"].as_object() {
        found.push(way.clone());
        properties.iter().for_each(|(key, schema)| objects(schema, &with(Some(key)), found));
    }
    if schema.get("items").is_some() {
        objects(&schema["items"], &with(None), found);
    }
}

/// A request that holds this value at the end of the way, and nothing else.
fn holding(way: &[Option<String>], value: Value) -> Value {
    way.iter().rev().fold(value, |value, step| match step {
        Some(key) => Value::Object(Map::from_iter([(key.clone(), value)])),
        None => json!([value]),
    })
}

fn files(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => files(&path, found),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
}

fn contents(served: &Served) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    files(served.home.path(), &mut found);
    found
}

#[tokio::test]
async fn no_operation_takes_an_unknown_key_or_a_list_for_an_object() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let before = contents(&served);
    let (mut deepest, mut asked) = (0, 0);
    for entry in ops::all() {
        let path = format!("/api/ops/{}", entry.name);
        let mut found = Vec::new();
        objects(&json!({ "properties": entry.request().properties }), &Vec::new(), &mut found);
        for way in found {
            deepest = deepest.max(way.len());
            for unknown in UNKNOWN {
                let body = holding(&way, json!({ unknown: true }));
                let reply = served.ask("POST", &path, &body.to_string()).await;
                let message = reply.json()["error"]["message"].to_string();
                assert_eq!(reply.status, 400, "{path} {body} {message}");
                assert!(message.contains(&format!("`{unknown}`")), "{path} {body} {message}");
                asked += 1;
            }
            let list = json!(["sha256:0", null, null, { "actor": { "kind": "user", "ref": "ceo" } }]);
            let body = holding(&way, list);
            let reply = served.ask("POST", &path, &body.to_string()).await;
            let message = reply.json()["error"]["message"].to_string();
            assert_eq!(reply.status, 400, "{path} {body} {message}");
            assert!(message.contains("object"), "{path} {body} {message}");
        }
    }
    assert!(deepest >= 2 && asked > 3 * ops::all().count(), "{deepest} {asked}");
    assert!(contents(&served) == before, "something has changed");
}

#[tokio::test]
async fn no_route_takes_an_unknown_key() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let before = contents(&served);
    for route in ROUTES {
        let path = route.path.replace("{name}", "coder").replace("{soulId}", "ops").replace("{id}", "x_1");
        // Events are filtered by who caused them, which says nothing of who asks.
        let is_known =
            |key: &str| (route.camel_case && key == "dryRun") || (route.operation == "log" && key == "actor");
        for unknown in UNKNOWN.into_iter().filter(|key| !is_known(key)) {
            let (query, body) = (format!("{path}?{unknown}=true"), json!({ unknown: true }).to_string());
            let replies = [
                served.ask(route.method, &query, if route.method == "PATCH" { "{}" } else { "" }).await,
                served.ask(route.method, if route.method == "GET" { &query } else { &path }, &body).await,
            ];
            for reply in replies {
                let what = format!("{} {} {unknown} {:?}", route.method, route.path, reply.json());
                // What a route asks for may be missed before a key is seen to be too many.
                assert_eq!(
                    (reply.status.as_u16(), &reply.json()["error"]["code"]),
                    (400, &json!("bad_request")),
                    "{what}"
                );
            }
        }
        if route.method != "GET" {
            assert_eq!(served.ask(route.method, &path, "[\"x\"]").await.status, 400, "{} {}", route.method, route.path);
        }
    }
    assert!(contents(&served) == before, "something has changed");
}
