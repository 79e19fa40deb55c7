//! What happens, read once and sent to everybody who follows it; and the look at files that others edit.

use std::sync::Arc;
use std::time::Duration;

use soul_engine::fields::Limit;
use soul_engine::ops::{Operation, log};
use soul_engine::outside::Outside;
use soul_engine::store::{Event, Party};
use soul_engine::{Caller, Context};
use tokio::sync::broadcast;

use crate::app::{App, Parts};

/// How often to look for events, whether anybody says that there are any or not.
const GLANCE: Duration = Duration::from_millis(200);

/// How often to look at the files of agents.
const LOOK: Duration = Duration::from_millis(500);

/// How many events a follower may be behind before it has to read them from the store.
const BEHIND: usize = 1024;

/// How many events are read at once.
const PAGE: u16 = 500;

/// Where events are sent.
pub(crate) type Feed = broadcast::Sender<Arc<Event>>;

/// Reads the events after this one as they come, in a thread of its own, until the service is gone.
pub(crate) fn start(parts: &Arc<Parts>, mut after: i64) -> Feed {
    let background = parts.background.clone();
    let (feed, parts) = (Feed::new(BEHIND), Arc::downgrade(parts));
    let sender = feed.clone();
    background.spawn(move |background| {
        // Only followers who may see events are sent any.
        let caller = Caller::anybody(Party::new("client", "feed"), "keeper");
        let mut seen = 0;
        while let Some(parts) = parts.upgrade() {
            let keeper = parts.keeper.get();
            drop(parts);
            let request = log::Request { after: Some(after), limit: Limit::new(PAGE), ..log::Request::default() };
            // A store that does not answer now may answer at the next look.
            if let Ok(page) = request.call(&Context::new(&keeper, &caller)) {
                let is_full = page.events.len() == usize::from(PAGE);
                for event in page.events {
                    // Nobody may be following.
                    let _ = sender.send(Arc::new(event));
                }
                after = page.next;
                if is_full {
                    continue;
                }
            }
            seen = keeper.wait_for_news(seen, GLANCE);
            if !background.pause(Duration::ZERO) {
                return;
            }
        }
    });
    feed
}

/// Looks at the files of agents now and then, in a thread of its own, until the service is gone.
pub(crate) fn watch_files(app: &App) {
    let parts = app.downgrade();
    app.background.spawn(move |background| {
        let mut outside = Outside::default();
        while let Some(parts) = parts.upgrade() {
            let keeper = parts.keeper.get();
            drop(parts);
            outside.look(&keeper);
            drop(keeper);
            if !background.pause(LOOK) {
                return;
            }
        }
    });
}
