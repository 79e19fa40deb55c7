use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::view;

/// A line on the terminal while an operation runs, once it takes long enough to wonder: a bar, a count, or that it is
/// working. Nothing is shown where standard error is not a terminal, or to quiet users.
pub(crate) struct Progress(Option<(Arc<Shared>, JoinHandle<()>)>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    what: Option<&'static str>,
    done: usize,
    total: Option<usize>,
    has_ended: bool,
}

const QUIET: Duration = Duration::from_millis(300);
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn start() -> Self {
        if !std::io::stderr().is_terminal() || view::is_quiet() {
            return Self(None);
        }
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().spawn(move || of_thread.draw());
        Self(thread.ok().map(|thread| (shared, thread)))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the line again and again until the operation has ended, and removes it.
    fn draw(&self) {
        let mut state = self.lock();
        for tick in 0.. {
            let pause = if tick == 0 { QUIET } else { REFRESH };
            let waited = self.ended.wait_timeout_while(state, pause, |state| !state.has_ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let line = if state.has_ended { String::new() } else { line(&state, tick) };
            if tick > 0 || !state.has_ended {
                let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            }
            if state.has_ended {
                return;
            }
        }
    }
}

impl soul_engine::Progress for Progress {
    fn advance(&self, what: &'static str, count: usize, total: Option<usize>) {
        if let Some((shared, _)) = &self.0 {
            let mut state = shared.lock();
            let before = if state.what == Some(what) { state.done } else { 0 };
            (state.what, state.done, state.total) = (Some(what), before + count, total);
        }
    }
}

fn line(state: &State, tick: usize) -> String {
    const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
    const ASCII_FRAMES: [&str; 4] = ["|", "/", "-", "\\"];
    let State { what, done, total, .. } = state;
    let frames: &[&str] = if view::is_unicode() { &FRAMES } else { &ASCII_FRAMES };
    match (what, total) {
        (Some(what), Some(total)) => format!("{} {done} {what}", bar(*done, *total)),
        (Some(what), None) => format!("{} {done} {what}", frames[tick % frames.len()]),
        (None, _) => format!("{} working", frames[tick % frames.len()]),
    }
}

/// How far it is, in twenty steps.
fn bar(done: usize, total: usize) -> String {
    const STEPS: usize = 20;
    let full = (done * STEPS / total.max(1)).min(STEPS);
    let (done, left) = if view::is_unicode() { ("█", "░") } else { ("#", "-") };
    format!("[{}{}] {:>3} %", done.repeat(full), left.repeat(STEPS - full), full * 100 / STEPS)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((shared, thread)) = self.0.take() {
            shared.lock().has_ended = true;
            shared.ended.notify_all();
            // The line is gone before the result is printed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soul_engine::Progress as _;

    #[test]
    fn counts_begin_anew_with_another_unit() {
        let shared = Arc::new(Shared::default());
        let progress = Progress(Some((Arc::clone(&shared), std::thread::spawn(|| ()))));
        assert!(line(&shared.lock(), 0).ends_with(" working"));
        progress.advance("files read", 2, None);
        progress.advance("files read", 3, None);
        assert!(line(&shared.lock(), 1).ends_with(" 5 files read"));
        progress.advance("files indexed", 1, Some(4));
        assert!(line(&shared.lock(), 2).ends_with("25 % 1 files indexed"));
    }
}
