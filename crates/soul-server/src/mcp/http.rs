//! MCP over HTTP, at `/mcp`: a message in each POST, and a stream for what belongs to no request. A client that sends
//! `initialize` gets a session; one that does not is served without.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::Value;
use soul_engine::ids::random_bits;
use soul_engine::tokens;
use soul_engine::{Caller, Grant};
use tokio::sync::mpsc;

use super::Options;
use super::message::{HEADER_MISMATCH, INVALID_REQUEST, Message, ProtocolError, Request};
use super::methods::check_version;
use super::session::Session;
use crate::app::{App, Following};
use crate::failure::Failure;
use crate::http::{caller, object};
use crate::serve::over;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// The header that names the revision of the protocol.
const VERSION: &str = "mcp-protocol-version";

/// How many sessions there may be; one that is idle makes room for another.
const MOST: usize = 1024;

/// How long a session that nobody uses is kept if there is room.
const IDLE: Duration = Duration::from_secs(3600);

/// How many messages of one session wait for its stream.
const UNREAD: usize = 256;

/// The sessions of the service.
pub(crate) struct Sessions {
    app: App,
    open: Mutex<HashMap<String, Open>>,
}

struct Open {
    session: Arc<Session>,
    /// What waits for the stream of the session; taken while there is one.
    unread: Arc<Mutex<Option<mpsc::Receiver<Value>>>>,
    used: Instant,
}

impl Sessions {
    pub(crate) fn new(app: App) -> Arc<Self> {
        Arc::new(Self { app, open: Mutex::default() })
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new session, and its id.
    fn open(&self, options: Options, caller: Caller) -> Result<(String, Arc<Session>), Failure> {
        let (out, unread) = mpsc::channel(UNREAD);
        let session = Session::new(self.app.clone(), options, caller, Some(out));
        let open =
            Open { session: Arc::clone(&session), unread: Arc::new(Mutex::new(Some(unread))), used: Instant::now() };
        let mut sessions = self.locked();
        sessions.retain(|_, open| open.used.elapsed() < IDLE);
        if sessions.len() >= MOST {
            let oldest = sessions.iter().min_by_key(|(_, open)| open.used).map(|(id, _)| id.clone());
            oldest.map(|id| sessions.remove(&id));
        }
        let bits = random_bits().map_err(|_| Failure::gone())?;
        let id: String = bits.iter().map(|byte| format!("{byte:02x}")).collect();
        sessions.insert(id.clone(), open);
        Ok((id, session))
    }

    /// The session of a request, if it names one. Another caller has no use for its id.
    fn named(&self, headers: &HeaderMap, caller: &Caller, options: &Options) -> Result<Option<Arc<Session>>, Failure> {
        let Some(id) = headers.get(SESSION) else { return Ok(None) };
        let mut sessions = self.locked();
        let open = id.to_str().ok().and_then(|id| sessions.get_mut(id));
        let open = open.filter(|open| open.session.is_of(caller, options)).ok_or_else(no_session)?;
        open.used = Instant::now();
        Ok(Some(Arc::clone(&open.session)))
    }
}

fn no_session() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "session_not_found", "there is no such MCP session")
        .hint("begin with `initialize`")
}

/// What the address of the service says: `/mcp?tools=all&agent=ada&read_only=true&grant=soul.write`.
fn options(parts: &Parts) -> Result<Options, Failure> {
    let mut options = Options::default();
    let bad = |key: &str, why: &str| Failure::bad_request(format!("`{key}`: {why}"));
    for (key, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
        match &*key {
            "tools" => options.tools = value.parse().map_err(|error| bad("tools", &format!("{error}")))?,
            "agent" => options.agent = Some(value.parse().map_err(|_| bad("agent", "not the name of an agent"))?),
            "read_only" => options.read_only = value.parse().map_err(|_| bad("read_only", "true or false"))?,
            "grant" => options.grants.push(value.parse().map_err(|error| bad("grant", &format!("{error}")))?),
            _ => return Err(Failure::bad_request("the keys are tools, agent, read_only and grant")),
        }
    }
    Ok(options)
}

/// Answers a message.
pub(crate) async fn post(sessions: Arc<Sessions>, request: HttpRequest) -> Result<Response, Failure> {
    let (parts, body) = request.into_parts();
    let (caller, options) = (caller(&parts)?, options(&parts)?);
    let named = sessions.named(&parts.headers, &caller, &options)?;
    let message = object(body).await?.unwrap_or_default();
    let message = match Message::read(Value::Object(message), 0) {
        Ok(message) => message,
        Err(reply) => return Ok((StatusCode::BAD_REQUEST, Json(reply)).into_response()),
    };
    let Message::Request(request) = message else {
        if let Some(session) = named {
            session.hear(&message);
        }
        return Ok(StatusCode::ACCEPTED.into_response());
    };
    if let Err(error) = check_headers(&parts.headers, &request) {
        return Ok((StatusCode::BAD_REQUEST, Json(error.reply(&request.id))).into_response());
    }
    if let (Some(agent), None) = (&options.agent, &named) {
        sessions.app.check_agent(agent.clone()).await?;
    }
    let (id, session) = match named {
        Some(session) => (None, session),
        None if request.method == "initialize" => {
            let (id, session) = sessions.open(options, caller)?;
            (Some(id), session)
        }
        None => (None, Session::new(sessions.app.clone(), options, caller, None)),
    };
    let mut response = answer(&sessions.app, session, request, wants_stream(&parts.headers)).await;
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(SESSION, id);
    }
    Ok(response)
}

