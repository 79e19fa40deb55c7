//! The studio: one page for all of its routes, and the files of the bundle that it loads. They are built into the
//! program; `studio/` has their source.

mod page;

use axum::extract::{MatchedPath, Path, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};

use crate::app::App;
use crate::failure::Failure;

/// A file of the bundle.
struct Asset {
    name: &'static str,
    bytes: &'static [u8],
    gzip: &'static [u8],
}

mod bundle {
    use super::Asset;

    include!(concat!(env!("OUT_DIR"), "/studio.rs"));
}

/// The routes of the page. What they show is decided in the browser.
const PAGES: [&str; 16] = [
    "/",
    "/agents/{name}",
    "/agents/{name}/{tab}",
    "/library",
    "/library/{id}",
    "/library/{id}/{tab}",
    "/log",
    "/memory",
    "/proposals",
    "/proposals/{id}",
    "/registry",
    "/registry/{owner}/{name}",
    "/sessions",
    "/settings",
    "/settings/kit",
    "/sync",
];

/// Where the files of the bundle are.
const ASSET: &str = "/studio/{file}";

/// The routes of the studio.
pub(crate) fn routes(mut router: Router<App>) -> Router<App> {
    for path in PAGES {
        router = router.route(path, get(page::page));
    }
    router.route(ASSET, get(asset))
}

/// Whether a request is for a page, to which a link of another site may lead.
pub(crate) fn is_page(request: &Request) -> bool {
    matched(request).is_some_and(|path| PAGES.contains(&path))
}

/// Whether a request is for a page or a file of it: anybody may have those, and signs in on them.
pub(crate) fn is_studio(request: &Request) -> bool {
    is_page(request) || matched(request) == Some(ASSET)
}

fn matched(request: &Request) -> Option<&str> {
    request.extensions().get::<MatchedPath>().map(MatchedPath::as_str)
}

/// Whether a person follows a link, and not a program.
pub(crate) fn asks_for_a_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|value| value.contains("text/html"))
}

/// The page for an address that leads nowhere: it says so, and where to go from there.
pub(crate) async fn lost() -> Result<Response, Failure> {
    page::page().await.map(|page| (StatusCode::NOT_FOUND, page).into_response())
}

/// A file of the bundle. Its name changes with its content, so it is kept for good.
async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    let missing = || Failure::new(StatusCode::NOT_FOUND, "not_found", "there is no such file");
    let Asset { name, bytes, gzip } = bundle::ASSETS.iter().find(|asset| asset.name == file).ok_or_else(missing)?;
    let always = [
        (header::CONTENT_TYPE, content_type(name)),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    Ok(match takes_gzip(&headers) && gzip.len() < bytes.len() {
        true => (always, [(header::CONTENT_ENCODING, "gzip")], *gzip).into_response(),
        false => (always, *bytes).into_response(),
    })
}

/// Whether a client says that it can unpack gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (accepted, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("", false),
        ] {
            let headers: HeaderMap = [(header::ACCEPT_ENCODING, accepted.parse().unwrap())].into_iter().collect();
            assert_eq!(takes_gzip(&headers), takes, "{accepted}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    /// The bundle is whole: what the manifest names is there, and every name has a digest in it.
    #[test]
    fn the_manifest_names_files_of_the_bundle() {
        let Some(manifest) = bundle::MANIFEST else { return };
        let manifest: page::Manifest = serde_json::from_str(manifest).unwrap();
        for name in manifest.files() {
            assert!(bundle::ASSETS.iter().any(|asset| asset.name == name), "{name}");
        }
        for Asset { name, bytes, gzip } in bundle::ASSETS {
            assert!(name.split('.').count() >= 3, "{name} has no digest in its name");
            assert!(!bytes.is_empty() && gzip.starts_with(&[0x1f, 0x8b]), "{name}");
        }
    }
}
