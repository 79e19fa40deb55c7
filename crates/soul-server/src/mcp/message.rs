//! The envelope: JSON-RPC 2.0, as MCP uses it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;
/// There is no such resource. Revisions without a handshake report it as invalid parameters.
pub(super) const RESOURCE_NOT_FOUND: i64 = -32002;
pub(super) const INTERNAL_ERROR: i64 = -32603;
pub(super) const HEADER_MISMATCH: i64 = -32020;
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// An error of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ProtocolError {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

impl ProtocolError {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(super) fn params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// The message that reports it.
    pub(super) fn reply(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// The message that answers a request.
pub(super) fn reply(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// A message that asks for no answer.
pub(super) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A request of a client.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
    /// The length of the whole message.
    pub(super) bytes: usize,
}

impl Request {
    /// What belongs to the request and not to its method.
    pub(super) fn meta(&self, key: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(key)
    }
}

/// A message of a client.
#[derive(Debug, Clone)]
pub(super) enum Message {
    Request(Request),
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// The answer to a request of ours: the result, or nothing if it was refused.
    Response {
        id: Value,
        result: Option<Value>,
    },
}

impl Message {
    /// Reads a message of this length. If it is not one, the error is the reply, under the id that the message has.
    pub(super) fn read(message: Value, bytes: usize) -> Result<Self, Value> {
        let invalid = |id: Value, why: &str| Err(ProtocolError::new(INVALID_REQUEST, why).reply(&id));
        let Value::Object(mut message) = message else { return invalid(Value::Null, "a message is a JSON object") };
        let id = message.shift_remove("id");
        let id_is_valid = matches!(id, None | Some(Value::String(_) | Value::Number(_)));
        let shown = id.clone().filter(|_| id_is_valid).unwrap_or_default();
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") || !id_is_valid {
            return invalid(shown, "not a JSON-RPC 2.0 message");
        }
        let method = match (message.shift_remove("method"), &id) {
            (Some(Value::String(method)), _) => method,
            (None, Some(id)) if message.contains_key("result") || message.contains_key("error") => {
                return Ok(Self::Response { id: id.clone(), result: message.shift_remove("result") });
            }
            _ => return invalid(shown, "`method` is missing or not a string"),
        };
        let params = match message.shift_remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(ProtocolError::params("`params` is not an object").reply(&shown)),
        };
        Ok(match id {
            Some(id) => Self::Request(Request { id, method, params, bytes }),
            None => Self::Notification { method, params },
        })
    }
}

/// The ids under which a text is answered that could not be read: a client waits for the answer to each of its requests.
/// Strings are skipped here without being decoded, so a request with half a surrogate pair in it still has an id. Without
/// any id, it is null.
pub(super) fn ids(text: &[u8]) -> Vec<Value> {
    #[derive(Deserialize)]
    struct Envelope {
        id: Option<Value>,
    }
    let one = || serde_json::from_slice(text).map(|envelope: Envelope| vec![envelope]);
    let envelopes: Vec<Envelope> = serde_json::from_slice(text).or_else(|_| one()).unwrap_or_default();
    let ids = envelopes.into_iter().filter_map(|envelope| envelope.id);
    let ids: Vec<Value> = ids.filter(|id| id.is_string() || id.is_number()).collect();
    if ids.is_empty() { vec![Value::Null] } else { ids }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_cannot_be_read_may_still_have_ids() {
        for (text, found) in [
            (r#"{"jsonrpc":"2.0","id":7,"params":{"text":"\ud800"}}"#, json!([7])),
            (r#"{"params":{"a":1,"a":2},"id":"x"}"#, json!(["x"])),
            (r#"[{"id":1,"params":"\udc00"},{"id":2},{"method":"m"}]"#, json!([1, 2])),
            (r#"{"id":1,"id":2}"#, json!([null])),
            (r#"{"id":"\ud800"}"#, json!([null])),
            (r#"{"id":{},"a":1,"a":1}"#, json!([null])),
            (r#"{"id":1,"text":"#, json!([null])),
            ("no JSON", json!([null])),
        ] {
            assert_eq!(json!(ids(text.as_bytes())), found, "{text}");
        }
    }
}
