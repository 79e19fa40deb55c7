//! The stream of events.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use futures_util::StreamExt;
use serde_json::json;
use soul_engine::ops::token::revoke;
use tower::ServiceExt;

use super::Served;
use super::tokens::author;

const LONG: Duration = Duration::from_secs(20);

fn served() -> Served {
    Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")])
}

async fn follow(served: &Served, headers: &[(&str, &str)]) -> BodyDataStream {
    let mut request = Request::builder().uri("/api/events").header("host", "localhost");
    request = request.header("accept", "text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = served.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200);
    response.into_body().into_data_stream()
}

/// The next part of a stream; none if it ended.
async fn next(stream: &mut BodyDataStream) -> Option<String> {
    let part = tokio::time::timeout(LONG, stream.next()).await.unwrap()?;
    Some(String::from_utf8(part.unwrap().to_vec()).unwrap())
}

async fn change(served: &Served) {
    let body = json!({ "create": true, "body": "You help.\n" }).to_string();
    assert_eq!(served.ask("PUT", "/api/agents/helper/soul", &body).await.status, 200);
}

#[tokio::test]
async fn a_stream_ends_with_its_token_and_tells_nothing_of_what_comes_after() {
    let served = served();
    let (id, secret) = author(&served);
    let mut stream = follow(&served, &[("authorization", &format!("Bearer {secret}"))]).await;
    assert!(next(&mut stream).await.unwrap().contains("token.create"));
    let mut other = follow(&served, &[]).await;
    assert!(next(&mut other).await.unwrap().contains("token.create"));
    served.run(revoke::Request { id: id.into() });
    change(&served).await;
    let mut rest = String::new();
    while let Some(part) = next(&mut stream).await {
        rest.push_str(&part);
    }
    assert!(!rest.contains("event:"), "{rest}");
    // Who needs no token goes on.
    assert!(next(&mut other).await.unwrap().contains("token.revoke"));
    assert!(next(&mut other).await.unwrap().contains("soul.put"));
}

#[tokio::test]
async fn a_client_that_continues_after_no_event_continues_from_now() {
    let served = served();
    change(&served).await;
    let mut stream = follow(&served, &[("last-event-id", "9999")]).await;
    let notice = next(&mut stream).await.unwrap();
    assert!(notice.starts_with(":") && notice.contains("9999"), "{notice}");
    let body = json!({ "name": "Ops", "content": "Be brief." }).to_string();
    assert_eq!(served.ask("POST", "/api/v1/settings/agent/souls", &body).await.status, 201);
    let event = next(&mut stream).await.unwrap();
    assert!(event.contains("soul.put") && event.contains("id: 2"), "{event}");
    let mut resumed = follow(&served, &[("last-event-id", "1")]).await;
    assert!(next(&mut resumed).await.unwrap().contains("id: 2"));
}
