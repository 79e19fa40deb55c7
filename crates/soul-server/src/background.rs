//! Threads that work beside the requests, and end with the service: what they hold open is closed when it is gone.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The threads of one service.
#[derive(Clone, Default)]
pub(crate) struct Background(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    running: usize,
}

impl Background {
    /// Runs this in a thread of its own. It returns soon after [`Background::pause`] has returned false.
    pub(crate) fn spawn(&self, work: impl FnOnce(&Self) + Send + 'static) {
        self.state().running += 1;
        let running = Running(self.clone());
        std::thread::spawn(move || work(&running.0));
    }

    /// Waits for as long as this. Returns whether to go on, at once if the service goes down.
    pub(crate) fn pause(&self, time: Duration) -> bool {
        let waited = self.0.changed.wait_timeout_while(self.state(), time, |state| !state.is_over);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_over
    }

    /// Tells the threads to end, and waits until they have, but no longer than this.
    pub(crate) fn end(&self, patience: Duration) {
        self.state().is_over = true;
        self.0.changed.notify_all();
        let _ = self.0.changed.wait_timeout_while(self.state(), patience, |state| state.running > 0);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread, until it returns or panics.
struct Running(Background);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn nothing_runs_once_it_has_ended() {
        let (background, turns) = (Background::default(), Arc::new(AtomicUsize::new(0)));
        for _ in 0..3 {
            let turns = Arc::clone(&turns);
            background.spawn(move |background| {
                while background.pause(Duration::from_millis(1)) {
                    turns.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        while turns.load(Ordering::Relaxed) < 3 {
            std::thread::yield_now();
        }
        background.end(Duration::MAX);
        let ended = (background.state().running, Arc::strong_count(&turns));
        assert_eq!(ended, (0, 1));
        assert!(!background.pause(Duration::MAX));
    }

    #[test]
    fn a_thread_that_hangs_is_not_waited_for_without_end() {
        let background = Background::default();
        background.spawn(|_| std::thread::sleep(Duration::from_secs(5)));
        background.end(Duration::from_millis(1));
        assert_eq!(background.state().running, 1);
    }
}
