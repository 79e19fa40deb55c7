//! Tokens over HTTP: `Authorization: Bearer`.

use axum::extract::{MatchedPath, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, Method};
use soul_engine::ops::Grant;
use soul_engine::ops::token::Secret;
use soul_engine::store::Party;

use super::{Caller, bad_token, holder, token_required};
use crate::app::App;
use crate::failure::Failure;

/// What is answered to anybody, so that others can see that the process is there.
const OPEN: &str = "/healthz";

/// Routes that only read, though a body comes with the question.
const READING: [&str; 2] = ["/api/agent/soul/validate", "/api/agents/{name}/soul/validate"];

/// The route of which only the request knows what it needs, and asks for it.
const SENT: &str = "/api/ops/{operation}";

/// Finds out who asks, and whether they may. Handlers find the caller in the request.
pub(crate) async fn authenticate(app: &App, request: &mut Request) -> Result<(), Failure> {
    let is_open = !app.hosts.are_exposed() || request.uri().path() == OPEN;
    let caller = match presented(request.headers())? {
        Some(secret) => {
            let needed = needed(request);
            let caller = holder(app, "token", secret).await?;
            needed.map_or(Ok(()), |needed| caller.needs(needed))?;
            caller
        }
        None if is_open => Caller::local(Party::new("user", "http")),
        None => return Err(token_required()),
    };
    request.extensions_mut().insert(caller);
    Ok(())
}

/// The token that came along. What is no token, or more than one, is not passed over.
fn presented(headers: &HeaderMap) -> Result<Option<Secret>, Failure> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let (scheme, secret) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(bad_token)?;
    if values.next().is_some() || !scheme.eq_ignore_ascii_case("bearer") {
        return Err(bad_token());
    }
    Ok(Some(secret.trim().to_owned().into()))
}

/// What a request has to be granted. A route of which nothing is known here changes something.
fn needed(request: &Request) -> Option<Grant> {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD) || READING.contains(&route);
    if route == SENT { None } else { Some(if reads { Grant::Read } else { Grant::Write }) }
}
