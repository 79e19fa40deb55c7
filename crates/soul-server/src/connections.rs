//! Connections that are open: how many there may be, how many of one client, and which one is closed for another.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use soul_engine::ids::TokenId;
use tokio::task::AbortHandle;

/// How long a client may leave its answer unread before its connection may be closed for another one.
const STALLED: Duration = Duration::from_millis(250);

/// The smallest share of one address.
const SMALLEST_SHARE: usize = 64;

tokio::task_local! {
    /// The connection that a task serves.
    static CURRENT: Arc<Connection>;
}

/// Whose connections and requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// Clients of an IPv4 address, or of an IPv6 network of 64 bits: a client with one of its addresses has all.
    Address(IpAddr),
    /// Clients of the Unix socket.
    Socket,
    /// Clients that present a token, wherever they are: many of them may share the address of a proxy.
    Token(TokenId),
}

impl Client {
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            address => address,
        })
    }

    /// How many connections it may have.
    fn share(&self, limit: usize) -> usize {
        match self {
            Self::Socket | Self::Token(_) => limit,
            // Many programs of this machine have this one address.
            Self::Address(address) if address.is_loopback() => limit / 2,
            Self::Address(_) => (limit / 4).max(SMALLEST_SHARE),
        }
        .min(limit)
    }
}

/// A connection and what it is busy with.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// Requests that wait for an operation, or streams that are followed.
    at_work: AtomicUsize,
    /// When bytes last came in or went out.
    moved: AtomicU64,
    /// Since when the client has not taken what there is to send; 0 while it takes it.
    stalled: AtomicU64,
    task: OnceLock<AbortHandle>,
}

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        let moved = AtomicU64::new(now());
        Self { client, at_work: AtomicUsize::new(0), moved, stalled: AtomicU64::new(0), task: OnceLock::new() }
    }

    /// Runs the task that serves this connection, so that [`Connection::current`] is known in it.
    pub(crate) async fn scope<F: Future>(self: Arc<Self>, served: F) -> F::Output {
        CURRENT.scope(self, served).await
    }

    /// The connection that the current task serves, if it serves one.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// Bytes came in or went out.
    pub(crate) fn moved(&self) {
        self.moved.store(now(), Ordering::Relaxed);
        self.stalled.store(0, Ordering::Relaxed);
    }

    /// The client does not take what there is to send.
    pub(crate) fn stalled(&self) {
        let _ = self.stalled.compare_exchange(0, now(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Marks the connection as one that waits for us and must not be closed for another one, until it is dropped.
    pub(crate) fn at_work(self: Arc<Self>) -> AtWork {
        self.at_work.fetch_add(1, Ordering::Relaxed);
        AtWork(self)
    }

    /// Whether it waits for its client and not for us: no request has come, or the answer is not taken.
    fn is_idle(&self) -> bool {
        let stalled = self.stalled.load(Ordering::Relaxed);
        let is_stalled = stalled != 0 && now().saturating_sub(stalled) >= millis(STALLED);
        is_stalled || (stalled == 0 && self.at_work.load(Ordering::Relaxed) == 0)
    }
}

/// A connection that waits for us.
pub(crate) struct AtWork(Arc<Connection>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::Relaxed);
        // What it waits for from now on is its client.
        self.0.moved();
    }
}

/// The connections of a listener.
pub(crate) struct Connections {
    limit: usize,
    open: Mutex<Vec<Arc<Connection>>>,
}

impl Connections {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, open: Mutex::default() })
    }

    /// A place for a connection of a client. If all are taken, the connection that has waited longest for its own client is
    /// closed; a client that has its share of them loses one of its own. None if every one waits for us.
    pub(crate) fn admit(self: &Arc<Self>, client: Client) -> Option<Place> {
        let mut open = self.lock();
        let own = open.iter().filter(|other| other.client == client).count();
        if own >= client.share(self.limit) {
            close_idlest(&mut open, |other| other.client == client)?;
        } else if open.len() >= self.limit {
            close_idlest(&mut open, |_| true)?;
        }
        let connection = Arc::new(Connection::new(client));
        open.push(Arc::clone(&connection));
        Some(Place { connections: Arc::clone(self), connection })
    }

    /// Closes the connection that has waited longest for its client, for whatever else needs a descriptor.
    pub(crate) fn close_one(&self) {
        let _ = close_idlest(&mut self.lock(), |_| true);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn close_idlest(open: &mut Vec<Arc<Connection>>, among: impl Fn(&Connection) -> bool) -> Option<()> {
    let idle = open.iter().enumerate().filter(|(_, connection)| among(connection) && connection.is_idle());
    let (index, _) = idle.min_by_key(|(_, connection)| connection.moved.load(Ordering::Relaxed))?;
    let connection = open.swap_remove(index);
    if let Some(task) = connection.task.get() {
        task.abort();
    }
    Some(())
}

/// The place of a connection, until it is dropped.
pub(crate) struct Place {
    connections: Arc<Connections>,
    pub(crate) connection: Arc<Connection>,
}

impl Place {
    /// Names the task that serves the connection, which ends when the place is needed.
    pub(crate) fn served_by(connection: &Connection, task: AbortHandle) {
        let _ = connection.task.set(task);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().retain(|other| !Arc::ptr_eq(other, &self.connection));
    }
}

/// Milliseconds since the first call; never 0.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    millis(START.elapsed()) + 1
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::address([192, 0, 2, last].into())
    }

    /// Whether a connection still has its place.
    fn is_open(place: &Place) -> bool {
        place.connections.lock().iter().any(|other| Arc::ptr_eq(other, &place.connection))
    }

    #[test]
    fn an_address_loses_its_own_connections_first() {
        let connections = Connections::new(256);
        let own: Vec<_> = (0..64).map(|_| connections.admit(client(1)).unwrap()).collect();
        let other = connections.admit(client(2)).unwrap();
        own.iter().skip(1).for_each(|place| place.connection.moved.store(now() + 5, Ordering::Relaxed));
        let next = connections.admit(client(1)).unwrap();
        assert!(!is_open(&own[0]), "the one that waited longest for its client is closed");
        assert!(own[1..].iter().all(is_open) && is_open(&other) && is_open(&next));
    }

    #[test]
    fn a_connection_that_waits_for_us_is_not_closed() {
        let connections = Connections::new(2);
        let (busy, idle) = (connections.admit(Client::Socket).unwrap(), connections.admit(Client::Socket).unwrap());
        let at_work = Arc::clone(&busy.connection).at_work();
        let next = connections.admit(Client::Socket).unwrap();
        assert!(is_open(&busy) && !is_open(&idle));
        let also = Arc::clone(&next.connection).at_work();
        assert!(connections.admit(Client::Socket).is_none(), "both wait for us");
        // A client that does not read its answer is waited for, whatever it has asked for.
        busy.connection.stalled.store(1, Ordering::Relaxed);
        std::thread::sleep(STALLED);
        assert!(connections.admit(Client::Socket).is_some());
        assert!(!is_open(&busy) && is_open(&next));
        drop((at_work, also));
    }

    #[test]
    fn a_network_of_addresses_is_one_client() {
        let address = |text: &str| Client::address(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:0:0:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:192.0.2.1"), client(1));
        assert_eq!((client(1).share(1024), client(1).share(100), client(1).share(10)), (256, 64, 10));
        assert_eq!((Client::address([127, 0, 0, 1].into()).share(1024), Client::Socket.share(9)), (512, 9));
    }
}
