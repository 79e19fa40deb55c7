//! Operations that are asked for by name.

use serde_json::{Value, json};

use super::Served;
use super::tokens::{author, viewer};

fn written(digest: &Value) -> String {
    json!({ "agent": "coder", "body": "You are careful.\n", "expected_digest": digest }).to_string()
}

#[tokio::test]
async fn a_token_holds_for_every_operation_and_names_who_acted() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let (viewer, (token, author)) = (viewer(&served), author(&served));
    let seen = served.bearing(&viewer, "POST", "/api/ops/inspect", r#"{"agent":"coder"}"#).await;
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
        ("inspect", r#"{"path":"/etc/passwd"}"#),
        ("inspect", r#"{"target":{"path":"/etc/passwd"}}"#),
        ("validate", r#"{"targets":[{"path":"/etc"}]}"#),
        ("scan", r#"{"targets":[{"path":"/etc"}]}"#),
        ("convert", r#"{"path":"/etc/passwd","to":"agh"}"#),
        ("memory.status", r#"{"directory":"/etc"}"#),
        ("context", r#"{"path":"/etc/passwd"}"#),
        ("test", r#"{"agent":"coder","probing":{"model":"x"}}"#),
    ] {
        let reply = served.ask("POST", &format!("/api/ops/{operation}"), request).await;
        assert_eq!(reply.status, 400, "{operation} {:?}", reply.json());
    }
    assert_eq!(served.ask("POST", "/api/ops/nothing", "{}").await.status, 404);
}

#[tokio::test]
async fn a_key_that_comes_twice_is_refused() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let rollback = "/api/agents/coder/soul/rollback";
    for (path, body) in [
        (format!("{rollback}?dry_run=true"), r#"{"revision_id":"rev_1","dry_run":false}"#),
        (rollback.to_owned(), r#"{"revision_id":"rev_1","dry_run":true,"dry_run":false}"#),
        (rollback.to_owned(), r#"{"revision_id":"rev_1","agent":"other"}"#),
        ("/api/ops/rollback".to_owned(), r#"{"agent":"coder","revision_id":"rev_1","dry_run":true,"dry_run":false}"#),
    ] {
        let reply = served.ask("POST", &path, body).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (400, &json!("bad_request")),
            "{path} {body}"
        );
    }
    let twice = served.ask("GET", "/api/agents/coder/soul/history?limit=1&limit=2", "").await;
    assert_eq!(twice.status, 400);
}

#[tokio::test]
async fn a_caller_on_this_machine_names_itself_and_a_token_names_its_holder() {
    let served = Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")]);
    let send = async |actor: &str, authorization: Option<&str>| {
        let mut request = axum::http::Request::builder().method("PUT").uri("/api/agents/helper/soul");
        request = request.header("host", "localhost").header("soul-actor", actor);
        if let Some(secret) = authorization {
            request = request.header("authorization", format!("Bearer {secret}"));
        }
        let body = json!({ "create": true, "body": "You help.\n", "idempotency_key": "once" }).to_string();
        served.send(request.body(body.into()).unwrap()).await
    };
    let named = send("agent:planner", None).await.json();
    assert_eq!(named["revision"]["actor"], json!({ "kind": "agent", "ref": "planner" }), "{named}");
    let (_, author) = author(&served);
    assert_eq!(send("user:somebody", Some(&author)).await.status, 400);
}
