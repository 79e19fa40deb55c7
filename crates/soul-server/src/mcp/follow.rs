//! Subscriptions: a client hears that a resource has changed when the change is recorded.

use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use soul_engine::Caller;
use soul_engine::fields::Limit;
use soul_engine::ops::log;
use soul_engine::store::{Event, Party};
use tokio::sync::broadcast::{self, error::RecvError};

use super::message::notification;
use super::session::{Session, Sink};
use super::{TRANSPORT, uri};
use crate::app::App;
use crate::serve::over;

/// Follows what is recorded, until the session ends.
pub(super) fn spawn(session: &Arc<Session>, out: Sink) {
    let (weak, app, memory): (Weak<Session>, App, _) =
        (Arc::downgrade(session), session.app.clone(), session.memory_changes());
    tokio::spawn(async move {
        let followed = |is_changed: &Changed<'_>| Some(weak.upgrade()?.followed(is_changed));
        watch(&app, memory, &out, followed, None).await;
    });
}

/// How long to wait for what belongs to the same change, which leaves several events: a client hears of it once.
const TOGETHER: Duration = Duration::from_millis(50);

/// Whether a resource has changed.
pub(super) type Changed<'a> = dyn Fn(&str) -> bool + 'a;

/// Sends a notification for each followed resource that has changed, until nobody follows any, the client is gone or the
/// service goes down.
pub(super) async fn watch(
    app: &App,
    mut memory: broadcast::Receiver<String>,
    out: &Sink,
    followed: impl Fn(&Changed<'_>) -> Option<Vec<String>>,
    meta: Option<Value>,
) {
    let seen = recorded(app, None).await.map_or(0, |page| page.next);
    let mut events = app.events(seen);
    // What came since then is in the store, and what comes from now on is in the feed.
    let between = recorded(app, Some(seen)).await;
    let mut last = between.as_ref().map_or(seen, |page| page.next);
    let between = between.map(|page| page.events).unwrap_or_default();
    let mut changed: Vec<String> = between.iter().filter_map(address).collect();
    let mut gone = app.gone.clone();
    loop {
        if !changed.is_empty() {
            let is_changed = |uri: &str| changed.iter().any(|changed| uri == changed || is_below(changed, uri));
            let Some(uris) = followed(&is_changed) else { return };
            notify(out, uris, meta.as_ref()).await;
        }
        changed = tokio::select! {
            () = over(&mut gone) => return,
            () = out.closed() => return,
            agent = memory.recv() => match agent {
                Ok(agent) => vec![uri::of_memory(&agent)],
                Err(RecvError::Lagged(_)) => vec!["memory://".to_owned()],
                Err(RecvError::Closed) => return,
            },
            // Only addresses leave this module, and the client has asked for each of them.
            event = events.recv() => match event {
                Ok(event) => {
                    tokio::time::sleep(TOGETHER).await;
                    let more = std::iter::from_fn(|| events.try_recv().ok());
                    let new: Vec<_> = std::iter::once(event).chain(more).filter(|event| event.seq > last).collect();
                    last = new.last().map_or(last, |event| event.seq);
                    new.iter().filter_map(|event| address(event)).collect()
                }
                // What was missed may have been about anything.
                Err(RecvError::Lagged(_)) => vec![String::new()],
                Err(RecvError::Closed) => return,
            },
        };
    }
}

/// Tells the client that these resources have changed.
async fn notify(out: &Sink, uris: Vec<String>, meta: Option<&Value>) {
    for uri in uris {
        let mut params = json!({ "uri": uri });
        if let Some(meta) = meta {
            params["_meta"] = meta.clone();
        }
        let _ = out.send(notification("notifications/resources/updated", params)).await;
    }
}

fn is_below(prefix: &str, uri: &str) -> bool {
    prefix.is_empty() || prefix.starts_with("memory://") && uri.starts_with(prefix)
}

/// The events after this one, or the last one.
async fn recorded(app: &App, after: Option<i64>) -> Option<log::Response> {
    let caller = Caller::anybody(Party::new("client", "subscription"), TRANSPORT);
    let limit = Limit::new(if after.is_some() { 100 } else { 1 });
    app.ask(log::Request { after, limit, ..log::Request::default() }, caller).await.ok()
}

/// The resource that an event is about, if it changed one.
fn address(event: &Event) -> Option<String> {
    let event = &event.event;
    if !event.kind.as_str().starts_with("soul.") {
        return None;
    }
    let agent = event.agent.as_deref().map(uri::of_agent);
    agent.or_else(|| event.soul.as_deref().map(uri::of_library))
}
