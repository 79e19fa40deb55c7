use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use soul_engine::library::SoulId;
use soul_engine::ops::Error;
use soul_engine::ops::history::{self, Response};
use soul_engine::ops::library::{self, Soul, create, delete, list, rollback, show, update};
use utoipa::{IntoParams, ToSchema};

use super::agents::Page;
use super::body::{Asked, Body, By, Shelved, limit};
use super::schemas::library as schemas;
use super::{Answer, schemas::Failure as Refused, schemas::History};
use crate::app::App;
use crate::failure::Failure;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct Shelf {
    /// The page, from 1.
    #[param(minimum = 1)]
    page: Option<i64>,
    /// How many souls on it: 50 if nothing is said, 200 at most.
    #[param(minimum = 0, maximum = 200)]
    per_page: Option<i64>,
    /// Only souls with this in their name, description, id or content, in any case.
    q: Option<String>,
}

/// The souls of the library by name, or those that hold a text.
#[utoipa::path(get, path = "/api/v1/settings/agent/souls", tag = "library", params(Shelf),
    responses((status = 200, body = schemas::LibrarySouls), (status = "4XX", body = Refused)))]
pub(super) async fn list(State(app): State<App>, Asked(shelf): Asked<Shelf>) -> Answer<list::Response> {
    let request = list::Request {
        query: shelf.q.unwrap_or_default(),
        page: shelf.page.unwrap_or(1),
        per_page: shelf.per_page.unwrap_or(0),
    };
    app.run(move |keeper| list::run(keeper, &request)).await.map(Json)
}

/// The soul that a path names.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by the document only")]
struct Whose {
    /// Its id.
    #[param(rename = "soulId", pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", max_length = 128)]
    soul_id: String,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = LibraryCreate)]
pub(super) struct Create {
    /// Its id, if it is not to follow from the name.
    #[schema(min_length = 1, max_length = 128, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    id: Option<String>,
    /// What people call it.
    #[schema(value_type = String, min_length = 1, max_length = 1024)]
    name: Option<String>,
    /// What it is for.
    description: Option<String>,
    /// The text that reaches a model.
    #[schema(value_type = String, min_length = 1)]
    content: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    force: Option<String>,
}

/// Add a soul to the library.
#[utoipa::path(post, path = "/api/v1/settings/agent/souls", tag = "library", request_body = Create,
    responses((status = 201, body = schemas::LibrarySoul), (status = "4XX", body = Refused)))]
pub(super) async fn create(
    State(app): State<App>,
    By(asker): By,
    Body(asked): Body<Create>,
) -> Result<(StatusCode, Json<Soul>), Failure> {
    let id = asked.id.filter(|id| !id.is_empty()).map(|id| id.parse::<SoulId>()).transpose().map_err(Error::from)?;
    let request = create::Request {
        id,
        name: asked.name.unwrap_or_default(),
        description: asked.description.unwrap_or_default(),
        content: asked.content.unwrap_or_default(),
        force: reason(asked.force),
        asker,
    };
    let soul = app.change(|keeper| create::run(keeper, request)).await?;
    Ok((StatusCode::CREATED, Json(soul)))
}

/// A digest need not be given; one that is empty was meant to be something.
fn digest(expected: Option<String>) -> Result<Option<String>, Failure> {
    match expected {
        Some(digest) if digest.trim().is_empty() => Err(Failure::bad_request("`expectedDigest` is empty")),
        expected => Ok(expected),
    }
}

fn reason(force: Option<String>) -> Option<String> {
    force.filter(|reason| !reason.trim().is_empty())
}

/// A soul of the library.
#[utoipa::path(get, path = "/api/v1/settings/agent/souls/{soulId}", tag = "library", params(Whose),
    responses((status = 200, body = schemas::LibrarySoul), (status = "4XX", body = Refused)))]
pub(super) async fn show(State(app): State<App>, Shelved(id): Shelved) -> Answer<Soul> {
    app.run(|keeper| show::run(keeper, show::Request { id })).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LibraryUpdate)]
