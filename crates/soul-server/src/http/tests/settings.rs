//! Settings that change while the service runs.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::Served;

#[tokio::test]
async fn a_changed_setting_counts_from_the_next_request_on_and_a_broken_file_changes_nothing() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    // Long enough ago that the answer is cached.
    tokio::time::sleep(Duration::from_millis(150)).await;
    let context = "/api/agent/context?agent=coder";
    let is_active = async || served.ask("GET", context, "").await.json()["soul"]["active"].clone();
    assert_eq!(is_active().await, json!(true));
    assert_eq!(is_active().await, json!(true));
    let config = served.home.path().join("config.toml");
    fs::write(&config, "[agents.soul]\nenabled = false\n").unwrap();
    assert_eq!(is_active().await, json!(false));
    fs::write(&config, "[agents.soul]\nenabled = maybe\n").unwrap();
    assert_eq!(is_active().await, json!(false));
    let check = async || {
        let report = served.ask("GET", "/api/doctor", "").await.json();
        let checks = report["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["name"] == "settings").unwrap()
    };
    let told = check().await;
    assert_eq!(told["status"], "broken", "{told}");
    assert!(told["message"].as_str().unwrap().contains("line 2"), "{told}");
    assert!(!told.to_string().contains(served.home.path().to_str().unwrap()), "{told}");
    fs::remove_file(&config).unwrap();
    assert_eq!(is_active().await, json!(true));
    assert_eq!(check().await["status"], "ok");
}
