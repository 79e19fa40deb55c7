//! Subscriptions: a client hears that a resource has changed. Souls change when the change is recorded; of a memory, which
//! has no record, the file is looked at, so that it does not matter who has changed it.

use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use soul_engine::fields::Limit;
use soul_engine::files::witness::Witness;
use soul_engine::ops::log;
use soul_engine::store::{Event, Party};
use soul_engine::{Caller, Keeper};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval};

use super::TRANSPORT;
use super::message::notification;
use super::session::{Session, Sink};
use super::uri::{self, Address};
use crate::app::App;
use crate::serve::over;

/// How often to look at the files of memories.
const LOOK: Duration = Duration::from_millis(250);

/// How long to wait for what belongs to the same change, which leaves several events: a client hears of it once.
const TOGETHER: Duration = Duration::from_millis(50);

/// The souls that were changed, as addresses of resources.
pub(super) enum Changes {
    Souls(Vec<String>),
    /// Events were missed: any soul may have changed.
    Unknown,
}

impl Changes {
    fn include(&self, soul: &String) -> bool {
        match self {
            Self::Souls(souls) => souls.contains(soul),
            Self::Unknown => true,
        }
    }
}

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
    fn has_changed(&mut self, keeper: &Keeper, changes: &Changes) -> bool {
        if self.memory.as_ref().is_some_and(|memory| !memory.holds()) {
            *self = Self::new(keeper, &self.uri);
            return true;
        }
        self.soul.as_ref().is_some_and(|soul| changes.include(soul))
    }
}

/// The addresses of those resources that have changed: those of souls that were changed, and memories.
pub(super) fn changed(keeper: &Keeper, followed: &mut [Followed], changes: &Changes) -> Vec<String> {
    let changed = followed.iter_mut().filter_map(|one| one.has_changed(keeper, changes).then(|| one.uri.clone()));
    changed.collect()
}

/// Follows the resources of a session until it ends.
pub(super) fn spawn(session: &Arc<Session>, out: Sink) {
    let (weak, app): (Weak<Session>, App) = (Arc::downgrade(session), session.app.clone());
    tokio::spawn(async move {
        let changed = |changes: &Changes| Some(weak.upgrade()?.changed(changes));
        watch(&app, &out, changed, None).await;
    });
}

/// Sends a notification for each followed resource that has changed, until nobody follows any, the client is gone or the
/// service goes down. `changed` is called with the souls that were changed, several times a second.
pub(super) async fn watch(
    app: &App,
    out: &Sink,
    mut changed: impl FnMut(&Changes) -> Option<Vec<String>>,
    meta: Option<Value>,
) {
    let seen = recorded(app, None).await.map_or(0, |page| page.next);
    let mut events = app.events(seen);
    // What came since then is in the store, and what comes from now on is in the feed.
    let between = recorded(app, Some(seen)).await;
    let mut last = between.as_ref().map_or(seen, |page| page.next);
    let between = between.map(|page| page.events).unwrap_or_default();
    let mut changes = Changes::Souls(between.iter().filter_map(address).collect());
    let mut gone = app.gone.clone();
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let Some(uris) = changed(&changes) else { return };
        for uri in uris {
            let mut params = json!({ "uri": uri });
            if let Some(meta) = &meta {
                params["_meta"] = meta.clone();
            }
            let _ = out.send(notification("notifications/resources/updated", params)).await;
        }
        changes = tokio::select! {
            () = over(&mut gone) => return,
            () = out.closed() => return,
            _ = look.tick() => Changes::Souls(Vec::new()),
            event = events.recv() => match event {
                Ok(event) => {
                    tokio::time::sleep(TOGETHER).await;
                    let more = std::iter::from_fn(|| events.try_recv().ok());
                    let new: Vec<_> = std::iter::once(event).chain(more).filter(|event| event.seq > last).collect();
                    last = new.last().map_or(last, |event| event.seq);
                    Changes::Souls(new.iter().filter_map(|event| address(event)).collect())
                }
                Err(RecvError::Lagged(_)) => Changes::Unknown,
                Err(RecvError::Closed) => return,
            },
        };
    }
}

/// The events after this one, or the last one.
async fn recorded(app: &App, after: Option<i64>) -> Option<log::Response> {
    // Only addresses leave this module, and the client has asked for each of them.
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
