use std::fs::{File, TryLockError};
use std::io;
use std::time::{Duration, Instant};

/// How long another may hold a directory before we give up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Locks a directory itself, so that nothing of ours stays in it; the system lets go of it if we die.
/// False if somebody else has it until then, or has it now if nobody waits.
pub(crate) fn lock(directory: &File, until: Option<Instant>) -> io::Result<bool> {
    let mut pause = Duration::from_millis(1);
    loop {
        match directory.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if until.is_some_and(|until| Instant::now() < until) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
