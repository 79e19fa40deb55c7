//! Requests that pages of other sites make a browser send.

use axum::body::Body;
use axum::http::Request;
use tower::ServiceExt;

use super::Served;
use super::tokens::refused;

fn served() -> Served {
    Served::with(&[("agents/coder/SOUL.md", "You are coder.\n")])
}

#[tokio::test]
async fn a_page_of_another_site_gets_nothing() {
    let served = served();
    for site in ["cross-site", "same-site", "Cross-Site", "", "anything"] {
        for (mode, dest) in [("no-cors", "image"), ("no-cors", "empty"), ("cors", "empty"), ("navigate", "iframe")] {
            for path in [
                "/",
                "/api/agents",
                "/api/events",
                "/api/audit/verify",
                "/api/agents/coder/persona/radar.svg",
                "/healthz",
            ] {
                let headers = [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)];
                let reply = served.with_headers("GET", path, &headers, "").await;
                assert_eq!(refused(&reply), (403, "foreign_origin".to_owned()), "{site} {mode} {path}");
            }
        }
        // A link leads to the page, and to nothing else.
        let link = [("sec-fetch-site", site), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        assert_eq!(served.with_headers("GET", "/", &link, "").await.status, 200, "{site}");
        assert_eq!(served.with_headers("GET", "/api/agents", &link, "").await.status, 403, "{site}");
        assert_eq!(served.with_headers("POST", "/", &link, "").await.status, 403, "{site}");
    }
    for site in ["same-origin", "none"] {
        let own = [("sec-fetch-site", site), ("sec-fetch-mode", "cors")];
        assert_eq!(served.with_headers("GET", "/api/agents", &own, "").await.status, 200, "{site}");
    }
    let both = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")];
    assert_eq!(served.with_headers("GET", "/api/agents", &both, "").await.status, 403);
}

#[tokio::test]
async fn a_host_is_a_name_and_a_port() {
    let served = served();
    for (host, status) in [
        ("localhost:80", 200),
        ("[::1]:7741", 200),
        ("localhost:80@evil.example", 403),
        ("localhost:evil.example", 403),
        ("[::1].evil.example", 403),
    ] {
        let request = Request::builder().uri("/api/agents").header("host", host).body(String::new().into()).unwrap();
        assert_eq!(served.send(request).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn every_answer_protects_browsers() {
    let served = served();
    for (path, accept) in [("/", "*/*"), ("/healthz", "*/*"), ("/nowhere", "*/*"), ("/api/events", "text/event-stream")]
    {
        let request = Request::builder().uri(path).header("host", "localhost").header("accept", accept);
        let response = served.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        for (name, value) in [
            ("cache-control", "no-store"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(response.headers().get_all(name).iter().collect::<Vec<_>>(), [value], "{path} {name}");
        }
    }
}