/// What ends in an answer.
type Work = Pin<Box<dyn Future<Output = Value> + Send>>;

/// Answers a request: as one document, or as a stream if there is something to say before the answer.
async fn answer(app: &App, session: Arc<Session>, request: Request, streams: bool) -> Response {
    let (sink, mut said) = mpsc::channel(UNREAD);
    let id = request.id.clone();
    let mut work: Work = Box::pin(async move {
        let answer = session.respond(request, &sink).await;
        answer.unwrap_or_else(|| ProtocolError::new(INVALID_REQUEST, "the request was cancelled").reply(&id))
    });
    let first = loop {
        tokio::select! {
            biased;
            message = said.recv(), if !said.is_closed() => match message {
                Some(message) if streams => break message,
                _ => {}
            },
            answer = &mut work => return Json(answer).into_response(),
        }
    };
    let mut gone = app.gone.clone();
    let messages = stream::unfold((said, Some(work), Some(first)), |(mut said, work, first)| async move {
        if let Some(first) = first {
            return Some((first, (said, work, None)));
        }
        let mut work = work?;
        tokio::select! {
            biased;
            Some(message) = said.recv() => Some((message, (said, Some(work), None))),
            answer = &mut work => {
                // What was said before the answer comes before it.
                said.close();
                match said.recv().await {
                    Some(message) => {
                        let answered: Work = Box::pin(std::future::ready(answer));
                        Some((message, (said, Some(answered), None)))
                    }
                    None => Some((answer, (said, None, None))),
                }
            }
        }
    });
    let events =
        messages.map(|message| Ok::<_, Infallible>(event(&message))).take_until(async move { over(&mut gone).await });
    sse(events)
}

fn event(message: &Value) -> Event {
    Event::default().event("message").data(message.to_string())
}

fn sse<S>(events: S) -> Response
where
    S: futures_core::Stream<Item = Result<Event, Infallible>> + Send + 'static,
{
    let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let accepts = |accept: &HeaderValue| accept.to_str().is_ok_and(|accept| accept.contains("text/event-stream"));
    headers.get_all(header::ACCEPT).iter().any(accepts)
}

/// The headers say what the message says, or the request was changed on its way.
fn check_headers(headers: &HeaderMap, request: &Request) -> Result<(), ProtocolError> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(version) = text(VERSION).filter(|_| request.method != "initialize") {
        check_version(version)?;
        let said = request.meta("io.modelcontextprotocol/protocolVersion").and_then(Value::as_str);
        if said.is_some_and(|said| said != version) {
            return Err(ProtocolError::new(HEADER_MISMATCH, "`MCP-Protocol-Version` is not that of the message"));
        }
    }
    if text("mcp-method").is_some_and(|method| method != request.method) {
        return Err(ProtocolError::new(HEADER_MISMATCH, "`Mcp-Method` is not that of the message"));
    }
    Ok(())
}

/// The stream of a session: what belongs to none of its requests.
pub(crate) async fn get(sessions: Arc<Sessions>, request: HttpRequest) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    let (caller, options) = (caller(&parts)?, options(&parts)?);
    if !wants_stream(&parts.headers) || !parts.headers.contains_key(SESSION) {
        let message = "a GET of `/mcp` is the stream of a session";
        return Err(Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message));
    }
    let _session = sessions.named(&parts.headers, &caller, &options)?;
    let id = parts.headers[SESSION].to_str().unwrap_or_default();
    let unread = sessions.locked().get(id).map(|open| Arc::clone(&open.unread)).ok_or_else(no_session)?;
    let taken = unread.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(messages) = taken else {
        return Err(Failure::new(StatusCode::CONFLICT, "stream_open", "the session has a stream already"));
    };
    let messages = Unread { messages: Some(messages), back: unread };
    let Some(place) = sessions.app.place_for_stream() else {
        return Err(Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too_many_streams",
            "too many clients follow events",
        ));
    };
    let (app, mut gone) = (sessions.app.clone(), sessions.app.gone.clone());
    let state: (App, Caller, Following, Unread) = (app, caller, place, messages);
    let events = stream::unfold(state, |(app, caller, place, mut messages)| async move {
        let message = messages.messages.as_mut()?.recv().await?;
        if caller.token().is_some() {
            let holder = caller.clone();
            let check = move |keeper: &_| Ok(tokens::still_grants(keeper, &holder, Grant::Read)?);
            if !app.check_token(check).await.unwrap_or(false) {
                return None;
            }
        }
        Some((Ok::<_, Infallible>(event(&message)), (app, caller, place, messages)))
    });
    Ok(sse(events.take_until(async move { over(&mut gone).await })))
}

/// The messages of a session, which come back when its stream ends.
struct Unread {
    messages: Option<mpsc::Receiver<Value>>,
    back: Arc<Mutex<Option<mpsc::Receiver<Value>>>>,
}

impl Drop for Unread {
    fn drop(&mut self) {
        *self.back.lock().unwrap_or_else(PoisonError::into_inner) = self.messages.take();
    }
}

/// Ends a session.
pub(crate) async fn delete(sessions: Arc<Sessions>, request: HttpRequest) -> Result<Response, Failure> {
    let (parts, _): (Parts, Body) = request.into_parts();
    let (caller, options) = (caller(&parts)?, options(&parts)?);
    sessions.named(&parts.headers, &caller, &options)?.ok_or_else(no_session)?;
    let id = parts.headers[SESSION].to_str().unwrap_or_default();
    sessions.locked().remove(id);
    Ok(StatusCode::NO_CONTENT.into_response())
}
