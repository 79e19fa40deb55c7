//! What a request brings along: JSON in the body, a name in the path, a query. Whatever is wrong with
//! it is a 4xx with a code.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, MatchedPath, Query, RawPathParams, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use soul_engine::library::SoulId;
use soul_engine::ops;
use soul_engine::ops::payload::Asker;
use soul_engine::store::Party;
use soul_engine::workspace::AgentName;

use crate::auth::Caller;
use crate::failure::Failure;

/// The largest body that is read.
const MAX: usize = 2 << 20;

/// How much more is read and thrown away, so that the client hears why.
const DRAINED: usize = 16 << 20;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// A JSON object. An absent one, and `null`, is `{}`, so that a type decides what it needs.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", "the body did not arrive in time");
        let bytes = tokio::time::timeout(PATIENCE, read(request.into_body())).await.map_err(slow)??;
        let text: &[u8] = match bytes.trim_ascii() {
            b"" | b"null" => b"{}",
            // A list of values in the right order would be read as an object too.
            text if !text.starts_with(b"{") => {
                return Err(Failure::bad_request("the body is not a JSON object"));
            }
            text => text,
        };
        serde_json::from_slice(text)
            .map(Self)
            .map_err(|error| Failure::bad_request(format!("the body is not the JSON that this route takes: {error}")))
    }
}

async fn read(body: axum::body::Body) -> Result<Bytes, Failure> {
    use axum::body::HttpBody;
    use std::future::poll_fn;
    use std::pin::pin;
    let mut body = pin!(body);
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|_| Failure::bad_request("the body did not arrive whole"))?;
        let Ok(data) = frame.into_data() else { continue };
        seen += data.len();
        if seen <= MAX {
            bytes.extend_from_slice(&data);
        } else if seen > DRAINED {
            break;
        }
    }
    if seen > MAX {
        let message = format!("the body is larger than {MAX} bytes");
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message));
    }
    Ok(bytes.into())
}

/// The name of an agent in the path.
pub(super) struct Agent(pub(super) AgentName);

impl<S: Send + Sync> FromRequestParts<S> for Agent {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let name = parameter(parts, state).await?;
        Ok(Self(name.parse().map_err(ops::Error::from)?))
    }
}

/// The id in the path. Any text may be asked for; only one of ours is found.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        Ok(Self(parameter(parts, state).await?))
    }
}

/// The id of a soul of the library in the path.
pub(super) struct Shelved(pub(super) SoulId);

impl<S: Send + Sync> FromRequestParts<S> for Shelved {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let id = parameter(parts, state).await?;
        Ok(Self(id.parse().map_err(ops::Error::Library)?))
    }
}

/// Who asks, through which route.
pub(super) struct By(pub(super) Asker);

impl<S: Send + Sync> FromRequestParts<S> for By {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let origin = Party::new("http", &format!("{} {route}", parts.method));
        let caller = parts.extensions.get::<Caller>();
        let actor = caller.map_or_else(|| Party::new("unknown", "http"), |caller| caller.actor.clone());
        Ok(Self(Asker { actor, origin }))
    }
}

/// The one parameter of a path.
async fn parameter<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<String, Failure> {
    let wrong = || Failure::bad_request("the path is not UTF-8 text");
    let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| wrong())?;
    parameters.iter().next().map(|(_, value)| value.to_owned()).ok_or_else(wrong)
}

/// The query of a request.
pub(super) struct Asked<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query.map(|Query(query)| Self(query)).map_err(|error| Failure::bad_request(error.body_text()))
    }
}

/// A whole number, which JSON may write with a fraction of nothing.
pub(super) fn whole<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    use serde::Deserialize;
    let number = Option::<serde_json::Number>::deserialize(deserializer)?;
    let read = |number: serde_json::Number| {
        let exact = number.as_f64().filter(|value| value.fract() == 0.0 && (0.0..9.0e15).contains(value));
        // Exact below 2⁵³, and nothing here is as large.
        number.as_u64().or(exact.map(|value| value as u64))
    };
    number.map(|number| read(number).ok_or_else(|| serde::de::Error::custom("not a whole number"))).transpose()
}

/// How many of a list: from 1 to 1000.
pub(super) fn limit(asked: Option<i64>, default: usize) -> Result<usize, Failure> {
    match asked {
        None => Ok(default),
        Some(limit @ 1..=1000) => Ok(usize::try_from(limit).unwrap_or(default)),
        Some(_) => Err(Failure::bad_request("`limit` is from 1 to 1000")),
    }
}

/// A dialect by name.
pub(super) fn dialect(asked: Option<&str>) -> Result<Option<soul_core::model::Dialect>, Failure> {
    let parsed = asked.filter(|asked| !asked.is_empty()).map(str::parse).transpose();
    parsed.map_err(|error: soul_core::model::UnknownDialect| Failure::bad_request(error.to_string()))
}
