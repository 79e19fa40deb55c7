//! The body of a request: one JSON object, of bounded size, that arrives in time.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::unique;

/// The largest body that is read.
const MAX: usize = 2 << 20;

/// How much more is read and thrown away, so that the client sees the error.
const DRAINED: usize = 16 << 20;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Reads a JSON object; none if there is no body. `null` is `{}`, as some clients send it.
pub(crate) async fn object(body: Body) -> Result<Option<Map<String, Value>>, Failure> {
    let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", "the body did not arrive in time");
    let bytes = tokio::time::timeout(PATIENCE, read(body)).await.map_err(slow)??;
    match bytes.trim_ascii() {
        b"" => Ok(None),
        b"null" => Ok(Some(Map::new())),
        text if !text.starts_with(b"{") => Err(Failure::bad_request("the body is not a JSON object")),
        text => unique::object(text)
            .map(Some)
            .map_err(|error| Failure::bad_request(format!("the body is not a valid JSON object: {error}"))),
    }
}

/// There is no body where the route needs one.
pub(super) fn missing() -> Failure {
    Failure::new(StatusCode::BAD_REQUEST, "body_required", "the body is missing")
        .hint("send a JSON object with the keys to change; `{}` changes nothing")
}

async fn read(body: Body) -> Result<Vec<u8>, Failure> {
    let mut body = pin!(body);
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|_| Failure::bad_request("the body is incomplete"))?;
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
    Ok(bytes)
}
