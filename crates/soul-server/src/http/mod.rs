//! HTTP, one file a resource. A route and its document are one thing: `#[utoipa::path]`.

mod agents;
mod audit;
mod body;
mod calibration;
mod context;
mod docs;
mod events;
mod guard;
mod health;
mod library;
mod operations;
mod page;
mod persona;
mod runs;
mod schemas;
mod sessions;
mod settings;
mod tasks;
#[cfg(test)]
mod tests;
mod validate;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use std::time::Instant;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth;
use crate::failure::Failure;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Soulkeeper",
        description = "Who an agent is: authored, checked, on record, bound to sessions.",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    components(schemas(schemas::Failure)),
    security((), ("token" = [])),
    modifiers(&Tokens)
)]
struct Document;

/// Every route takes a token; which of them need one hangs on where it is asked from.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        document.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(agents::list))
        .routes(routes!(agents::show, agents::put, agents::delete))
        .routes(routes!(agents::history))
        .routes(routes!(agents::rollback))
        .routes(routes!(agents::diff))
        .routes(routes!(agents::prompt))
        .routes(routes!(validate::of_agent))
        .routes(routes!(validate::of_text))
        .routes(routes!(context::get))
        .routes(routes!(sessions::list, sessions::start))
        .routes(routes!(sessions::show))
        .routes(routes!(sessions::spawn))
        .routes(routes!(sessions::refresh))
        .routes(routes!(sessions::resume))
        .routes(routes!(sessions::stop))
        .routes(routes!(sessions::prompt))
        .routes(routes!(tasks::list, tasks::add))
        .routes(routes!(tasks::claim))
        .routes(routes!(runs::renew))
        .routes(routes!(runs::finish))
        .routes(routes!(events::list))
        .routes(routes!(audit::verify))
        .routes(routes!(library::list, library::create))
        .routes(routes!(library::show, library::update, library::delete))
        .routes(routes!(library::history))
        .routes(routes!(library::rollback))
        .routes(routes!(settings::show, settings::change))
        .routes(routes!(persona::show))
        .routes(routes!(persona::drawing))
        .routes(routes!(persona::adapt))
        .routes(routes!(persona::drift))
        .routes(routes!(persona::mood, persona::move_mood))
        .routes(routes!(persona::overlays, persona::lay, persona::clear))
        .routes(routes!(persona::history))
        .routes(routes!(persona::revert))
        .routes(routes!(calibration::boot))
        .routes(routes!(calibration::test))
        .routes(routes!(operations::run))
}

/// The document of the interface, as it is served and checked in.
#[must_use]
pub fn openapi() -> String {
    let api = documented().into_openapi();
    // Texts and numbers only: nothing that could fail to be written.
    api.to_pretty_json().unwrap_or_default() + "\n"
}

pub(crate) fn router(app: App) -> Router {
    let (router, api) = documented().split_for_parts();
    let document = api.to_pretty_json().unwrap_or_default();
    router
        .route("/openapi.json", get(move || async move { ([("content-type", "application/json")], document.clone()) }))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/docs/{page}", get(docs::page))
        .route("/", get(page::index))
        .fallback(|| async { Failure::new(StatusCode::NOT_FOUND, "not_found", "there is no such route") })
        .method_not_allowed_fallback(|| async {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this route does not have that method")
        })
        .layer(middleware::from_fn_with_state(app.clone(), receive))
        .with_state(app)
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
        Some(failure) => failure.into_response(),
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

/// An answer in JSON, or why there is none.
type Answer<T> = Result<Json<T>, Failure>;
