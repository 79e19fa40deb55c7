//! From the arguments of a tool to the request of its operation, and from its response to a result. Whatever fails is a
//! result that says so, with a code and the next step.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use soul_engine::Grant;
use soul_engine::ops::Entry;

use super::message::{ProtocolError, Request, notification};
use super::session::{Era, Session, Sink};
use super::tools::Tool;
use super::{memory_dir, schema, text};
use crate::app::Report;
use crate::failure::Failure;

/// The longest message that calls a tool.
const MAX: usize = 2 << 20;

/// How often a client hears about progress.
const PAUSE: Duration = Duration::from_millis(100);

/// Arguments of the peer's tools that are refused, each with what to do instead.
const REFUSED: [(&str, &str); 2] = [
    ("api_key", "leave it out: scanning needs no service and no key"),
    ("output_dir", "leave it out: files are written only inside the workspace and the home"),
];

/// Answers `tools/call`.
pub(super) async fn call(
    session: &Arc<Session>,
    request: &Request,
    era: &Era,
    sink: &Sink,
) -> Result<Value, ProtocolError> {
    let name = request.params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| ProtocolError::params("`name` is missing or not a string"))?;
    let unknown = || ProtocolError::params(format!("unknown tool: {}", soul_core::text::shown(name)));
    let tool = Tool::find(name).filter(|tool| tool.entry().is_some()).ok_or_else(unknown)?;
    if tool.is_destructive() && !is_confirmed(session, tool, request, era, sink).await {
        if era.is_modern && !request.params.contains_key("inputResponses") {
            let asked = json!({ "confirm": { "method": "elicitation/create", "params": question(tool) } });
            return Ok(json!({ "resultType": "input_required", "inputRequests": asked }));
        }
        let failure = Failure::new(StatusCode::CONFLICT, "not_confirmed", "the user did not confirm the call");
        return Ok(failed(&failure.hint("ask the user what to do instead")));
    }
    Ok(match run(session, tool, request, era, sink).await {
        Ok(result) => {
            session.log(sink, era, if tool.is_read_only() { "debug" } else { "info" }, &format!("{name} done"));
            done(tool, result)
        }
        Err(failure) => {
            let level = if failure.status.is_server_error() { "error" } else { "warning" };
            session.log(sink, era, level, &format!("{name} failed: {}", failure.message()));
            failed(&failure)
        }
    })
}

async fn run(
    session: &Arc<Session>,
    tool: &'static Tool,
    request: &Request,
    era: &Era,
    sink: &Sink,
) -> Result<Value, Failure> {
    let (app, options) = (&session.app, &session.options);
    let caller = session.caller(era);
    if !tool.is_offered(options, &caller) {
        return Err(not_offered(session, tool));
    }
    if request.bytes > MAX {
        let message = format!("the arguments are larger than {MAX} bytes");
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "arguments_too_large", message));
    }
    let entry = tool.entry().ok_or_else(Failure::gone)?;
    let mut arguments = match request.params.get("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(Failure::bad_request("`arguments` is not an object")),
    };
    for (key, hint) in REFUSED {
        if arguments.contains_key(key) {
            return Err(Failure::bad_request(format!("`{key}` is not accepted")).hint(hint));
        }
    }
    let directory = arguments.shift_remove("memory_dir").filter(|_| tool.memory_dir);
    let mut built = built(session, tool, entry, arguments, directory.is_some())?;
    if !tool.is_read_only() {
        check_subject(session, &built)?;
    }
    let directory = match directory {
        Some(Value::String(directory)) => Some(directory),
        Some(Value::Null) => None,
        Some(_) => return Err(Failure::bad_request("`memory_dir` is not a string")),
        None if tool.memory_dir && !built.contains_key("agent") && !built.contains_key("all_agents") => {
            memory_dir::of_workspace(&app.keeper.get().roots).map(str::to_owned)
        }
        None => None,
    };
    if let Some(directory) = directory {
        let result = memory_dir::answer(app, entry, built, &directory, caller).await?;
        return Ok(result);
    }
    if tool.one_target {
        let target: Map<String, Value> =
            ["agent", "soul", "body"].iter().filter_map(|key| built.shift_remove_entry(*key)).collect();
        built.insert("targets".to_owned(), json!([target]));
    }
    let answer = app.answer_reporting(entry, Value::Object(built), caller, report(request, sink)).await?;
    let mut result: Value = serde_json::from_slice(&answer.json).unwrap_or_default();
    tool.drops.iter().for_each(|path| drop_key(&mut result, path));
    Ok(result)
}

