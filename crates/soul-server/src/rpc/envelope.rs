//! The envelope of JSON-RPC 2.0: requests, notifications, batches, and the errors of the protocol.

use serde_json::{Value, json};
use soul_engine::Caller;

use super::methods;
use crate::app::App;
use crate::failure::Failure;
use crate::unique;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// The most requests in a batch.
const BATCH: usize = 100;

/// Why a request got no result.
pub(super) enum Refusal {
    /// There is no such method.
    NoMethod,
    /// The parameters are not an object.
    NoObject,
    /// The parameters are not the method's.
    Params(Failure),
    /// The operation failed.
    Failed(Failure),
}

/// The answer to a message; none if it asked for none.
pub(super) async fn answer(app: &App, user: &Caller, line: &[u8]) -> Option<Value> {
    match unique::value(line) {
        Err(error) => Some(error_of(Value::Null, PARSE_ERROR, &format!("not JSON: {error}"), None)),
        Ok(Value::Array(requests)) if requests.is_empty() || requests.len() > BATCH => {
            let message = format!("a batch has 1 to {BATCH} requests");
            Some(error_of(Value::Null, INVALID_REQUEST, &message, None))
        }
        Ok(Value::Array(requests)) => {
            let mut answers = Vec::new();
            for request in requests {
                answers.extend(one(app, user, request).await);
            }
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        Ok(request) => one(app, user, request).await,
    }
}

pub(super) fn too_long() -> Value {
    error_of(Value::Null, INVALID_REQUEST, "the message is too long", None)
}

async fn one(app: &App, user: &Caller, request: Value) -> Option<Value> {
    let id = request.get("id").cloned();
    let valid_id = matches!(id, None | Some(Value::Null | Value::String(_) | Value::Number(_)));
    let method = request.get("method").and_then(Value::as_str);
    let (Some("2.0"), Some(method), true) = (request.get("jsonrpc").and_then(Value::as_str), method, valid_id) else {
        let id = id.filter(|_| valid_id).unwrap_or_default();
        return Some(error_of(id, INVALID_REQUEST, "not a JSON-RPC 2.0 request", None));
    };
    let params = request.get("params").cloned().unwrap_or_else(|| json!({}));
    let result = methods::call(app, user, method, params).await;
    let id = id?;
    Some(match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Refusal::NoMethod) => error_of(id, METHOD_NOT_FOUND, "there is no such method", None),
        Err(Refusal::NoObject) => error_of(id, INVALID_PARAMS, "parameters must be an object", None),
        Err(Refusal::Params(failure)) => error_of(id, INVALID_PARAMS, failure.message(), Some(failure.error())),
        Err(Refusal::Failed(failure)) => {
            let (code, data) = (i64::from(failure.status.as_u16()), failure.error_with_soul());
            error_of(id, code, failure.message(), Some(data))
        }
    })
}

fn error_of(id: Value, code: i64, message: &str, data: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message });
    if let (Some(data), Some(error)) = (data, error.as_object_mut()) {
        error.insert("data".to_owned(), data);
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}
