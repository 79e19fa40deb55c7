use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::view;

/// A count on the terminal, once the work takes long enough to wonder. Nothing is shown where
/// standard error is not a terminal.
pub(crate) struct Progress {
    done: AtomicUsize,
    /// When to show the next count; none where nothing is shown.
    next: Option<Mutex<Instant>>,
    shown: AtomicBool,
}

impl Progress {
    const QUIET: Duration = Duration::from_millis(300);
    const REFRESH: Duration = Duration::from_millis(100);

    pub(crate) fn start() -> Self {
        let next = Mutex::new(Instant::now() + Self::QUIET);
        let next = (std::io::stderr().is_terminal() && !view::is_quiet()).then_some(next);
        Self { done: AtomicUsize::new(0), next, shown: AtomicBool::new(false) }
    }
}

impl soul_engine::Progress for Progress {
    fn advance(&self, what: &'static str, count: usize, total: Option<usize>) {
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        // Whoever cannot have the lock leaves the line to the one who has.
        if let Some(Ok(mut next)) = self.next.as_ref().map(Mutex::try_lock)
            && Instant::now() >= *next
        {
            *next = Instant::now() + Self::REFRESH;
            self.shown.store(true, Ordering::Relaxed);
            let bar = total.map(|total| bar(done, total)).unwrap_or_default();
            let _ = write!(std::io::stderr(), "\r\x1b[K{bar}{done} {what}");
        }
    }
}

/// How far it is, in twenty steps.
fn bar(done: usize, total: usize) -> String {
    const STEPS: usize = 20;
    let full = (done * STEPS / total.max(1)).min(STEPS);
    let (done, left) = if view::is_unicode() { ("█", "░") } else { ("#", "-") };
    format!("[{}{}] {:>3} % ", done.repeat(full), left.repeat(STEPS - full), full * 100 / STEPS)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.load(Ordering::Relaxed) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
