//! Bounded room for operations of one kind. No client takes all of it, and nobody waits without end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::connections::Client;

/// How many clients are remembered before those without a request are forgotten.
const CLIENTS: usize = 256;

/// Room for a number of operations that run at once.
pub(crate) struct Pool {
    slots: Arc<Semaphore>,
    /// How many of them one client may have. The others are for everybody else, so no client waits behind all
    /// requests of another one.
    share: usize,
    /// How many requests of one client may wait.
    queue: usize,
    /// How long a request may wait.
    patience: Duration,
    clients: Mutex<HashMap<Client, Arc<Share>>>,
}

struct Share {
    slots: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// Room for one operation, until it is dropped.
pub(crate) struct Slot {
    _share: OwnedSemaphorePermit,
    _slot: OwnedSemaphorePermit,
}

/// There is no room, and waiting for it would take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overloaded;

impl Pool {
    /// Room for `slots` operations. One client gets three quarters of it, at least one slot.
    pub(crate) fn new(slots: usize, queue: usize, patience: Duration) -> Self {
        let share = (slots * 3 / 4).max(1);
        Self { slots: Arc::new(Semaphore::new(slots)), share, queue, patience, clients: Mutex::default() }
    }

    /// A slot for a client, as soon as there is one. A client that goes away meanwhile stops waiting.
    pub(crate) async fn slot(&self, client: &Client) -> Result<Slot, Overloaded> {
        let share = self.share_of(client);
        if let Some(slot) = self.free_slot(&share) {
            return Ok(slot);
        }
        let _waiting = Waiting::begin(&share.waiting, self.queue).ok_or(Overloaded)?;
        let slot = async {
            // The own share comes first: what a client has too much of waits for the client alone.
            let own = Arc::clone(&share.slots).acquire_owned().await.map_err(|_| Overloaded)?;
            let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| Overloaded)?;
            Ok(Slot { _share: own, _slot: slot })
        };
        tokio::time::timeout(self.patience, slot).await.unwrap_or(Err(Overloaded))
    }

    /// A slot for a client, if there is one now.
    pub(crate) fn try_slot(&self, client: &Client) -> Option<Slot> {
        self.free_slot(&self.share_of(client))
    }

    fn free_slot(&self, share: &Share) -> Option<Slot> {
        let own = Arc::clone(&share.slots).try_acquire_owned().ok()?;
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        Some(Slot { _share: own, _slot: slot })
    }

    fn share_of(&self, client: &Client) -> Arc<Share> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() > CLIENTS {
            clients.retain(|_, share| Arc::strong_count(share) > 1 || share.slots.available_permits() < self.share);
        }
        if let Some(share) = clients.get(client) {
            return Arc::clone(share);
        }
        let share = Share { slots: Arc::new(Semaphore::new(self.share)), waiting: AtomicUsize::new(0) };
        Arc::clone(clients.entry(client.clone()).or_insert(Arc::new(share)))
    }
}

/// A request that waits, counted until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        let counted = Self(waiting);
        (waiting.fetch_add(1, Ordering::Relaxed) < most).then_some(counted)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::address([192, 0, 2, last].into())
    }

    #[tokio::test(start_paused = true)]
    async fn one_client_leaves_room_for_others() {
        let pool = Pool::new(4, 8, Duration::from_secs(5));
        let held: Vec<_> = (0..3).map(|_| pool.try_slot(&client(1)).unwrap()).collect();
        assert!(pool.try_slot(&client(1)).is_none(), "a client has its share and no more");
        let other = pool.try_slot(&client(2)).unwrap();
        assert!(pool.try_slot(&client(3)).is_none(), "the pool is full");
        drop(other);
        // What the first client waits for does not stand in the way of the second.
        let (one, two) = (client(1), client(2));
        let greedy = futures_util::future::join_all((0..8).map(|_| pool.slot(&one)));
        let (refused, found) = tokio::join!(greedy, pool.slot(&two));
        assert!(found.is_ok());
        assert!(refused.iter().all(Result::is_err), "a request that waits too long is refused");
        drop(held);
        assert!(pool.slot(&client(1)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_has_an_end() {
        let pool = Pool::new(1, 2, Duration::from_secs(5));
        let one = client(1);
        let held = pool.try_slot(&one).unwrap();
        let begun = tokio::time::Instant::now();
        let (first, second, third) = tokio::join!(pool.slot(&one), pool.slot(&one), async {
            let third = pool.slot(&one).await;
            (third.is_err(), begun.elapsed())
        });
        assert!(first.is_err() && second.is_err());
        assert_eq!(third, (true, Duration::ZERO), "the third is refused at once");
        drop(held);
        assert!(pool.slot(&client(1)).await.is_ok(), "those that gave up no longer count");
    }

    #[tokio::test]
    async fn clients_without_requests_are_forgotten() {
        let pool = Pool::new(4, 8, Duration::from_secs(5));
        let held = pool.try_slot(&Client::Socket).unwrap();
        for number in 0..2000_u32 {
            drop(pool.try_slot(&Client::address(number.to_be_bytes().into())));
        }
        assert!(pool.clients.lock().unwrap().len() <= CLIENTS + 2);
        assert!(pool.clients.lock().unwrap().contains_key(&Client::Socket));
        drop(held);
    }
}
