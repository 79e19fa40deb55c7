//! The methods of the socket: operations under the names of the AGH seed, for users and for extensions.

use serde_json::{Map, Value};
use soul_engine::Caller;
use soul_engine::ops;

use super::envelope::Refusal;
use crate::agh;
use crate::app::App;
use crate::auth::{bad_token, holder, token_required};
use crate::failure::Failure;
use crate::socket::TRANSPORT;
use axum::http::StatusCode;

/// A method: its name, its name in the Host API, and the operation that answers it.
const METHODS: &[(&str, &str, &str)] = &[
    ("agent.soul.inspectDefinition", "agents/soul/get", "inspect"),
    ("agent.soul.validate", VALIDATE, "inspect"),
    ("agent.soul.put", "agents/soul/put", "write"),
    ("agent.soul.delete", "agents/soul/delete", "delete"),
    ("agent.soul.history", "agents/soul/history", "history"),
    ("agent.soul.rollback", "agents/soul/rollback", "rollback"),
    ("session.soul.refresh", "sessions/soul/refresh", "session.refresh"),
    ("agent.context.get", "agents/context/get", "context"),
];

/// The method that checks a text, with an agent or without one.
const VALIDATE: &str = "agents/soul/validate";

/// Keys as the seed spells them, and as the operations do.
const RENAMES: &[(&str, &str)] = &[("agent_name", "agent")];

/// Keys that clients of the peer send, and that mean nothing here.
const IGNORED: [&str; 3] = ["workspace_id", "workspace", "remoteNode"];

/// Calls a method. An extension proves by a token who it is; anybody else who may open the socket need not.
pub(super) async fn call(app: &App, user: &Caller, name: &str, params: Value) -> Result<Value, Refusal> {
    let found = METHODS.iter().find(|(own, host, _)| *own == name || *host == name);
    let (_, host, operation) = found.ok_or(Refusal::NoMethod)?;
    let entry = ops::find(operation).ok_or(Refusal::NoMethod)?;
    let Value::Object(mut params) = params else {
        return Err(Refusal::NoObject);
    };
    // Nothing that comes after this sees the token.
    let token = params.shift_remove("token");
    let is_host = *host == name;
    let (kind, transport) = if is_host { ("extension", "host_api") } else { ("token", TRANSPORT) };
    let caller = match token {
        Some(Value::String(secret)) => holder(app, kind, transport, secret.into()).await,
        Some(_) => Err(bad_token()),
        None if is_host => Err(token_required()),
        None => Ok(user.clone()),
    };
    let caller = caller.map_err(Refusal::Failed)?;
    let mut request = renamed(params, entry.request()).map_err(Refusal::Params)?;
    if *host == VALIDATE {
        agh::assume_dialect(&mut request);
    }
    let request = Value::Object(request);
    match app.answer(entry, request, caller).await {
        Ok(answer) => Ok(match *operation {
            "session.refresh" => soul_first(&answer.json),
            _ => serde_json::from_slice(&answer.json).unwrap_or_default(),
        }),
        Err(failure) if is_misread(&failure) => Err(Refusal::Params(failure)),
        Err(failure) => Err(Refusal::Failed(failure)),
    }
}

/// Whether the parameters were not those of the method.
fn is_misread(failure: &Failure) -> bool {
    failure.status == StatusCode::BAD_REQUEST && failure.error()["code"] != "bad_cursor"
}

/// The parameters in the operation's own keys.
fn renamed(params: Map<String, Value>, shape: &ops::Shape) -> Result<Map<String, Value>, Failure> {
    let mut request = Map::new();
    for (key, value) in params.into_iter().filter(|(key, _)| !IGNORED.contains(&key.as_str())) {
        let own = RENAMES.iter().find(|(spelled, own)| *spelled == key && shape.has(own)).map(|(_, own)| *own);
        let own = own.map_or_else(|| key.clone(), str::to_owned);
        if request.insert(own, value).is_some() {
            return Err(Failure::bad_request(format!("`{key}` is given twice")));
        }
    }
    Ok(request)
}

/// The soul of a session at the top, and the session beside it.
fn soul_first(answer: &[u8]) -> Value {
    crate::http::soul_first(serde_json::from_slice(answer).unwrap_or_default()).into()
}
