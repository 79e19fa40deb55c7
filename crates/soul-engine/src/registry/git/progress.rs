//! What `git fetch --progress` prints, as progress of ours.

use crate::context::Progress;

/// How the lines of each phase begin, and what is counted in it.
const PHASES: [(&str, &str); 2] =
    [("Receiving objects:", "objects received"), ("Resolving deltas:", "deltas resolved")];

/// How far a fetch has come.
pub(super) struct Fetching<'a> {
    progress: &'a dyn Progress,
    phase: &'static str,
    done: usize,
}

impl<'a> Fetching<'a> {
    pub(super) fn new(progress: &'a dyn Progress) -> Self {
        // Until the other side answers there is nothing to count.
        progress.advance(PHASES[0].1, 0, None);
        Self { progress, phase: PHASES[0].1, done: 0 }
    }

    /// Reads what git has printed. A line that comes in two pieces is left out: the next one says more.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        for (phase, done, total) in String::from_utf8_lossy(bytes).split(['\r', '\n']).filter_map(counted) {
            let before = if phase == self.phase { self.done } else { 0 };
            self.progress.advance(phase, done.saturating_sub(before), Some(total));
            (self.phase, self.done) = (phase, done.max(before));
        }
    }
}

/// The phase of a line such as `Receiving objects:  45% (450/1000), 1.20 MiB`, and its numbers.
fn counted(line: &str) -> Option<(&'static str, usize, usize)> {
    let (phase, rest) = PHASES.iter().find_map(|(begin, phase)| Some((*phase, line.trim().strip_prefix(begin)?)))?;
    let (done, total) = rest.split_once('(')?.1.split_once(')')?.0.split_once('/')?;
    Some((phase, done.parse().ok()?, total.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(&'static str, usize, Option<usize>)>>);

    impl Progress for Heard {
        fn advance(&self, what: &'static str, count: usize, total: Option<usize>) {
            self.0.lock().unwrap().push((what, count, total));
        }
    }

    #[test]
    fn counts_of_git_become_steps() {
        let heard = Heard::default();
        let mut fetching = Fetching::new(&heard);
        fetching.hear(b"remote: Counting objects: 100% (9/9), done.\nReceiving objects:  10% (1/10)\r");
        fetching.hear(b"Receiving objects:  40% (4/10), 1.20 MiB | 3 MiB/s\rReceiving obj");
        fetching.hear(b"ects: 100% (10/10), done.\nResolving deltas:  50% (1/2)\r");
        let (objects, deltas) = ("objects received", "deltas resolved");
        let expected = [(objects, 0, None), (objects, 1, Some(10)), (objects, 3, Some(10)), (deltas, 1, Some(2))];
        assert_eq!(*heard.0.lock().unwrap(), expected);
    }
}
