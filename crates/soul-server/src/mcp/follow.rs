//! Subscriptions: a client hears that a resource has changed. Souls change when the change is recorded; of a memory, which
//! has no record, the file is looked at, so that it does not matter who has changed it.

use std::sync::{Arc, Weak};

use serde_json::{Value, json};
use soul_engine::fields::Limit;
use soul_engine::files::witness::Witness;
use soul_engine::ops::log;
use soul_engine::store::{Event, Party};
use soul_engine::{Caller, Keeper};

use super::TRANSPORT;
use super::message::notification;
use super::session::{Session, Sink};
use super::uri::{self, Address};
use crate::app::App;
use crate::serve::over;

/// A resource that a client follows.
pub(super) struct Followed {
    uri: String,
    /// The address as events have it; none for a memory.
    soul: Option<String>,
    /// The file of a memory when it was last looked at, wherever its agent may be found.
    memory: Option<Witness>,
}

impl Followed {
    /// A resource as it is now. Whether it exists is for the caller to find out.
    pub(super) fn new(keeper: &Keeper, uri: &str) -> Self {
        let (soul, memory) = match Address::parse(uri) {
            Some(Address::Agent(name)) => (Some(uri::of_agent(name.as_str())), None),
            Some(Address::Library(id)) => (Some(uri::of_library(id.as_str())), None),
            Some(Address::Memory { agent, file, .. }) => {
                let folders = keeper.agent_paths(&agent).into_iter();
                (None, Some(Witness::of(folders.map(|folder| folder.join(&file)).collect())))
            }
            None => (None, None),
        };
        Self { uri: uri.to_owned(), soul, memory }
    }

    pub(super) fn uri(&self) -> &str {
        &self.uri
    }

    /// Whether it has changed since it was last asked: it is one of the souls that were changed, or its file is another.
    fn has_changed(&mut self, keeper: &Keeper, souls: &[String]) -> bool {
        if self.memory.as_ref().is_some_and(|memory| !memory.holds()) {
            *self = Self::new(keeper, &self.uri);
            return true;
        }
        self.soul.as_ref().is_some_and(|soul| souls.contains(soul))
    }
}

/// The addresses of those resources that have changed: those of souls that were changed, and memories.
pub(super) fn changed(keeper: &Keeper, followed: &mut [Followed], souls: &[String]) -> Vec<String> {
    let changed = followed.iter_mut().filter_map(|one| one.has_changed(keeper, souls).then(|| one.uri.clone()));
    changed.collect()
}

/// Follows the resources of a session until it ends.
pub(super) fn spawn(session: &Arc<Session>, out: Sink) {
    let (weak, app): (Weak<Session>, App) = (Arc::downgrade(session), session.app.clone());
    tokio::spawn(async move {
        let changed = |souls: &[String]| Some(weak.upgrade()?.changed(souls));
        watch(&app, &out, changed, None).await;
    });
}

/// Sends a notification for each followed resource that has changed, until nobody follows any, the client is gone or the
/// service goes down. `changed` is called with the souls that were changed, several times a second.
pub(super) async fn watch(
    app: &App,
    out: &Sink,
    mut changed: impl FnMut(&[String]) -> Option<Vec<String>>,
    meta: Option<Value>,
) {
    let mut news = app.news();
    let mut gone = app.gone.clone();
    let mut after = recorded(app, None).await.map_or(0, |(_, next)| next);
    loop {
        let souls: Vec<String> = tokio::select! {
            () = over(&mut gone) => return,
            () = out.closed() => return,
            _ = news.changed() => match recorded(app, Some(after)).await {
                // A store that does not answer now may answer at the next look.
                None => Vec::new(),
                Some((events, next)) => {
                    after = next;
                    events.iter().filter_map(address).collect()
                }
            },
        };
        let Some(uris) = changed(&souls) else { return };
        for uri in uris {
            let mut params = json!({ "uri": uri });
            if let Some(meta) = &meta {
                params["_meta"] = meta.clone();
            }
            let _ = out.send(notification("notifications/resources/updated", params)).await;
        }
    }
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
