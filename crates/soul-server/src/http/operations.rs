use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde_json::{Value, json};
use soul_engine::ops::Entry;
use soul_engine::store::Party;

use super::body::{Body, Id};
use super::{Answer, schemas};
use crate::app::App;
use crate::auth::Caller;
use crate::failure::Failure;

/// Where requests name who asks.
const ASKERS: [&str; 4] = ["/asker", "/authorship/asker", "/apply/asker", "/change/1"];

/// An operation by its name, on the request that `soul --server` sends.
///
/// Requests and answers are those of the library, which may change with each version; whoever writes a
/// client of their own uses the other routes. What failed goes along as `cause`.
#[utoipa::path(post, path = "/api/ops/{operation}", tag = "operations", params(("operation" = String, Path)),
    request_body = Value,
    responses((status = 200, body = Value), (status = "4XX", body = schemas::Failure)))]
pub(super) async fn run(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Id(name): Id,
    Body(mut request): Body<Value>,
) -> Answer<Value> {
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "operation_not_found", "there is no such operation");
    let entry = Entry::find(&name).ok_or_else(unknown)?;
    // Whoever presents a token is who it says, and nobody else.
    for asker in ASKERS {
        if let (Some(proven), Some(asker)) = (caller.proven(), request.pointer_mut(asker)) {
            *asker = json!({ "actor": proven, "origin": Party::new("http", &format!("POST /api/ops/{name}")) });
        }
    }
    let wrong = |error| Failure::bad_request(format!("not a request of this operation: {error}"));
    let ready = entry.read(request).map_err(wrong)?;
    caller.needs(ready.grant)?;
    match app.granted(ready.grant, move |keeper| Ok(ready.run(keeper))).await? {
        Ok(answer) => Ok(Json(answer)),
        Err(error) => {
            let cause = json!(error);
            let mut failure = Failure::from(error);
            failure.more.insert("cause".to_owned(), cause);
            Err(failure)
        }
    }
}
