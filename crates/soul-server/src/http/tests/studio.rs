//! The page of the studio, and the files that it loads.

use axum::body::Body;
use axum::http::Request;
use tower::ServiceExt;

use super::Served;

const ROUTES: [&str; 16] = [
    "/",
    "/library",
    "/library/concise-ops",
    "/library/concise-ops/edit",
    "/agents/reviewer",
    "/agents/reviewer/edit",
    "/agents/a%20b/delivery",
    "/memory?agent=ada&q=port",
    "/sessions",
    "/registry",
    "/registry/ada/reviewer@1.0.0",
    "/sync",
    "/log?kind=soul",
    "/settings",
    "/settings/kit",
    "/proposals",
];

async fn header(served: &Served, path: &str, name: &str) -> String {
    let request = Request::builder().uri(path).header("host", "localhost").body(Body::empty()).unwrap();
    let response = served.router.clone().oneshot(request).await.unwrap();
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

#[tokio::test]
async fn every_route_of_the_studio_is_the_same_page() {
    let served = Served::with(&[("agents/<script>&/SOUL.md", "You are careful.\n")]);
    let without_nonce = |text: &str| {
        let nonce = text.split("csp-nonce\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        (text.replace(&nonce, ""), nonce)
    };
    let mut nonces = std::collections::BTreeSet::new();
    let mut pages = std::collections::BTreeSet::new();
    for path in ROUTES {
        let page = served.ask("GET", path, "").await;
        assert_eq!((page.status.as_u16(), page.content_type.as_str()), (200, "text/html; charset=utf-8"), "{path}");
        let (text, nonce) = without_nonce(&String::from_utf8(page.bytes).unwrap());
        assert!(nonce.len() == 32 && nonces.insert(nonce), "{path}");
        pages.insert(text);
    }
    assert_eq!(pages.len(), 1);
    // The page has nobody's data: it is served to anybody.
    let page = pages.pop_first().unwrap();
    assert!(!page.contains("careful") && !page.contains("style=") && !page.contains("<style"), "{page}");
    assert!(!page.contains("<script>") && page.matches("<script").count() == page.matches("src=\"/studio/").count());
    assert_eq!(served.ask("GET", "/nowhere", "").await.status, 404);
    assert_eq!(served.ask("GET", "/agents", "").await.status, 404);
    assert_eq!(served.ask("GET", "/studio/..%2FCargo.toml", "").await.status, 404);
}

#[tokio::test]
async fn the_policy_of_the_page_is_strict_and_fresh() {
    let served = Served::with(&[]);
    let policy = header(&served, "/agents/x", "content-security-policy").await;
    let (before, after) = policy.split_once("'nonce-").unwrap();
    let (nonce, after) = after.split_once('\'').unwrap();
    assert_eq!(before, "default-src 'none'; script-src 'self'; style-src 'self' ");
    let rest = "; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; \
                require-trusted-types-for 'script'";
    assert_eq!(after, rest);
    assert!(!header(&served, "/agents/x", "content-security-policy").await.contains(nonce));
    assert_eq!(header(&served, "/", "cache-control").await, "no-store");
}

#[tokio::test]
async fn every_link_of_the_plain_page_leads_somewhere() {
    let served = Served::with(&[("agents/a/SOUL.md", "You are careful.\n")]);
    let text = String::from_utf8(served.ask("GET", "/", "").await.bytes).unwrap();
    let links: Vec<&str> = text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        if let Some(id) = link.strip_prefix('#') {
            assert!(text.contains(&format!("id=\"{id}\"")), "{link}");
            continue;
        }
        assert_eq!(served.ask("GET", link, "").await.status, 200, "{link}");
    }
    assert_eq!(served.ask("GET", "/docs/..%2FCargo.toml", "").await.status, 404);
}

#[tokio::test]
async fn the_page_needs_no_token_and_the_interface_does() {
    let served = Served::reached_at([127, 0, 0, 1].into(), true, &[("agents/a/SOUL.md", "You are careful.\n")]);
    assert_eq!(served.ask("GET", "/agents/a/edit", "").await.status, 200);
    assert_eq!(served.ask("GET", "/studio/x.js", "").await.status, 404);
    assert_eq!(served.ask("GET", "/api/agents", "").await.status, 401);
    assert_eq!(served.ask("GET", "/api/whoami", "").await.status, 401);
    assert_eq!(served.ask("GET", "/docs/http.md", "").await.status, 401);
}

#[tokio::test]
async fn a_link_of_another_site_leads_to_pages_alone() {
    let served = Served::with(&[]);
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_eq!(served.with_headers("GET", "/agents/x/history?from=@-", &link, "").await.status, 200);
    assert_eq!(served.with_headers("GET", "/studio/x.js", &link, "").await.status, 403);
    let frame = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    assert_eq!(served.with_headers("GET", "/agents/x/history", &frame, "").await.status, 403);
}
