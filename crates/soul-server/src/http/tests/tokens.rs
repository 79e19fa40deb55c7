//! Who may ask, and for what.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use soul_engine::Grant;
use soul_engine::ops::token::{create, revoke};
use soul_engine::store::{Role, Token};

use super::{Reply, Served};

const SOUL: &str = "/api/agents/coder/soul";

fn served() -> Served {
    Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")])
}

fn token(served: &Served, role: Role, grants: &[Grant]) -> (Token, String) {
    let name = "ci".to_owned().try_into().ok();
    let made = served.run(create::Request { role, grants: grants.to_vec(), name, agent: None });
    (made.token, made.secret.expose().to_owned())
}

/// A token that reads.
pub(super) fn viewer(served: &Served) -> String {
    token(served, Role::Viewer, &[]).1
}

/// A token that administers.
pub(super) fn admin(served: &Served) -> String {
    token(served, Role::Admin, &[]).1
}

/// A token that writes too, and its id.
pub(super) fn author(served: &Served) -> (String, String) {
    let (token, secret) = token(served, Role::Author, &[]);
    (token.id.to_string(), secret)
}

impl Served {
    async fn with_header(&self, method: &str, path: &str, authorization: &[&str], body: &str) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        for value in authorization {
            request = request.header("authorization", *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    pub(super) async fn bearing(&self, secret: &str, method: &str, path: &str, body: &str) -> Reply {
        self.with_header(method, path, &[&format!("Bearer {secret}")], body).await
    }
}

pub(super) fn refused(told: &Reply) -> (u16, String) {
    (told.status.as_u16(), told.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_token_grants_what_it_says_and_names_who_acted() {
    let served = served();
    let (_, viewer) = token(&served, Role::Viewer, &[]);
    let (_, narrow) = token(&served, Role::Author, &[Grant::Read]);
    let (known, author) = token(&served, Role::Author, &[]);
    let digest = served.bearing(&viewer, "GET", SOUL, "").await.json()["digest"].clone();
    let put = json!({ "body": "You are careful.\n", "expected_digest": digest }).to_string();
    for secret in [&viewer, &narrow] {
        assert_eq!(served.bearing(secret, "POST", &format!("{SOUL}/validate"), r#"{"body":"x"}"#).await.status, 200);
        for (method, path, body) in [("PUT", SOUL, &*put), ("DELETE", SOUL, ""), ("POST", "/api/sessions", "")] {
            assert_eq!(refused(&served.bearing(secret, method, path, body).await), (403, "not_granted".to_owned()));
        }
    }
    let changed = served.bearing(&author, "PUT", SOUL, &put).await.json();
    let actor = json!({ "kind": "token", "ref": format!("ci ({})", known.id) });
    assert_eq!(changed["revision"]["actor"], actor, "{changed}");
    assert_eq!(changed["revision"]["origin"], json!({ "kind": "http", "ref": "write" }));
    let events = served.ask("GET", "/api/events", "").await.json();
    let told: Vec<_> = events["events"].as_array().unwrap().iter().map(|event| &event["kind"]).collect();
    assert_eq!(told, ["token.create", "token.create", "token.create", "soul.adopt", "soul.put"]);
    assert_eq!(events["events"][2]["token"], json!(known.id));
}

#[tokio::test]
async fn what_is_presented_must_be_right_even_here() {
    let served = served();
    let (known, secret) = token(&served, Role::Admin, &[]);
    assert_eq!(served.ask("GET", SOUL, "").await.status, 200);
    assert_eq!(served.with_header("GET", SOUL, &[&format!("bEARER  {secret}")], "").await.status, 200);
    let mut other = secret.clone();
    let last = if other.pop() == Some('0') { '1' } else { '0' };
    other.push(last);
    let wrong = [
        format!("Bearer {other}"),
        format!("Bearer {}", &secret[..secret.len() - 1]),
        format!("Bearer {secret}0"),
        format!("Bearer {}", secret.to_uppercase()),
        format!("Bearer {}", known.id),
        format!("Basic {secret}"),
        secret.clone(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        String::new(),
        "Bearer soul_".to_owned(),
        "Bearer soul_' OR 1=1_00".to_owned(),
    ];
    for header in &wrong {
        let told = served.with_header("GET", SOUL, &[header], "").await;
        assert_eq!(refused(&told), (401, "bad_token".to_owned()), "{header}");
    }
    let twice = format!("Bearer {secret}");
    assert_eq!(served.with_header("GET", SOUL, &[&twice, &twice], "").await.status, 401);
    served.run(revoke::Request { id: known.id });
    assert_eq!(refused(&served.bearing(&secret, "GET", SOUL, "").await), (401, "bad_token".to_owned()));
}

#[tokio::test]
async fn from_elsewhere_nothing_is_answered_without_a_token() {
    let served = Served::reached_at([0, 0, 0, 0].into(), false, &[("agents/coder/SOUL.md", "You are coder.\n")]);
    let (_, secret) = token(&served, Role::Viewer, &[]);
    assert_eq!(served.ask("GET", "/healthz", "").await.status, 200);
    for path in
        ["/api", SOUL, "/readyz", "/metrics", "/openapi.json", "/docs/http.md", "/nowhere", "/healthz/", "//healthz"]
    {
        let told = served.ask("GET", path, "").await;
        assert_eq!(refused(&told), (401, "token_required".to_owned()), "{path}");
        let told = served.bearing(&secret, "GET", path, "").await;
        assert!(matches!(told.status.as_u16(), 200 | 404), "{path} {}", told.status);
    }
}
