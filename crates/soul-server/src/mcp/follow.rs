//! Subscriptions: a client hears that a resource has changed when the change is recorded.

use std::sync::{Arc, Weak};

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
    let mut news = app.news();
    let mut gone = app.gone.clone();
    let mut after = recorded(app, None).await.map_or(0, |(_, next)| next);
    loop {
        let changed: Vec<String> = tokio::select! {
            () = over(&mut gone) => return,
            () = out.closed() => return,
            agent = memory.recv() => match agent {
                Ok(agent) => vec![uri::of_memory(&agent)],
                Err(RecvError::Lagged(_)) => vec!["memory://".to_owned()],
                Err(RecvError::Closed) => return,
            },
            _ = news.changed() => match recorded(app, Some(after)).await {
                // A store that does not answer now may answer at the next look.
                None => continue,
                Some((events, next)) => {
                    after = next;
                    events.iter().filter_map(address).collect()
                }
            },
        };
        let is_changed = |uri: &str| changed.iter().any(|changed| uri == changed || is_below(changed, uri));
        let Some(uris) = followed(&is_changed) else { return };
        for uri in uris {
            let mut params = json!({ "uri": uri });
            if let Some(meta) = &meta {
                params["_meta"] = meta.clone();
            }
            let _ = out.send(notification("notifications/resources/updated", params)).await;
        }
    }
}

fn is_below(prefix: &str, uri: &str) -> bool {
    prefix.starts_with("memory://") && uri.starts_with(prefix)
}

/// The events after this one, or none of them, and the number to continue after.
async fn recorded(app: &App, after: Option<i64>) -> Option<(Vec<Event>, i64)> {
    // Only addresses leave this module, and the client has asked for each of them.
    let caller = Caller::anybody(Party::new("client", "subscription"), TRANSPORT);
    let limit = if after.is_some() { 100 } else { 1 };
    let request = log::Request { after, limit: Limit::new(limit), ..log::Request::default() };
    let page = app.ask(request, caller).await.ok()?;
    Some((page.events, page.next))
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
