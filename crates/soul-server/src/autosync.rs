//! Auto-sync: the service pulls and publishes souls by itself, as `[sync]` says. One thread does it, one sync at a time, and
//! no request waits for it.

use std::time::{Duration, Instant};

use soul_engine::ops::sync::{publish, pull, status};
use soul_engine::ops::{Error, Operation};
use soul_engine::settings::SyncSettings;
use soul_engine::store::Party;
use soul_engine::sync::auto::{note, pause_after};
use soul_engine::{Caller, Context, Keeper};

use crate::app::App;
use crate::metrics::Metrics;

/// How often to look at the settings and for changes.
const GLANCE: Duration = Duration::from_millis(500);

/// The pause after a failure where no interval is set.
const RETRY: Duration = Duration::from_secs(30);

/// Syncs when it is time, in a thread of its own, until the service is gone. A sync that has begun goes on to its end.
pub(crate) fn start(app: &App) {
    let parts = app.downgrade();
    app.background.spawn(move |background| {
        let mut schedule = Schedule::default();
        while background.pause(GLANCE) {
            let Some(parts) = parts.upgrade() else { return };
            let keeper = parts.keeper.get();
            schedule.turn(&parts.metrics, &keeper, Instant::now());
        }
    });
}

#[derive(Default)]
struct Schedule {
    /// Whether the sync on start was looked at.
    started: bool,
    /// When the last sync ended.
    last: Option<Instant>,
    failures: u32,
    /// What was pending when it was last looked at, and since when.
    pending: Option<(usize, Instant)>,
}

impl Schedule {
    /// Syncs, if it is time.
    fn turn(&mut self, metrics: &Metrics, keeper: &Keeper, now: Instant) {
        let settings = &keeper.settings.sync;
        if !settings.is_automatic() {
            *self = Self { started: self.started, ..Self::default() };
            return;
        }
        let is_first = !std::mem::replace(&mut self.started, true) && settings.on_start;
        let is_changed = self.is_changed(keeper, settings, now);
        if !(is_first || is_changed || self.is_due(settings, now)) {
            return;
        }
        let begun = Instant::now();
        let done = sync(keeper, settings.on_change.is_some());
        metrics.synced(done.as_ref().ok().copied(), begun.elapsed());
        let error = match done {
            // Nothing to do is no failure, and nothing to tell.
            Err(Error::Sync(soul_engine::sync::Error::NotConfigured)) => {
                self.last = Some(Instant::now());
                return;
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        self.failures = if error.is_some() { self.failures.saturating_add(1) } else { 0 };
        self.last = Some(Instant::now());
        self.pending = None;
        if let Some(error) = &error {
            tracing::warn!(error, "could not sync");
        }
        note(keeper, self.failures, error, self.pause(settings));
    }

    /// How long to wait until the next sync.
    fn pause(&self, settings: &SyncSettings) -> Option<Duration> {
        match (self.failures, settings.interval) {
            (0, interval) => interval,
            (failures, interval) => Some(pause_after(failures, interval.unwrap_or(RETRY))),
        }
    }

    fn is_due(&self, settings: &SyncSettings, now: Instant) -> bool {
        let Some(pause) = self.pause(settings) else { return false };
        self.last.map_or(settings.interval.is_some(), |last| now.saturating_duration_since(last) >= pause)
    }

    /// Whether something was changed here, and has been left alone for as long as the settings say.
    fn is_changed(&mut self, keeper: &Keeper, settings: &SyncSettings, now: Instant) -> bool {
        let Some(delay) = settings.on_change.filter(|_| self.failures == 0) else { return false };
        let Ok(status) = status::Request {}.call(&Context::new(keeper, &caller())) else { return false };
        let print = fingerprint(&status);
        match (print, self.pending) {
            (None, _) => self.pending = None,
            (Some(print), Some((known, since))) if known == print => {
                return now.saturating_duration_since(since) >= delay;
            }
            (Some(print), _) => self.pending = Some((print, now)),
        }
        false
    }
}

/// What is to be published, in one number; none if nothing is.
fn fingerprint(status: &soul_engine::sync::SyncStatus) -> Option<usize> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    if status.counts.modified + status.counts.untracked == 0 {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    for item in &status.items {
        item.local_hash.hash(&mut hasher);
    }
    Some(usize::try_from(hasher.finish()).unwrap_or_default())
}

fn caller() -> Caller {
    Caller::local(Party::new("sync", "auto"), "daemon")
}

/// Pulls, and publishes if that is wanted. Returns the number of conflicts.
fn sync(keeper: &Keeper, publishes: bool) -> Result<usize, Error> {
    let caller = caller();
    let context = Context::new(keeper, &caller);
    let conflicts = pull::Request {}.call(&context)?.conflicts.len();
    if publishes {
        match (publish::Request { all: true, ..publish::Request::default() }).call(&context) {
            Ok(_) | Err(Error::Sync(soul_engine::sync::Error::NothingToPublish)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(conflicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_waited_for_longer_each_time() {
        let settings = SyncSettings { interval: Some(Duration::from_secs(60)), ..SyncSettings::default() };
        let now = Instant::now();
        let mut schedule = Schedule::default();
        assert!(schedule.is_due(&settings, now), "the first sync does not wait for the interval");
        schedule.last = Some(now);
        let after = |schedule: &Schedule, seconds| schedule.is_due(&settings, now + Duration::from_secs(seconds));
        assert!(!after(&schedule, 59) && after(&schedule, 60));
        schedule.failures = 2;
        assert!(!after(&schedule, 239) && after(&schedule, 240));
        let on_change = SyncSettings { on_change: Some(Duration::from_secs(5)), ..SyncSettings::default() };
        schedule.failures = 0;
        assert!(!schedule.is_due(&on_change, now + Duration::from_secs(9999)));
        schedule.failures = 1;
        assert!(schedule.is_due(&on_change, now + Duration::from_secs(60)), "a failed publish is tried again");
    }
}
