//! A client, and what it has told us: its name, what it can do, what it follows.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use soul_engine::Caller;
use soul_engine::store::Party;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::follow::{Changes, Followed};
use super::message::{Message, ProtocolError, Request, notification, reply};
use super::{Options, follow, methods};
use crate::app::App;

/// Where messages to a client go.
pub(super) type Sink = mpsc::Sender<Value>;

/// How many requests of one client run at once. The others wait for them, and none is refused for it.
const RUNNING: usize = 16;

/// How many requests of one client may run and wait.
pub(super) const WAITING: usize = 4096;

/// How many resources a client may follow.
const FOLLOWED: usize = 1024;

/// How long a user may take to answer a question.
const PATIENCE: Duration = Duration::from_secs(300);

/// The levels of log messages, least important first.
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// What a client says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Client {
    /// Its name and version.
    pub(super) label: Option<String>,
    /// Whether it can ask its user something.
    pub(super) elicits: bool,
    /// The least important messages that it wants to hear, as an index of the levels; none if it does not.
    level: Option<usize>,
}

impl Client {
    /// What an `Implementation` and capabilities say.
    pub(super) fn new(info: &Value, capabilities: &Value) -> Self {
        let text = |key: &str| info[key].as_str().map(str::trim).filter(|text| !text.is_empty());
        let label = text("name").map(|name| match text("version") {
            Some(version) => format!("{name} {version}"),
            None => name.to_owned(),
        });
        Self { label, elicits: capabilities["elicitation"].is_object(), level: None }
    }
}

/// How a request was made: in a session that began with a handshake, or with all about the client in it.
#[derive(Debug, Clone)]
pub(super) struct Era {
    pub(super) is_modern: bool,
    pub(super) client: Client,
}

/// A client.
pub(super) struct Session {
    pub(super) app: App,
    pub(super) options: Options,
    /// Who is at the other end, as the transport found out.
    caller: Caller,
    /// Where messages go that belong to no request; none if the client is forgotten after its request.
    out: Option<Sink>,
    client: Mutex<Client>,
    followed: Mutex<Vec<Followed>>,
    follower: Mutex<bool>,
    asked: Mutex<HashMap<String, oneshot::Sender<Value>>>,
    running: Mutex<HashMap<String, oneshot::Sender<()>>>,
    slots: Semaphore,
    next: AtomicU64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    pub(super) fn new(app: App, options: Options, caller: Caller, out: Option<Sink>) -> Arc<Self> {
        Arc::new(Self {
            app,
            options,
            caller,
            out,
            client: Mutex::default(),
            followed: Mutex::default(),
            follower: Mutex::default(),
            asked: Mutex::default(),
            running: Mutex::default(),
            slots: Semaphore::new(RUNNING),
            next: AtomicU64::new(1),
        })
    }

    /// Whether the same caller is at the other end.
    pub(super) fn is_of(&self, caller: &Caller, options: &Options) -> bool {
        let same_token = self.caller.token() == caller.token() && self.caller.agent() == caller.agent();
        same_token && self.caller.is_owner() == caller.is_owner() && self.options == *options
    }

    /// Who makes a request. A token says by itself who holds it, and an agent stays the agent.
    pub(super) fn caller(&self, era: &Era) -> Caller {
        let caller = self.caller.clone();
        match (&self.options.agent, &era.client.label) {
            _ if caller.token().is_some() || caller.agent().is_some() => caller,
            (Some(agent), _) => caller.named(Party::new("agent", agent.as_str())),
            (None, label) => caller.named(Party::new("client", label.as_deref().unwrap_or("unknown"))),
        }
    }

    /// How a request is made.
    pub(super) fn era(&self, request: &Request) -> Era {
        const PREFIX: &str = "io.modelcontextprotocol/";
        let meta = |key: &str| request.meta(&format!("{PREFIX}{key}"));
        if request.method == "initialize" || meta("protocolVersion").is_none() {
            return Era { is_modern: false, client: locked(&self.client).clone() };
        }
        let none = Value::Null;
        let mut client = Client::new(meta("clientInfo").unwrap_or(&none), meta("clientCapabilities").unwrap_or(&none));
        client.level = meta("logLevel").and_then(Value::as_str).and_then(level);
        Era { is_modern: true, client }
    }

    /// Remembers what a client says about itself in its handshake.
    pub(super) fn introduce(&self, client: Client) {
        *locked(&self.client) = client;
    }

