//! Resources: the texts of souls and memories, as data.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use soul_engine::Caller;
use soul_engine::memory::MemoryOf;
use soul_engine::ops::{library, list, memory, show};

use super::follow;
use super::message::{INTERNAL_ERROR, INVALID_PARAMS, ProtocolError, RESOURCE_NOT_FOUND, Request, notification};
use super::methods::page;
use super::session::{Era, Session, Sink};
use super::uri::{self, Address};
use crate::app::App;
use crate::failure::Failure;

const MARKDOWN: &str = "text/markdown";

/// The most resources that one request of the revision without sessions may follow.
const FOLLOWED: usize = 1024;

/// The names of the agents, and the ids of the library's souls.
pub(super) struct Names {
    pub(super) agents: Vec<String>,
    pub(super) souls: Vec<String>,
}

impl Names {
    pub(super) async fn of(app: &App, caller: &Caller) -> Result<Self, ProtocolError> {
        let listed = app.ask(list::Request::default(), caller.clone()).await.map_err(error)?;
        let agents = listed.agents.into_iter().map(|agent| agent.name).collect();
        let mut souls = Vec::new();
        for number in 1.. {
            let request = library::list::Request { query: String::new(), page: number, per_page: 200, selected: false };
            // A home without a library has agents all the same.
            let Ok(found) = app.ask(request, caller.clone()).await else { break };
            let is_last = found.souls.len() < 200;
            souls.extend(found.souls.into_iter().map(|soul| soul.id.to_string()));
            if is_last {
                break;
            }
        }
        souls.sort_unstable();
        Ok(Self { agents, souls })
    }
}

/// Answers `resources/list`.
pub(super) async fn list(session: &Session, era: &Era, params: &Map<String, Value>) -> Result<Value, ProtocolError> {
    let names = Names::of(&session.app, &session.caller(era)).await?;
    let entry = |uri: String, name: String| (uri.clone(), json!({ "uri": uri, "name": name, "mimeType": MARKDOWN }));
    let agents = names.agents.into_iter().map(|name| entry(uri::of_agent(&name), name));
    let souls = names.souls.into_iter().map(|id| entry(uri::of_library(&id), id));
    page("resources", params, agents.chain(souls).collect())
}

/// The templates, each with the key that it is ordered by.
pub(super) fn templates() -> Vec<(String, Value)> {
    [
        ("soul://agent/{name}", "Soul of an agent", "The text of an agent's SOUL.md."),
        ("soul://library/{id}", "Soul of the library", "The text of a library soul."),
        (
            "memory://{agent}/{+file}#{section}",
            "Memory of an agent",
            "A file of an agent's memory, such as MEMORY.md, or one of its sections.",
        ),
    ]
    .map(|(template, name, description)| {
        let entry = json!({ "uriTemplate": template, "name": name, "description": description, "mimeType": MARKDOWN });
        (template.to_owned(), entry)
    })
    .into()
}

/// Answers `resources/read`.
pub(super) async fn read(session: &Session, era: &Era, params: &Map<String, Value>) -> Result<Value, ProtocolError> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| ProtocolError::params("`uri` is missing or not a string"))?;
    let missing = || ProtocolError::new(RESOURCE_NOT_FOUND, "there is no such resource");
    let address = Address::parse(uri).ok_or_else(missing)?;
    let (app, caller) = (&session.app, session.caller(era));
    let text = match address {
        Address::Agent(name) => app.ask(show::Request::new(name), caller).await.map_err(error)?.text,
        Address::Library(id) => {
            Some(app.ask(library::show::Request { id, source: false }, caller).await.map_err(error)?.content)
        }
        Address::Memory { agent, file, section } => {
            let memory = MemoryOf::Agent(agent);
            let request = memory::detail::Request { memory, file, line: None, section, lines: None };
            Some(app.ask(request, caller).await.map_err(error)?.text)
        }
    };
    let text = text.ok_or_else(missing)?;
    // Whoever wrote the text, it is not the server that speaks.
    let label = json!({ "soulkeeper/untrusted": true });
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": MARKDOWN, "text": text, "_meta": label }] }))
}

/// The address of a resource that can be followed.
pub(super) fn followable(params: &Map<String, Value>) -> Result<&str, ProtocolError> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| ProtocolError::params("`uri` is missing or not a string"))?;
    match Address::parse(uri) {
        Some(_) => Ok(uri),
        None => Err(ProtocolError::new(RESOURCE_NOT_FOUND, "there is no such resource")),
    }
}

/// Answers `subscriptions/listen`: sends notifications until the request is cancelled or the client goes away.
pub(super) async fn listen(session: &Arc<Session>, request: &Request, sink: &Sink) -> Result<Value, ProtocolError> {
    let wanted = request.params.get("notifications").and_then(|wanted| wanted["resourceSubscriptions"].as_array());
    let wanted = wanted.into_iter().flatten().filter_map(Value::as_str);
    let wanted: Vec<String> =
        wanted.filter(|uri| Address::parse(uri).is_some()).take(FOLLOWED).map(str::to_owned).collect();
    let meta = json!({ "io.modelcontextprotocol/subscriptionId": request.id });
    let accepted = json!({ "notifications": { "resourceSubscriptions": wanted }, "_meta": meta });
    let memory = session.memory_changes();
    let _ = sink.send(notification("notifications/subscriptions/acknowledged", accepted)).await;
    let followed = |is_changed: &follow::Changed<'_>| {
        Some(wanted.iter().filter(|uri| is_changed(uri)).cloned().collect::<Vec<_>>())
    };
    follow::watch(&session.app, memory, sink, followed, Some(meta.clone())).await;
    Ok(json!({ "resultType": "complete", "_meta": meta }))
}

/// Why a resource or prompt could not be had.
pub(super) fn error(failure: Failure) -> ProtocolError {
    let code = match failure.status {
        StatusCode::NOT_FOUND => RESOURCE_NOT_FOUND,
        status if status.is_client_error() => INVALID_PARAMS,
        _ => INTERNAL_ERROR,
    };
    let data = Some(failure.error());
    ProtocolError { code, message: failure.message().to_owned(), data }
}
