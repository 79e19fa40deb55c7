//! Keepers tell each other that something happened: after a commit, a background thread numbers the new events and
//! notifies the others. Nothing depends on it but how soon others look.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use fallible_iterator::FallibleIterator;

use super::events;
use super::pool::{self, Access, Links};

/// How long to wait for the server before trying again.
const AGAIN: Duration = Duration::from_secs(1);

/// Numbers events in the background. One note stands for all commits before it is read.
#[derive(Debug)]
pub(super) struct Publisher(OnceLock<SyncSender<()>>);

impl Publisher {
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Something was committed.
    pub(super) fn note(&self, pool: &Links) {
        let sender = self.0.get_or_init(|| {
            let (sender, receiver) = sync_channel(1);
            let pool = pool.clone();
            std::thread::spawn(move || publish(&pool, &receiver));
            sender
        });
        let _ = sender.try_send(());
    }
}

fn publish(pool: &Links, receiver: &Receiver<()>) {
    while receiver.recv().is_ok() {
        // If it fails, the next commit or the next reader of events does it.
        let _ = pool::get(pool).and_then(|mut link| events::number(&mut link));
    }
}

/// How often others have told that something happened.
#[derive(Debug, Default)]
pub(super) struct News {
    count: Mutex<u64>,
    changed: Condvar,
    listening: OnceLock<()>,
}

impl News {
    /// Waits until more is known than `seen`, but not for long.
    pub(super) fn wait(self: &Arc<Self>, access: &Access, seen: u64, patience: Duration) -> u64 {
        self.listening.get_or_init(|| {
            let (news, access) = (Arc::downgrade(self), access.clone());
            std::thread::spawn(move || listen(&news, &access));
        });
        let until = Instant::now() + patience;
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count == seen {
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else { break };
            count = self.changed.wait_timeout(count, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *count
    }

    fn add(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
    }
}

/// Listens until nobody wants to know any more. A connection that is lost is opened again; what happened meanwhile
/// counts as news.
fn listen(news: &Weak<News>, access: &Access) {
    while news.strong_count() > 0 {
        let heard = access.connect().and_then(|mut client| {
            client.batch_execute(&format!("LISTEN {}", events::CHANNEL))?;
            if let Some(news) = news.upgrade() {
                news.add();
            }
            loop {
                let told = client.notifications().timeout_iter(AGAIN).next()?;
                match (told, news.upgrade()) {
                    (_, None) => return Ok(()),
                    (Some(_), Some(news)) => news.add(),
                    (None, Some(_)) if client.is_closed() => return Ok(()),
                    (None, Some(_)) => {}
                }
            }
        });
        if heard.is_err() {
            std::thread::sleep(AGAIN);
        }
    }
}
