//! Prompts: the full prompt of each agent and of each library soul, for a user to choose.

use serde_json::{Map, Value, json};
use soul_engine::ops::prompt;
use soul_engine::souls::{Subject, Target};

use super::message::ProtocolError;
use super::methods::page;
use super::resources::{Names, error};
use super::session::{Era, Session};

/// What the names of prompts begin with.
const AGENT: &str = "agent/";
const LIBRARY: &str = "library/";

/// The most names that a completion has.
const COMPLETIONS: usize = 100;

/// Answers `prompts/list`.
pub(super) async fn list(session: &Session, era: &Era, params: &Map<String, Value>) -> Result<Value, ProtocolError> {
    let names = Names::of(&session.app, &session.caller(era)).await?;
    let entry = |kind: &str, name: String, description: &str| {
        let name = format!("{kind}{name}");
        let task = json!({ "name": "task", "description": "The task that the agent is to do.", "required": false });
        (name.clone(), json!({ "name": name, "description": description, "arguments": [task] }))
    };
    let agents = names.agents.into_iter().map(|name| entry(AGENT, name, "The full prompt of this agent."));
    let souls = names.souls.into_iter().map(|id| entry(LIBRARY, id, "The full prompt of this library soul."));
    page("prompts", params, agents.chain(souls).collect())
}

/// Answers `prompts/get`.
pub(super) async fn get(session: &Session, era: &Era, params: &Map<String, Value>) -> Result<Value, ProtocolError> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| ProtocolError::params("`name` is missing or not a string"))?;
    let unknown = || ProtocolError::params(format!("unknown prompt: {}", soul_core::text::shown(name)));
    let target = match (name.strip_prefix(AGENT), name.strip_prefix(LIBRARY)) {
        (Some(agent), _) => Target::Agent(agent.parse().map_err(|_| unknown())?),
        (_, Some(id)) => Target::Library(id.parse().map_err(|_| unknown())?),
        _ => return Err(unknown()),
    };
    let task = match params.get("arguments").and_then(|arguments| arguments.get("task")) {
        None | Some(Value::Null) => None,
        Some(Value::String(task)) => Some(task.clone()),
        Some(_) => return Err(ProtocolError::params("`task` is not a string")),
    };
    let request = prompt::Request { task, ..prompt::Request::new(Subject::Target(target)) };
    let assembled = session.app.ask(request, session.caller(era)).await;
    let assembled = assembled.map_err(|failure| {
        // There is no code of its own for prompts.
        let error = error(failure);
        if error.code == super::message::RESOURCE_NOT_FOUND {
            ProtocolError { code: super::message::INVALID_PARAMS, ..error }
        } else {
            error
        }
    })?;
    let content = json!({ "type": "text", "text": assembled.text });
    Ok(json!({ "messages": [{ "role": "user", "content": content }] }))
}

/// Answers `completion/complete`: names of agents and souls for the templates of resources.
pub(super) async fn complete(
    session: &Session,
    era: &Era,
    params: &Map<String, Value>,
) -> Result<Value, ProtocolError> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let argument = params.get("argument");
    let (name, typed) = (text(argument.and_then(|of| of.get("name"))), text(argument.and_then(|of| of.get("value"))));
    let template = text(params.get("ref").and_then(|of| of.get("uri")));
    let names = Names::of(&session.app, &session.caller(era)).await?;
    let known = match (name.as_str(), template.starts_with("soul://library/")) {
        ("id", true) => names.souls,
        ("name" | "agent", false) if !template.is_empty() => names.agents,
        _ => Vec::new(),
    };
    let matching: Vec<String> = known.into_iter().filter(|name| name.starts_with(&typed)).collect();
    let (total, has_more) = (matching.len(), matching.len() > COMPLETIONS);
    let values: Vec<String> = matching.into_iter().take(COMPLETIONS).collect();
    Ok(json!({ "completion": { "values": values, "total": total, "hasMore": has_more } }))
}
