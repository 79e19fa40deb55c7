//! What a client may do that shows no token, and which requests are taken for local.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use soul_engine::ops::token::list;

use super::tokens::{admin, refused, viewer};
use super::{Reply, Served};

const SOUL: &str = "/api/agents/coder/soul";

fn served(require_token: bool) -> Served {
    Served::reached_at([127, 0, 0, 1].into(), require_token, &[("agents/coder/SOUL.md", "You are coder.\n")])
}

impl Served {
    pub(super) async fn with_headers(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

fn code(code: &str, status: u16) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn without_a_token_souls_are_read_and_changed_but_the_keeper_is_not_administered() {
    let served = served(false);
    let digest = served.ask("GET", SOUL, "").await.json()["digest"].clone();
    let put = json!({ "body": "You are careful.\n", "expected_digest": digest }).to_string();
    for (method, path, body) in [
        ("PUT", SOUL, &*put),
        ("POST", "/api/v1/settings/agent/souls", r#"{"name":"Ops","content":"Be brief."}"#),
        ("PATCH", "/api/v1/settings/agent", r#"{"selectedSoulId":"ops"}"#),
        ("POST", "/api/sessions", r#"{"agent":"coder"}"#),
        ("GET", "/api/audit/verify", ""),
    ] {
        let reply = served.ask(method, path, body).await;
        assert!(reply.status.is_success(), "{method} {path} {:?}", reply.json());
    }
    let create = r#"{"role":"admin"}"#;
    for (method, path, body) in [
        ("POST", "/api/tokens", create),
        ("GET", "/api/tokens", ""),
        ("DELETE", "/api/tokens/tok_1", ""),
        ("POST", "/api/ops/token.create", create),
        ("POST", "/api/ops/token.list", "{}"),
        ("POST", "/api/ops/token.revoke", r#"{"id":"tok_1"}"#),
    ] {
        let reply = served.ask(method, path, body).await;
        assert_eq!(refused(&reply), code("not_granted", 403), "{method} {path}");
        let hint = reply.json()["error"]["hint"].to_string();
        assert!(hint.contains("unix:") && hint.contains("SOUL_TOKEN"), "{hint}");
    }
    assert!(served.run(list::Request {}).tokens.is_empty());
    let admin = admin(&served);
    assert_eq!(served.bearing(&admin, "POST", "/api/tokens", create).await.status, 201);
}

#[tokio::test]
async fn a_token_can_be_required_on_loopback_too() {
    let served = served(true);
    let secret = viewer(&served);
    assert_eq!(served.ask("GET", "/healthz", "").await.status, 200);
    for path in [SOUL, "/api/whoami", "/readyz", "/metrics", "/openapi.json", "/nowhere"] {
        assert_eq!(refused(&served.ask("GET", path, "").await), code("token_required", 401), "{path}");
        let named = served.with_headers("GET", path, &[("soul-actor", "user:ada")], "").await;
        assert_eq!(refused(&named), code("token_required", 401), "{path}");
        assert_ne!(served.bearing(&secret, "GET", path, "").await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn a_forwarded_request_is_never_local() {
    let served = served(false);
    let secret = format!("Bearer {}", viewer(&served));
    for header in [
        ("forwarded", "for=192.0.2.7"),
        ("Forwarded", ""),
        ("x-forwarded-for", "127.0.0.1"),
        ("X-Forwarded-Host", "keeper.example"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-port", "443"),
        ("x-real-ip", "127.0.0.1"),
        ("via", "1.1 proxy"),
    ] {
        for (method, path, body) in [
            ("GET", SOUL, ""),
            ("GET", "/api/agents", ""),
            ("GET", "/metrics", ""),
            ("PUT", SOUL, r#"{"body":"Taken over.\n"}"#),
            ("POST", "/api/ops/token.create", r#"{"role":"admin"}"#),
        ] {
            let reply = served.with_headers(method, path, &[header], body).await;
            assert_eq!(refused(&reply), code("token_required", 401), "{header:?} {method} {path}");
        }
        assert_eq!(served.with_headers("GET", "/healthz", &[header], "").await.status, 200);
        let shown = served.with_headers("GET", SOUL, &[header, ("authorization", &secret)], "").await;
        assert_eq!(shown.status, 200, "{header:?}");
    }
}

#[tokio::test]
async fn nobody_acts_as_what_only_the_keeper_puts_on_record() {
    let served = served(false);
    for actor in ["outside:x", "token:ci (tok_1)", "sync:git", "registry:x", "extension:x", "OUTSIDE:x", ":x", "user:"]
    {
        let body = r#"{"create":true,"body":"You help.\n"}"#;
        let reply = served.with_headers("PUT", "/api/agents/helper/soul", &[("soul-actor", actor)], body).await;
        assert_eq!(refused(&reply), code("bad_request", 400), "{actor}");
    }
    assert_eq!(served.ask("GET", "/api/agents/helper/soul", "").await.status, 404);
}

/// Any user of the machine can send this.
#[tokio::test]
async fn the_name_of_a_person_is_unverified_without_a_token() {
    let served = served(false);
    let body = r#"{"create":true,"body":"You help.\n"}"#;
    for (name, actor, recorded) in [("one", "user:root", "root (unverified)"), ("two", "agent:planner", "planner")] {
        let path = format!("/api/agents/{name}/soul");
        let reply = served.with_headers("PUT", &path, &[("soul-actor", actor)], body).await;
        assert_eq!(reply.json()["revision"]["actor"]["ref"], recorded);
    }
}
