//! From an HTTP request to an operation and back. Path, query and body are merged into one request, which the
//! operation reads; whatever is wrong with it is a 4xx with a code.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use soul_engine::ops::{self, Operation, Shape};
use soul_engine::{Caller, Grant};

use super::body;
use super::routes::{Answer, ROUTES, Route};
use crate::agh;
use crate::app::App;
use crate::failure::Failure;

/// Keys that clients of the peers send, and that mean nothing here.
pub(super) const IGNORED: [&str; 4] = ["workspace_id", "workspace", "agent_name", "remoteNode"];

/// Answers a route.
pub(super) async fn route(app: App, route: &'static Route, request: Request) -> Result<Response, Failure> {
    answer(app, route, request).await.map_err(|failure| failure.on(route.path))
}

async fn answer(app: App, route: &'static Route, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let caller = caller(&parts)?;
    let entry = ops::find(route.operation).ok_or_else(Failure::gone)?;
    // A question that was answered before, if the answer is still true. Under other settings it would be another
    // question.
    let mut question = None;
    if route.method == "GET" && entry.hints.read_only {
        let (keeper, generation) = app.keeper.with_generation();
        let asked = format!("{generation} {}", parts.uri);
        if let Some(answer) = app.cached(&keeper, &asked).await {
            return if caller.has(Grant::Read) { Ok(json(answer)) } else { Err(Failure::denied(&caller, Grant::Read)) };
        }
        question = Some(asked);
    }
    let parameters = parameters(&mut parts).await?;
    let given = match route.method {
        "GET" => Map::new(),
        // A change without a word of what to change is a mistake, not a change of nothing.
        "PATCH" => body::object(body).await?.ok_or_else(body::missing)?,
        _ => body::object(body).await?.unwrap_or_default(),
    };
    let merged = merge(route, entry.request(), parameters, parts.uri.query().unwrap_or_default(), given)?;
    if route.method == "GET" && !entry.hints.read_only {
        let ready = entry.read(Value::Object(merged.clone())).map_err(|error| Failure::of(&app.keeper.get(), error))?;
        if ready.grant != Grant::Read {
            return Err(Failure::bad_request("`GET` changes nothing: send the request with `POST`"));
        }
    }
    let answer = app.answer(entry, Value::Object(merged), caller).await?;
    if let (Some(question), Some(freshness)) = (question, answer.freshness) {
        app.cache.put(question, answer.json.clone(), freshness);
    }
    Ok(match route.answer {
        Answer::Ok => json(answer.json),
        Answer::Created => (StatusCode::CREATED, json(answer.json)).into_response(),
        Answer::NoContent => StatusCode::NO_CONTENT.into_response(),
        Answer::SoulFirst => {
            let answer = soul_first(serde_json::from_slice(&answer.json).unwrap_or_default());
            Json(answer).into_response()
        }
    })
}

/// Answers `/api/ops/{operation}`, on the request that `soul --server` sends.
pub(super) async fn operation(app: App, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let caller = caller(&parts)?;
    let name = parameter(&mut parts).await?.unwrap_or_default();
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "operation_not_found", "there is no such operation");
    let entry = ops::find(&name).ok_or_else(unknown)?;
    let request = body::object(body).await?.unwrap_or_default();
    let answer = app.answer(entry, Value::Object(request), caller).await;
    answer.map(|answer| json(answer.json)).map_err(Failure::with_cause)
}

/// The request of a route that answers in its own way.
pub(super) fn from_query<O: Operation>(app: &App, path: &str, parts: &Parts) -> Result<O, Failure> {
    let route = ROUTES.iter().find(|route| route.path == path).ok_or_else(Failure::gone)?;
    let entry = ops::find(O::NAME).ok_or_else(Failure::gone)?;
    let merged = merge(route, entry.request(), Vec::new(), parts.uri.query().unwrap_or_default(), Map::new())?;
    let refused = |error| Failure::of(&app.keeper.get(), error);
    // The table reads it as it reads every request; then it is known to be one.
    entry.read(Value::Object(merged.clone())).map_err(refused)?;
    serde_json::from_value(Value::Object(merged)).map_err(|error| Failure::bad_request(error.to_string()))
}