pub(super) struct Update {
    /// The name; a blank one stays as it is.
    name: Option<String>,
    /// What it is for; an empty one takes that away.
    description: Option<String>,
    /// The content; a blank one stays as it is.
    content: Option<String>,
    /// Change only the soul that you have seen, named by its digest.
    #[serde(alias = "expected_digest")]
    expected_digest: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    force: Option<String>,
}

/// Change a soul of the library; what is not named stays as it is, to the byte.
#[utoipa::path(patch, path = "/api/v1/settings/agent/souls/{soulId}", tag = "library",
    params(Whose), request_body = Option<Update>,
    responses((status = 200, body = schemas::LibrarySoul), (status = "4XX", body = Refused)))]
pub(super) async fn update(
    State(app): State<App>,
    Shelved(id): Shelved,
    By(asker): By,
    Body(asked): Body<Update>,
) -> Answer<Soul> {
    let Update { name, description, content, expected_digest, force } = asked;
    let expected_digest = digest(expected_digest)?;
    let request = update::Request { id, name, description, content, expected_digest, force: reason(force), asker };
    app.change(|keeper| update::run(keeper, request)).await.map(Json)
}

/// In the query too, for clients that send no body with a DELETE.
#[derive(Deserialize, IntoParams, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LibraryDelete)]
#[into_params(parameter_in = Query)]
pub(super) struct Delete {
    /// Delete only the soul that you have seen, named by its digest.
    #[serde(alias = "expected_digest")]
    expected_digest: Option<String>,
    /// Even if it is the one that is selected, or `default`.
    force: Option<bool>,
}

/// Take a soul out of the library; what it was stays on record.
#[utoipa::path(delete, path = "/api/v1/settings/agent/souls/{soulId}", tag = "library",
    params(Whose, Delete), request_body = Option<Delete>,
    responses((status = 204, description = "it is gone"), (status = "4XX", body = Refused)))]
pub(super) async fn delete(
    State(app): State<App>,
    Shelved(id): Shelved,
    By(asker): By,
    Asked(query): Asked<Delete>,
    Body(asked): Body<Delete>,
) -> Result<StatusCode, Failure> {
    let request = delete::Request {
        id,
        force: asked.force.or(query.force).unwrap_or_default(),
        expected_digest: digest(asked.expected_digest.or(query.expected_digest))?,
        asker,
    };
    app.change(|keeper| delete::run(keeper, request)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who changed a soul of the library, when, and to what; newest first. One that was deleted still has it.
#[utoipa::path(get, path = "/api/v1/settings/agent/souls/{soulId}/history", tag = "library",
    params(Whose, Page),
    responses((status = 200, body = History), (status = "4XX", body = Refused)))]
pub(super) async fn history(
    State(app): State<App>,
    Shelved(id): Shelved,
    Asked(page): Asked<Page>,
) -> Answer<Response> {
    let request = library::history::Request {
        id,
        limit: limit(page.limit, history::DEFAULT_LIMIT)?,
        cursor: page.cursor,
        bodies: page.bodies.unwrap_or_default(),
        diffs: page.diffs.unwrap_or_default(),
    };
    app.run(|keeper| library::history::run(keeper, request)).await.map(Json)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LibraryRollback)]
pub(super) struct Rollback {
    /// The revision, as the history shows it.
    #[serde(alias = "revision_id")]
    revision_id: String,
    /// Change only the soul that you have seen, named by its digest.
    #[serde(alias = "expected_digest")]
    expected_digest: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    force: Option<String>,
}

/// Bring an earlier text of a soul back, even of one that was deleted.
#[utoipa::path(post, path = "/api/v1/settings/agent/souls/{soulId}/rollback", tag = "library",
    params(Whose), request_body = Rollback,
    responses((status = 200, body = schemas::LibrarySoul), (status = "4XX", body = Refused)))]
pub(super) async fn rollback(
    State(app): State<App>,
    Shelved(id): Shelved,
    By(asker): By,
    Body(asked): Body<Rollback>,
) -> Answer<Soul> {
    let Rollback { revision_id, expected_digest, force } = asked;
    let expected_digest = digest(expected_digest)?;
    let request = rollback::Request { id, revision: revision_id.into(), expected_digest, force: reason(force), asker };
    app.change(|keeper| rollback::run(keeper, request)).await.map(Json)
}
