//! How many connections the service may hold. Each is a descriptor, of which the system gives a process so many.

/// How many descriptors we ask for, where the system lets us.
const WANTED: u64 = 4096;

/// Descriptors for files, locks and the store, which no connection may take.
const RESERVE: u64 = 256;

/// The most connections of each listener. Clients on the network cannot take the room of those on the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) tcp: usize,
    pub(crate) socket: usize,
}

impl Limits {
    const MOST: Self = Self { tcp: 1024, socket: 256 };

    /// What fits into the limit of this process, which is raised if it may be.
    pub(crate) fn of_process() -> Self {
        descriptors().map_or(Self::MOST, Self::within)
    }

    /// What fits into so many descriptors.
    fn within(descriptors: u64) -> Self {
        // With few of them, half are for connections all the same.
        let free = descriptors.saturating_sub(RESERVE).max(descriptors / 2);
        let part = |of: u64, most: usize| usize::try_from(of).unwrap_or(most).clamp(1, most);
        Self { tcp: part(free / 4 * 3, Self::MOST.tcp), socket: part(free / 4, Self::MOST.socket) }
    }
}

/// How many descriptors this process may have, after asking for as many as we want; `None` if there is no limit.
#[cfg(unix)]
fn descriptors() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let wanted = limit.maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    if current < wanted && setrlimit(Resource::Nofile, raised).is_ok() { Some(wanted) } else { Some(current) }
}

#[cfg(not(unix))]
const fn descriptors() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_everything_else() {
        for (descriptors, tcp, socket) in
            [(u64::MAX, 1024, 256), (4096, 1024, 256), (1024, 576, 192), (256, 96, 32), (64, 24, 8), (0, 1, 1)]
        {
            assert_eq!(Limits::within(descriptors), Limits { tcp, socket }, "{descriptors}");
        }
    }
}
