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
    let metrics = service.text("/metrics");
    let lines = ["{kind=\"soul\",result=\"done\"}", "{kind=\"soul\",result=\"failed\"}"];
    for line in lines.map(|labels| format!("soul_sync_runs_total{labels} ")) {
        let count = metrics.lines().find_map(|known| known.strip_prefix(&line)).unwrap_or_else(|| panic!("{metrics}"));
        assert!(count.parse::<u64>().unwrap() >= 1, "{line}{count}");
    }
    assert!(metrics.contains("\nsoul_sync_conflicts 0\n"), "{metrics}");
}

#[test]
fn the_service_syncs_memories_by_itself() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let remotes = ["ada", "bob", "cy"].map(|name| {
        let folder = root.join(name);
        fs::create_dir(&folder).unwrap();
        Remote::new(&folder)
    });
    let keeper = Keeper::new(&root, "home");
    let file = |name: &str, path: &str| keeper.home.join("agents").join(name).join(path);
    for (name, remote) in ["ada", "bob", "cy"].iter().zip(&remotes) {
        fs::create_dir_all(file(name, "memory")).unwrap();
        fs::write(file(name, "SOUL.md"), format!("You are {name}.\n")).unwrap();
        fs::write(file(name, "MEMORY.md"), "# Facts\n\n- one\n").unwrap();
        keeper.ok(&["memory", "init", "--agent", name, "--remote", &remote.url()]);
    }
    let [ada, bob, cy] = &remotes;
    // The manifest of one of them says that it is not to be synced, and the remote of another is away.
    let manifest =
        json!({ "specVersion": "0.6", "name": "cy", "version": "1.0.0", "memory": { "sync": { "enabled": false } } });
    fs::write(file("cy", "soul.json"), manifest.to_string()).unwrap();
    fs::rename(bob.bare(), root.join("away.git")).unwrap();
    fs::write(keeper.home.join("config.toml"), "[sync]\ninterval = 1\non_change = 1\n").unwrap();
    let service = Service::start(&keeper.home);
    let remote_text = |remote: &Remote| remote.text("MEMORY.md").unwrap_or_default();
    wait_for("it pushes what is there", || remote_text(ada).contains("- one"));
    ada.commit("elsewhere", |work| fs::write(work.join("MEMORY.md"), "# Facts\n\n- one\n- two\n").unwrap());
    let text = || fs::read_to_string(file("ada", "MEMORY.md")).unwrap();
    wait_for("it pulls", || text().contains("- two"));
    fs::write(file("ada", "MEMORY.md"), text() + "- three\n").unwrap();
    wait_for("it pushes changes", || remote_text(ada).contains("- three"));
    let standing = |name: &str| keeper.ok(&["memory", "status", "--agent", name])["sync"].clone();
    wait_for("a failure is shown", || standing("bob")["auto_sync"]["failures"].as_u64() > Some(0));
    assert_eq!(
        (&standing("ada")["auto_sync"]["failures"], &standing("ada")["auto_sync"]["interval"]),
        (&0.into(), &1.into())
    );
    fs::rename(root.join("away.git"), bob.bare()).unwrap();
    wait_for("it recovers", || remote_text(bob).contains("- one"));
    assert_eq!(cy.text("MEMORY.md"), None, "the manifest switched it off");
    let events = keeper.ok(&["log", "--agent", "ada"]).to_string();
    assert!(events.contains("memory.push") && events.contains("auto"), "{events}");
    let metrics = service.text("/metrics");
    let count = |line: &str| -> u64 {
        let line = metrics.lines().find_map(|known| known.strip_prefix(line)).unwrap_or_else(|| panic!("{metrics}"));
        line.trim().parse().unwrap()
    };
    assert!(count("soul_sync_runs_total{kind=\"memory\",result=\"done\"}") >= 3);
    assert!(count("soul_sync_runs_total{kind=\"memory\",result=\"failed\"}") >= 1);
    assert_eq!(count("soul_sync_runs_total{kind=\"soul\",result=\"done\"}"), 0, "souls are not connected");
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
    let (code, config) = ask("GET", "/api/v1/sync/config", Value::Null);
    assert_eq!(
        (code, &config["repository"], &config["branch"]),
        (200, &remote.url().into(), &"main".into()),
        "{config}"
    );
    assert_eq!(config["autoSync"], json!({ "enabled": false, "onStartup": false, "interval": 0 }));
    assert_eq!(config["commit"]["authorName"], "Soulkeeper", "{config}");
    let (code, reached) = ask("POST", "/api/v1/sync/test-connection", json!({}));
    assert_eq!((code, &reached["success"]), (200, &true.into()), "{reached}");
    fs::rename(remote.bare(), root.join("away.git")).unwrap();
    let (code, away) = ask("POST", "/api/v1/sync/test-connection", json!({}));
    assert_eq!((code, &away["success"], away["error"].is_string()), (200, &false.into(), true), "{away}");
    // Where souls are synced to is for administrators.
    let (code, _) = ask("PUT", "/api/v1/sync/config", json!({ "repository": remote.url() }));
    assert_eq!(code, 403);
    let (code, _) = ask("POST", "/api/v1/sync/init", json!({ "remote": remote.url() }));
    assert_eq!(code, 403);
}
