//! Requests that are sent as they are.

use serde_json::{Value, json};

use super::Served;
use super::tokens::{author, viewer};

fn written(digest: &Value) -> String {
    let asker = json!({ "actor": { "kind": "user", "ref": "root" }, "origin": { "kind": "cli", "ref": "soul write" } });
    let authorship = json!({ "expected_digest": digest, "idempotency_key": null, "force": null, "asker": asker });
    json!({ "agent": "coder", "body": "You are careful.\n", "dialect": null, "create": false, "authorship": authorship })
        .to_string()
}

#[tokio::test]
async fn a_token_holds_for_every_operation_and_cannot_be_hidden() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let (viewer, (token, author)) = (viewer(&served), author(&served));
    let inspect = r#"{"target":{"agent":"coder"},"dialect":null,"profile":"lenient"}"#;
    let seen = served.bearing(&viewer, "POST", "/api/ops/inspect", inspect).await;
    assert_eq!(seen.status, 200);
    let write = written(&seen.json()["digest"]);
    assert_eq!(served.bearing(&viewer, "POST", "/api/ops/write", &write).await.status, 403);
    assert_eq!(served.bearing(&author, "POST", "/api/ops/token.list", "{}").await.status, 403);
    let changed = served.bearing(&author, "POST", "/api/ops/write", &write).await.json();
    assert_eq!(changed["revision"]["actor"]["ref"], json!(format!("ci ({token})")), "{changed}");
}

#[tokio::test]
async fn nothing_of_the_service_s_machine_can_be_asked_for() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    for (operation, request) in [
        ("inspect", r#"{"target":{"path":"/etc/passwd"},"dialect":null,"profile":"lenient"}"#),
        ("validate", r#"{"targets":[{"path":"/etc"}],"dialect":null,"profile":"lenient"}"#),
        ("memory.status", r#"{"whose":{"directory":"/etc"}}"#),
        ("context", r#"{"target":[{"path":"/etc/passwd"},null]}"#),
    ] {
        let told = served.ask("POST", &format!("/api/ops/{operation}"), request).await;
        assert_eq!(told.status, 400, "{operation} {:?}", told.json());
    }
    let probing = r#"{"target":{"agent":"coder"},"dialect":null,"probing":{"probes":"/etc/passwd","model":"x","against":null,"answers":{"recorded":"/etc"}}}"#;
    assert!(served.ask("POST", "/api/ops/test", probing).await.json().get("probes").is_none());
    assert_eq!(served.ask("POST", "/api/ops/nothing", "{}").await.status, 404);
}
