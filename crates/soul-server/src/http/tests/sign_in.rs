//! People who sign in with a token in a browser.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use soul_engine::ops::token;
use soul_engine::store::Role;
use tower::ServiceExt;

use super::Served;
use super::tokens::refused;

const OWN: [(&str, &str); 2] = [("soul-studio", "1"), ("origin", "http://localhost")];

fn token(served: &Served, role: Role) -> token::create::Response {
    served.run(token::create::Request {
        role,
        grants: Vec::new(),
        name: serde_json::from_value(json!("kim")).unwrap(),
        agent: None,
    })
}

/// Signs in; the status, the answer, and the cookie with its attributes.
async fn sign_in(served: &Served, secret: &str, headers: &[(&str, &str)]) -> (StatusCode, Value, String) {
    let mut request = Request::builder().method("POST").uri("/api/sign-in").header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Body::from(json!({ "token": secret }).to_string());
    let response = served.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    let cookie = response.headers().get("set-cookie").map(|value| value.to_str().unwrap().to_owned());
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or_default(), cookie.unwrap_or_default())
}

#[tokio::test]
async fn a_cookie_stands_for_the_token_until_it_is_revoked() {
    let served = Served::reached_at([127, 0, 0, 1].into(), true, &[("agents/a/SOUL.md", "You are careful.\n")]);
    let made = token(&served, Role::Author);
    let (status, who, set) = sign_in(&served, made.secret.expose(), &OWN).await;
    assert_eq!((status, &who["name"], &who["role"]), (StatusCode::OK, &json!("kim"), &json!("author")));
    let (cookie, attributes) = set.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/; Max-Age=43200");
    assert!(cookie.starts_with("soul_session_80=") && !set.contains(made.secret.expose()));
    let reads = [("cookie", cookie)];
    let who = served.with_headers("GET", "/api/whoami", &reads, "").await.json();
    assert_eq!((&who["authority"], &who["grants"]), (&json!("token"), &json!(["soul.read", "soul.write"])));
    assert_eq!(served.with_headers("GET", "/api/agents", &reads, "").await.status, 200);
    // Someone else has signed in elsewhere, and this browser keeps other cookies too.
    let many = format!("a=b; soul_session_7741=x; {cookie}; c");
    assert_eq!(served.with_headers("GET", "/api/agents", &[("cookie", &many)], "").await.status, 200);
    assert_eq!(served.with_headers("GET", "/api/agents", &[("cookie", "soul_session_80=x")], "").await.status, 401);
    served.run(token::revoke::Request { id: made.token.id });
    assert_eq!(served.with_headers("GET", "/api/agents", &reads, "").await.status, 401);
}

#[tokio::test]
async fn a_change_with_the_cookie_must_come_from_our_page() {
    let served = Served::with(&[]);
    let secret = token(&served, Role::Author).secret;
    let (_, _, set) = sign_in(&served, secret.expose(), &OWN).await;
    let cookie = ("cookie", set.split(';').next().unwrap());
    let post = async |headers: &[(&str, &str)]| {
        let headers: Vec<_> = [cookie].iter().chain(headers).copied().collect();
        served.with_headers("POST", "/api/tasks", &headers, "{}").await
    };
    assert_eq!(post(&OWN).await.status, 200);
    assert_eq!(post(&[("soul-studio", "1"), ("sec-fetch-site", "same-origin")]).await.status, 200);
    assert_eq!(refused(&post(&[("origin", "http://localhost")]).await), (403, "csrf_header_missing".to_owned()));
    assert_eq!(refused(&post(&[("soul-studio", "1")]).await), (403, "foreign_origin".to_owned()));
    let foreign = [("soul-studio", "1"), ("origin", "http://evil.example")];
    assert_eq!(refused(&post(&foreign).await), (403, "foreign_origin".to_owned()));
    let foreign = [("soul-studio", "1"), ("sec-fetch-site", "cross-site")];
    assert_eq!(refused(&post(&foreign).await), (403, "foreign_origin".to_owned()));
    // A bearer token is never sent by a browser on its own.
    let bearer = format!("Bearer {}", secret.expose());
    assert_eq!(served.with_headers("POST", "/api/tasks", &[("authorization", &bearer)], "{}").await.status, 200);
    assert_eq!(post(&[OWN[0], OWN[1], ("soul-actor", "user:root")]).await.status, 400);
    let tasks = served.with_headers("GET", "/api/tasks", &[cookie], "").await.json();
    assert_eq!(tasks["tasks"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn signing_in_needs_a_good_token_and_our_page() {
    let served = Served::with(&[]);
    let made = token(&served, Role::Viewer);
    assert_eq!(sign_in(&served, "soul_x_y", &OWN).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(sign_in(&served, made.secret.expose(), &[]).await.0, StatusCode::FORBIDDEN);
    let (status, _, set) = sign_in(&served, made.secret.expose(), &OWN).await;
    assert_eq!(status, StatusCode::OK);
    let cookie = ("cookie", set.split(';').next().unwrap());
    let headers = [cookie, OWN[0], OWN[1]];
    assert_eq!(
        refused(&served.with_headers("POST", "/api/tasks", &headers, "{}").await),
        (403, "not_granted".to_owned())
    );
    assert_eq!(served.with_headers("POST", "/api/sign-out", &headers, "").await.status, 204);
    // Signed out, a client on this machine is anybody again.
    let who = served.with_headers("GET", "/api/whoami", &[cookie], "").await.json();
    assert_eq!((&who["authority"], &who["role"]), (&json!("anybody"), &Value::Null));
    for body in ["", "{}", "{\"token\": 7}", "[]"] {
        let headers = [OWN[0], OWN[1]];
        assert_eq!(served.with_headers("POST", "/api/sign-in", &headers, body).await.status, 400, "{body}");
    }
}