    /// Answers a request; `None` if the client no longer wants an answer.
    pub(super) async fn respond(self: &Arc<Self>, request: Request, sink: &Sink) -> Option<Value> {
        let key = request.id.to_string();
        let (cancel, mut cancelled) = oneshot::channel();
        if locked(&self.running).insert(key.clone(), cancel).is_some() {
            let taken = ProtocolError::new(super::message::INVALID_REQUEST, "a request with this id is under way");
            return Some(taken.reply(&request.id));
        }
        let _done = Done { session: self, key };
        let work = async {
            let _slot = self.slots.acquire().await;
            methods::answer(self, &request, sink).await
        };
        // A read ends here with its future. A change that has begun is finished by its thread.
        tokio::select! {
            biased;
            answer = work => Some(match answer {
                Ok(result) => reply(&request.id, result),
                Err(error) => error.reply(&request.id),
            }),
            Ok(()) = &mut cancelled => None,
        }
    }

    /// Takes note of a message that asks for no answer.
    pub(super) fn hear(&self, message: &Message) {
        match message {
            Message::Notification { method, params } if method == "notifications/cancelled" => {
                let id = params.get("requestId").map(Value::to_string).unwrap_or_default();
                if let Some(cancel) = locked(&self.running).remove(&id) {
                    let _ = cancel.send(());
                }
            }
            Message::Response { id, result } => {
                let waiting = id.as_str().and_then(|id| locked(&self.asked).remove(id));
                if let Some(waiting) = waiting {
                    let _ = waiting.send(result.clone().unwrap_or_else(|| json!({ "action": "cancel" })));
                }
            }
            _ => {}
        }
    }

    /// Asks the client something; `None` if it could not answer.
    pub(super) async fn ask(&self, method: &str, params: Value, sink: &Sink) -> Option<Value> {
        self.out.as_ref()?;
        let id = format!("soul-{}", self.next.fetch_add(1, Ordering::Relaxed));
        let (answered, answer) = oneshot::channel();
        locked(&self.asked).insert(id.clone(), answered);
        let question = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        sink.send(question).await.ok()?;
        let answer = tokio::time::timeout(PATIENCE, answer).await;
        locked(&self.asked).remove(&id);
        Some(answer.ok().and_then(Result::ok).unwrap_or_else(|| json!({ "action": "cancel" })))
    }

    /// Sends a log message to a client that wants those of this level.
    pub(super) fn log(&self, sink: &Sink, era: &Era, named: &str, message: &str) {
        if era.client.level.is_some_and(|least| level(named).is_some_and(|level| level >= least)) {
            let params = json!({ "level": named, "logger": "soul", "data": message });
            let _ = sink.try_send(notification("notifications/message", params));
        }
    }

    /// Sets the least important log messages that the client wants.
    pub(super) fn set_level(&self, params: &Map<String, Value>) -> Result<(), ProtocolError> {
        let named = params.get("level").and_then(Value::as_str).and_then(level);
        let unknown = || ProtocolError::params(format!("the levels are {}", LEVELS.join(", ")));
        locked(&self.client).level = Some(named.ok_or_else(unknown)?);
        Ok(())
    }

    /// Follows a resource.
    pub(super) fn subscribe(self: &Arc<Self>, uri: &str) -> Result<(), ProtocolError> {
        let Some(out) = &self.out else {
            return Err(ProtocolError::params("subscriptions need a session: begin with `initialize`"));
        };
        let mut followed = locked(&self.followed);
        if followed.len() >= FOLLOWED {
            return Err(ProtocolError::params(format!("at most {FOLLOWED} resources can be followed")));
        }
        if !followed.iter().any(|one| one.uri() == uri) {
            followed.push(Followed::new(&self.app.keeper.get(), uri));
        }
        drop(followed);
        let mut follower = locked(&self.follower);
        if !std::mem::replace(&mut *follower, true) {
            follow::spawn(self, out.clone());
        }
        Ok(())
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        locked(&self.followed).retain(|one| one.uri() != uri);
    }

    /// The followed resources that have changed: those of souls that were changed, and memories.
    pub(super) fn changed(&self, changes: &Changes) -> Vec<String> {
        follow::changed(&self.app.keeper.get(), &mut locked(&self.followed), changes)
    }
}

fn level(named: &str) -> Option<usize> {
    LEVELS.iter().position(|level| *level == named)
}

/// Forgets a request when it is over, whatever ends it.
struct Done<'a> {
    session: &'a Session,
    key: String,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        locked(&self.session.running).remove(&self.key);
    }
}
