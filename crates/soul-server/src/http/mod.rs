//! HTTP: a table of routes, the way from each to its operation, and a few pages that are no operation.

mod body;
mod dispatch;
mod docs;
mod events;
mod example;
mod guard;
mod health;
mod openapi;
mod radar;
mod routes;
mod sigil;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, get, on, post};

pub(crate) use body::object;
pub(crate) use dispatch::{caller, soul_first};
pub(crate) use docs::pages as doc_pages;
pub(crate) use health::Readiness;
pub use openapi::openapi;
pub(crate) use routes::DAGU;

use crate::app::App;
use crate::auth;
use crate::failure::Failure;
use crate::{mcp, web};
use routes::{ROUTES, Route};

pub(crate) fn router(app: App) -> Router {
    let sessions = mcp::Sessions::new(app.clone());
    let with_sessions = || Arc::clone(&sessions);
    let (posted, streamed, ended) = (with_sessions(), with_sessions(), with_sessions());
    let mut router = Router::new()
        .route(
            "/mcp",
            post(move |request| mcp::post(Arc::clone(&posted), request))
                .get(move |request| mcp::get(Arc::clone(&streamed), request))
                .delete(move |request| mcp::delete(Arc::clone(&ended), request)),
        )
        .route("/api/ops/{operation}", post(|State(app): State<App>, request| dispatch::operation(app, request)))
        .route("/api/agents/{name}/persona/radar.svg", get(radar::drawing))
        .route("/openapi.json", get(openapi::document))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route(sigil::AGENT, get(sigil::of_agent))
        .route(sigil::LIBRARY, get(sigil::of_library))
        .route(auth::SIGN_IN, post(auth::sign_in))
        .route(auth::SIGN_OUT, post(auth::sign_out))
        .route("/docs/{page}", get(docs::page));
    router = web::routes(router);
    for route in ROUTES {
        router = match route.path {
            events::PATH => router.route(route.path, get(events::list)),
            path => router
                .route(path, on(filter(route), |State(app): State<App>, request| dispatch::route(app, route, request))),
        };
    }
    router
        .fallback(|uri: Uri, method: Method, headers: HeaderMap| async move {
            if method == Method::GET && !uri.path().starts_with("/api") && web::asks_for_a_page(&headers) {
                return web::lost().await.into_response();
            }
            Failure::new(StatusCode::NOT_FOUND, "not_found", "there is no such route").on(uri.path()).into_response()
        })
        .method_not_allowed_fallback(|uri: Uri| async move {
            let message = "this route does not have that method";
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message).on(uri.path())
        })
        .layer(middleware::from_fn_with_state(app.clone(), receive))
        .with_state(app)
}

fn filter(route: &Route) -> MethodFilter {
    match route.method {
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "PATCH" => MethodFilter::PATCH,
        "DELETE" => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    }
}

/// Every request's way in and out: whose page asks, who it is, the handler, and what every answer carries. It
/// is counted and logged by its route, never by its path: names and queries stay out of logs.
async fn receive(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let refused = match guard::refusal(&app, &request) {
        Some(failure) => Some(failure),
        None => auth::authenticate(&app, &mut request).await.err(),
    };
    let mut response = match refused {
        Some(failure) => failure.on(request.uri().path()).into_response(),
        None => next.run(request).await,
    };
    guard::secure(response.headers_mut());
    let route = matched.as_ref().map_or("", MatchedPath::as_str);
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    app.metrics.answered(method, route, status, took);
    tracing::info!(method, route, status, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), "answered");
    response
}

/// The name of a method that routes have; clients may think of others without end.
fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
