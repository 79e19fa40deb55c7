//! Which pages may ask at all. A browser that was lured to our address brings a foreign `Host` or `Origin`.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use crate::app::App;
use crate::auth::SocketUser;
use crate::failure::Failure;
use crate::web::is_page;

/// Sets the headers that protect browsers.
pub(super) fn secure(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        // A page may say more exactly what it needs.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Why a request is refused.
pub(super) fn refusal(app: &App, request: &Request) -> Option<Failure> {
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Some(Failure::bad_request("a request must have one `Host` header"));
    }
    let foreign_origin =
        || Failure::new(StatusCode::FORBIDDEN, "foreign_origin", "cross-origin requests are not allowed");
    if is_from_another_site(request) {
        return Some(foreign_origin());
    }
    if request.extensions().get::<SocketUser>().is_some() {
        // Clients of a socket make up a host. No page of ours is opened through one, so any origin is foreign.
        if request.headers().contains_key(header::ORIGIN) {
            return Some(foreign_origin());
        }
    } else {
        // A request for an absolute address means the host in it.
        let host = request.uri().authority().map(|authority| authority.as_str()).or_else(|| text(header::HOST));
        let host = host.unwrap_or_default();
        if !app.hosts.has(host) {
            return Some(
                Failure::new(StatusCode::FORBIDDEN, "foreign_host", "unknown host name")
                    .hint("start the service with `--host NAME` to add it"),
            );
        }
        if let Some(origin) = text(header::ORIGIN) {
            let from = origin.split_once("://").map_or("", |(_, host)| host);
            if !from.eq_ignore_ascii_case(host) {
                return Some(foreign_origin());
            }
        }
    }
    let is_write = !matches!(request.method().as_str(), "GET" | "HEAD");
    if is_write && request.headers().contains_key(header::IF_MATCH) {
        let message =
            "`If-Match` is not supported; use `expected_digest` in the body (`expectedDigest` for the library)";
        return Some(Failure::new(StatusCode::BAD_REQUEST, "soul_if_match_header_unsupported", message));
    }
    None
}

/// Whether a browser says that a page of another site made it ask. It need not have an `Origin`: images, scripts and
/// `no-cors` requests have none. Somebody who follows a link to our page means to come here.
fn is_from_another_site(request: &Request) -> bool {
    let says = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let is_followed_link = request.method() == Method::GET
        && is_page(request)
        && says("sec-fetch-mode") == Some("navigate")
        && matches!(says("sec-fetch-dest"), None | Some("document"));
    let mut sites = request.headers().get_all("sec-fetch-site").iter();
    !is_followed_link && sites.any(|site| site != "same-origin" && site != "none")
}