/// The caller, as the guard has found out.
pub(crate) fn caller(parts: &Parts) -> Result<Caller, Failure> {
    parts.extensions.get::<Caller>().cloned().ok_or_else(Failure::gone)
}

pub(super) fn json(answer: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], answer).into_response()
}

/// The one parameter of a path, if it has one.
pub(super) async fn parameter(parts: &mut Parts) -> Result<Option<String>, Failure> {
    Ok(parameters(parts).await?.into_iter().next())
}

/// The parameters of a path, in their order.
async fn parameters(parts: &mut Parts) -> Result<Vec<String>, Failure> {
    let parameters = RawPathParams::from_request_parts(parts, &()).await;
    let parameters = parameters.map_err(|_| Failure::bad_request("the path is not UTF-8 text"))?;
    Ok(parameters.iter().map(|(_, value)| value.to_owned()).collect())
}

/// Path, query and body as one request, in the operation's own keys. A key that comes twice is refused: which of the
/// two was meant, nobody can know.
fn merge(
    route: &Route,
    shape: &Shape,
    parameters: Vec<String>,
    query: &str,
    body: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let mut merged = Map::new();
    for (key, text) in form_urlencoded::parse(query.as_bytes()) {
        let Some(key) = operation_key(route, shape, &key) else { continue };
        let value = shape.from_text(&key, &text);
        match (merged.get_mut(&key), value) {
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
            (Some(_), _) => return Err(Failure::bad_request(format!("`{key}` is given twice"))),
            (None, value) => drop(merged.insert(key, value)),
        }
    }
    for (key, value) in body {
        let Some(key) = operation_key(route, shape, &key) else { continue };
        if merged.contains_key(&key) {
            return Err(Failure::bad_request(format!("`{key}` is given twice")));
        }
        merged.insert(key, value);
    }
    if !route.switch.is_empty() {
        reason_from_switch(&mut merged, route.switch);
    }
    if !route.needs.is_empty() && !route.needs.iter().any(|key| merged.get(*key).is_some_and(|given| !given.is_null()))
    {
        let keys: Vec<_> = route.needs.iter().map(|key| format!("`{key}`")).collect();
        let choice = if keys.len() > 1 { ", one of them" } else { "" };
        return Err(Failure::bad_request(format!("give {}{choice}", keys.join(" or "))));
    }
    for (key, value) in route.parameters().zip(parameters) {
        let own = Value::String(value);
        match merged.insert(key.to_owned(), own.clone()) {
            Some(other) if other != own => {
                return Err(Failure::bad_request(format!("`{key}` is in the path")));
            }
            _ => {}
        }
    }
    merged.extend(route.sets.iter().map(|key| ((*key).to_owned(), Value::Bool(true))));
    if route.assumes_agh {
        agh::assume_dialect(&mut merged);
    }
    Ok(merged)
}

/// A key as the operation spells it; `None` if it means nothing here.
fn operation_key(route: &Route, shape: &Shape, spelled: &str) -> Option<String> {
    let key = if route.camel_case { snake_case(spelled) } else { spelled.to_owned() };
    let key = route.renames.iter().find(|(own, _)| *own == key).map_or(key, |(_, key)| (*key).to_owned());
    (shape.has(&key) || !IGNORED.contains(&spelled)).then_some(key)
}

fn snake_case(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 2);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Turns a switch, `force=true`, into the reason that the operation asks for, which is recorded.
fn reason_from_switch(request: &mut Map<String, Value>, key: &str) {
    match request.get(key) {
        Some(Value::Bool(true)) => drop(request.insert(key.to_owned(), "forced".into())),
        Some(Value::Bool(false)) => drop(request.remove(key)),
        Some(Value::String(text)) if text == "false" => drop(request.remove(key)),
        _ => {}
    }
}

/// A soul with what belongs to it beside it: `{soul: {…}, session}` becomes `{…, session}`.
pub(crate) fn soul_first(mut answer: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(mut soul)) = answer.shift_remove("soul") {
        answer.shift_remove("hooks");
        soul.extend(answer);
        return soul;
    }
    answer
}