/// The request of the operation: the arguments that the tool has, and the client's own agent if none is named.
fn built(
    session: &Session,
    tool: &Tool,
    entry: &Entry,
    arguments: Map<String, Value>,
    has_directory: bool,
) -> Result<Map<String, Value>, Failure> {
    let mut built = Map::new();
    for (key, value) in arguments {
        if !tool.keys.contains(&key.as_str()) {
            let near = soul_core::text::closest(&key, tool.keys.iter().copied());
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the arguments are {}", tool.keys.join(", ")),
            };
            return Err(Failure::bad_request(format!("unknown argument {}", soul_core::text::shown(&key))).hint(&hint));
        }
        // What a client leaves empty is not meant, except where it is a value.
        if !value.is_null() {
            built.insert(key, value);
        }
    }
    let schema = schema::input(tool, entry, session.options.agent.is_some());
    schema::check(&schema, &built).map_err(Failure::bad_request)?;
    let needs_agent = entry.request().required.iter().any(|key| key == "agent");
    // Where an agent is not required, other keys may say what the call is about.
    let subjects: &[&str] =
        if needs_agent { &["agent"] } else { &["agent", "soul", "body", "files", "session_id", "all_agents"] };
    let is_named = subjects.iter().any(|key| built.contains_key(*key)) || has_directory;
    if let (Some(agent), false, true) = (&session.options.agent, is_named, tool.keys.contains(&"agent")) {
        built.insert("agent".to_owned(), agent.as_str().into());
    }
    if needs_agent && !built.contains_key("agent") && !tool.memory_dir {
        return Err(Failure::bad_request("`agent` is missing").hint("`soul_list` names the agents"));
    }
    Ok(built)
}

/// An agent changes what belongs to it, and to others only if that was granted.
fn check_subject(session: &Session, request: &Map<String, Value>) -> Result<(), Failure> {
    let (Some(own), Some(named)) = (&session.options.agent, request.get("agent").and_then(Value::as_str)) else {
        return Ok(());
    };
    if own.as_str() == named || session.options.grants.contains(&Grant::Write) {
        return Ok(());
    }
    let message = format!("`{own}` may not change what belongs to {}", soul_core::text::shown(named));
    Err(Failure::new(StatusCode::FORBIDDEN, "not_granted", message)
        .hint("leave `agent` out, or start `soul mcp` with `--grant soul.write`"))
}

fn not_offered(session: &Session, tool: &Tool) -> Failure {
    let options = &session.options;
    let hint = match tool.grant {
        _ if options.read_only && !tool.is_read_only() => "the server was started with `--read-only`",
        Some(grant) if !options.grants.contains(&grant) => {
            "propose the change with `soul_propose`, or start `soul mcp` with `--grant soul.write`"
        }
        _ => "select more tools with `--tools all`",
    };
    Failure::new(StatusCode::FORBIDDEN, "tool_not_offered", format!("`{}` is not offered here", tool.name)).hint(hint)
}

/// Tells the client how far a request has come, if it wants to know.
fn report(request: &Request, sink: &Sink) -> Option<Report> {
    let token = request.meta("progressToken").filter(|token| token.is_string() || token.is_number())?.clone();
    let (sink, done, last) = (sink.clone(), AtomicUsize::new(0), std::sync::Mutex::new(None::<Instant>));
    Some(Box::new(move |what, count, total| {
        let progress = done.fetch_add(count, Ordering::Relaxed) + count;
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < PAUSE) && total != Some(progress) {
            return;
        }
        *last = Some(Instant::now());
        let mut params = json!({ "progressToken": token, "progress": progress, "message": what });
        if let Some(total) = total {
            params["total"] = total.into();
        }
        // A client that does not read misses news, and nothing else.
        let _ = sink.try_send(notification("notifications/progress", params));
    }))
}

/// What the user is asked before something is replaced or removed.
fn question(tool: &Tool) -> Value {
    json!({
        "message": format!("Allow the agent to call `{}`? It replaces what is there; the earlier text stays on record.", tool.name),
        "requestedSchema": {
            "type": "object",
            "properties": { "confirm": { "type": "boolean", "title": "Allow this change" } },
            "required": ["confirm"],
        },
    })
}

/// Whether the user confirms a call, or the client cannot ask.
async fn is_confirmed(session: &Arc<Session>, tool: &'static Tool, request: &Request, era: &Era, sink: &Sink) -> bool {
    // A call that is refused anyway is nobody's question.
    if !tool.is_offered(&session.options, &session.caller(era)) || !era.client.elicits {
        return true;
    }
    let answer = if era.is_modern {
        request.params.get("inputResponses").and_then(|given| given.get("confirm")).cloned().unwrap_or_default()
    } else {
        match session.ask("elicitation/create", question(tool), sink).await {
            Some(answer) => answer,
            // There is no session in which the client could answer.
            None => return true,
        }
    };
    answer["action"] == "accept" && answer["content"]["confirm"] == true
}

fn done(tool: &Tool, result: Value) -> Value {
    let words = text::of_result(tool, &result);
    json!({ "content": [{ "type": "text", "text": words }], "structuredContent": result, "isError": false })
}

fn failed(failure: &Failure) -> Value {
    let error = failure.error_with_soul();
    let words = text::of_failure(&error);
    let mut short = error;
    if let Some(error) = short.as_object_mut() {
        error.shift_remove("soul");
    }
    json!({
        "content": [{ "type": "text", "text": words }],
        "isError": true,
        "_meta": { "soulkeeper/error": short },
    })
}

/// Removes a key, or the key at the end of a path from every entry of a list on the way.
fn drop_key(value: &mut Value, path: &str) {
    match (value, path.split_once('.')) {
        (Value::Object(object), None) => drop(object.shift_remove(path)),
        (Value::Object(object), Some((key, rest))) => {
            if let Some(inner) = object.get_mut(key) {
                drop_key(inner, rest);
            }
        }
        (Value::Array(entries), _) => entries.iter_mut().for_each(|entry| drop_key(entry, path)),
        _ => {}
    }
}
