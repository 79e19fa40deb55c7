//! The service syncs by itself, and answers over HTTP as the peer's routes do.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Keeper, Remote, soul};
use crate::service::Service;

fn wait_for(what: &str, check: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !check() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_service_syncs_by_itself() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let remote = Remote::new(&root);
    remote.commit("one", |work| fs::write(work.join("souls/a.md"), soul("A", "one")).unwrap());
    let keeper = Keeper::connected(&root, "home", &remote);
    fs::write(keeper.home.join("config.toml"), "[sync]\ninterval = 1\non_start = true\non_change = 1\n").unwrap();
    let service = Service::start(&keeper.home);
    wait_for("it pulls when it starts", || keeper.text("a") == Some(soul("A", "one")));
    keeper.write("b", &soul("B", "mine"));
    wait_for("it publishes what was changed", || remote.text("souls/b.md") == Some(soul("B", "mine")));
    remote.commit("two", |work| fs::write(work.join("souls/a.md"), soul("A", "two")).unwrap());
    wait_for("it pulls again", || keeper.text("a") == Some(soul("A", "two")));
    let (code, status) = service.ask("GET", "/api/v1/sync/status", &Value::Null).unwrap();
    assert_eq!((code, &status["autoSync"]["interval"], &status["autoSync"]["failures"]), (200, &1.into(), &0.into()));
    let away = root.join("away.git");
    fs::rename(remote.bare(), &away).unwrap();
    wait_for("a failure is shown", || {
        let (_, status) = service.ask("GET", "/api/v1/sync/status", &Value::Null).unwrap();
        status["autoSync"]["failures"].as_u64().unwrap() > 0 && status["summary"] == "error"
    });
    fs::rename(&away, remote.bare()).unwrap();
    wait_for("it recovers", || keeper.status()["summary"] == "synced");
    let events = keeper.ok(&["log"]).to_string();
    assert!(
        events.contains("sync.fail") && events.contains("sync.pull") && events.contains("sync.publish"),
        "{events}"
    );
}

#[test]
fn the_routes_of_the_peer_answer() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let remote = Remote::new(&root);
    remote.commit("one", |work| fs::write(work.join("souls/a.md"), soul("A", "one")).unwrap());
    let keeper = Keeper::connected(&root, "home", &remote);
    let service = Service::start(&keeper.home);
    let ask = |method: &str, path: &str, body: Value| service.ask(method, path, &body).unwrap();
    let (code, pulled) = ask("POST", "/api/v1/sync/pull", json!({}));
    assert_eq!((code, &pulled["synced"]), (200, &json!(["souls/a"])), "{pulled}");
    keeper.write("a", &soul("A", "mine"));
    let (code, diff) = ask("GET", "/api/v1/sync/items/souls%2Fa/diff", Value::Null);
    assert_eq!((code, &diff["status"]), (200, &"modified".into()), "{diff}");
    let (code, published) = ask("POST", "/api/v1/sync/items/souls%2Fa/publish", json!({ "message": "by HTTP" }));
    assert_eq!((code, &published["synced"]), (200, &json!(["souls/a"])), "{published}");
    assert!(remote.log().contains("by HTTP"));
    let (code, error) = ask("POST", "/api/v1/sync/publish-all", json!({}));
    assert_eq!((code, &error["error"]["code"]), (400, &"nothing_to_publish".into()), "{error}");
    let (code, error) = ask("POST", "/api/v1/sync/items/souls%2F..%2Fx/discard", json!({}));
    assert_eq!(code, 400, "{error}");
    // Where souls are synced to is for administrators.
    let (code, _) = ask("PUT", "/api/v1/sync/config", json!({ "repository": remote.url() }));
    assert_eq!(code, 403);
    let (code, _) = ask("POST", "/api/v1/sync/init", json!({ "remote": remote.url() }));
    assert_eq!(code, 403);
}
