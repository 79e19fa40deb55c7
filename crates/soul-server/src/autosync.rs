//! Auto-sync: the service syncs souls and connected memories by itself, as `[sync]` says. One thread does it, one sync at a
//! time, and no request waits for it. Each of them has its own schedule, so that a remote which is down delays only itself.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use soul_engine::memory::MemoryOf;
use soul_engine::ops::sync::{publish, pull};
use soul_engine::ops::{Error, Operation, memory};
use soul_engine::settings::SyncSettings;
use soul_engine::store::Party;
use soul_engine::sync::Error as SyncError;
use soul_engine::sync::auto::{Target, note, pause_after, pending, targets};
use soul_engine::{Caller, Context, Keeper};

use crate::app::App;
use crate::metrics::{Metrics, SyncKind};

/// How often to look at the settings and for changes.
const GLANCE: Duration = Duration::from_millis(500);

/// Looking for changes takes at most one part in so many of the time.
const SHARE: u32 = 50;

/// The pause after a failure where no interval is set.
const RETRY: Duration = Duration::from_secs(30);

/// Syncs when it is time, in a thread of its own, until the service is gone. A sync that has begun goes on to its end.
pub(crate) fn start(app: &App) {
    let parts = app.downgrade();
    app.background.spawn(move |background| {
        let mut schedules = Schedules::default();
        while background.pause(GLANCE) {
            let Some(parts) = parts.upgrade() else { return };
            let keeper = parts.keeper.get();
            schedules.turn(&parts.metrics, &keeper);
        }
    });
}

#[derive(Default)]
struct Schedules {
    /// Whether the sync on start was looked at.
    started: bool,
    all: BTreeMap<Target, Schedule>,
}

impl Schedules {
    /// Syncs what it is time for.
    fn turn(&mut self, metrics: &Metrics, keeper: &Keeper) {
        let settings = &keeper.settings.sync;
        if !settings.is_automatic() {
            self.all.clear();
            return;
        }
        let targets = targets(keeper);
        self.all.retain(|target, _| targets.contains(target));
        let is_first = !std::mem::replace(&mut self.started, true) && settings.on_start;
        for target in targets {
            let schedule = self.all.entry(target.clone()).or_default();
            let now = Instant::now();
            let look = || pending(keeper, &target);
            if is_first || schedule.is_due(settings, now) || schedule.is_changed(settings, now, look) {
                schedule.run(metrics, keeper, &target);
            }
        }
    }
}

#[derive(Default)]
struct Schedule {
    /// When the last sync ended.
    last: Option<Instant>,
    failures: u32,
    /// What was pending when it was last looked at, and since when.
    pending: Option<(u64, Instant)>,
    /// What the last sync could not send: it is not tried again before it changes.
    left: Option<u64>,
    /// When to look for changes again.
    look_at: Option<Instant>,
}

impl Schedule {
    fn run(&mut self, metrics: &Metrics, keeper: &Keeper, target: &Target) {
        let settings = &keeper.settings.sync;
        let begun = Instant::now();
        let done = sync(keeper, target, settings.on_change.is_some());
        self.last = Some(Instant::now());
        let error = match &done {
            // It was disconnected meanwhile: nothing to tell.
            Err(Error::Sync(SyncError::NotConfigured | SyncError::NoRemote(_))) => return,
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let kind = match target {
            Target::Souls => SyncKind::Soul,
            Target::Memory(_) => SyncKind::Memory,
        };
        metrics.synced(kind, done.ok(), begun.elapsed());
        self.failures = if error.is_some() { self.failures.saturating_add(1) } else { 0 };
        self.pending = None;
        self.left = settings.on_change.and_then(|_| pending(keeper, target));
        if let Some(error) = &error {
            tracing::warn!(error, "could not sync");
        }
        note(keeper, target, self.failures, error, self.pause(settings));
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
    fn is_changed(&mut self, settings: &SyncSettings, now: Instant, look: impl FnOnce() -> Option<u64>) -> bool {
        let Some(delay) = settings.on_change.filter(|_| self.failures == 0) else { return false };
        if self.look_at.is_some_and(|look_at| now < look_at) {
            return false;
        }
        let begun = Instant::now();
        let print = look();
        self.look_at = Some(now + begun.elapsed() * SHARE);
        match (print.filter(|print| self.left != Some(*print)), self.pending) {
            (None, _) => self.pending = None,
            (Some(print), Some((known, since))) if known == print => {
                return now.saturating_duration_since(since) >= delay;
            }
            (Some(print), _) => self.pending = Some((print, now)),
        }
        false
    }
}

/// Pulls, and publishes if that is wanted. Returns the number of conflicts.
fn sync(keeper: &Keeper, target: &Target, publishes: bool) -> Result<usize, Error> {
    let caller = Caller::local(Party::new("sync", "auto"), "daemon");
    let context = Context::new(keeper, &caller);
    match target {
        Target::Souls => {
            let conflicts = pull::Request {}.call(&context)?.conflicts.len();
            if publishes {
                match (publish::Request { all: true, ..publish::Request::default() }).call(&context) {
                    Ok(_) | Err(Error::Sync(SyncError::NothingToPublish)) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(conflicts)
        }
        Target::Memory(name) => {
            let memory = MemoryOf::Agent(name.clone());
            match publishes {
                true => memory::push::Request { memory, message: None, force: None }.call(&context)?,
                false => memory::pull::Request { memory, force: None }.call(&context)?,
            };
            Ok(0)
        }
    }
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

    #[test]
    fn a_change_is_published_once_it_was_left_alone_and_what_cannot_be_sent_only_once() {
        let settings = SyncSettings { on_change: Some(Duration::from_secs(5)), ..SyncSettings::default() };
        let now = Instant::now();
        let mut schedule = Schedule::default();
        let at = |schedule: &mut Schedule, seconds, print| {
            schedule.is_changed(&settings, now + Duration::from_secs(seconds), || print)
        };
        assert!(!at(&mut schedule, 0, Some(1)) && !at(&mut schedule, 4, Some(2)));
        assert!(!at(&mut schedule, 8, Some(2)) && at(&mut schedule, 9, Some(2)));
        schedule.left = Some(2);
        assert!(!at(&mut schedule, 60, Some(2)) && !at(&mut schedule, 120, Some(2)));
        assert!(!at(&mut schedule, 130, Some(3)) && at(&mut schedule, 140, Some(3)));
    }

    #[test]
    fn looking_for_changes_takes_a_small_share_of_the_time() {
        let settings = SyncSettings { on_change: Some(Duration::ZERO), ..SyncSettings::default() };
        let mut schedule = Schedule::default();
        let slow = || {
            std::thread::sleep(Duration::from_millis(20));
            None
        };
        let now = Instant::now();
        schedule.is_changed(&settings, now, slow);
        schedule.is_changed(&settings, now + Duration::from_millis(900), || panic!("it looks again too soon"));
        let mut looked = false;
        schedule.is_changed(&settings, now + Duration::from_secs(60), || {
            looked = true;
            None
        });
        assert!(looked);
    }
}
