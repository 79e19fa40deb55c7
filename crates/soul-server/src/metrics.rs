//! What the service did, in the text form that Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram, in seconds.
const BOUNDS: [f64; 8] = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 1.0, 10.0];

/// How many, by method and status.
type Counts = BTreeMap<(&'static str, u16), u64>;

#[derive(Default)]
pub(crate) struct Metrics {
    /// By route.
    requests: Mutex<BTreeMap<String, Counts>>,
    times: Mutex<Times>,
    /// By kind.
    syncs: Mutex<BTreeMap<SyncKind, Syncs>>,
}

/// What is synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SyncKind {
    Soul,
    Memory,
}

impl SyncKind {
    const ALL: [Self; 2] = [Self::Soul, Self::Memory];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Soul => "soul",
            Self::Memory => "memory",
        }
    }
}

/// What auto-sync did.
#[derive(Default, Clone, Copy)]
struct Syncs {
    done: u64,
    failed: u64,
    /// Items in conflict after the last one.
    conflicts: usize,
    seconds: f64,
}

#[derive(Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// A request that was answered. `route` is the pattern, never the path: names are not labels.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (method, status);
        match requests.get_mut(route) {
            Some(counts) => *counts.entry(key).or_default() += 1,
            None => drop(requests.insert(route.to_owned(), BTreeMap::from([(key, 1)]))),
        }
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = took.as_secs_f64();
        times.count += 1;
        times.sum += seconds;
        for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
    }

    /// A sync that the service made by itself: how many souls are in conflict, or none if it failed.
    pub(crate) fn synced(&self, kind: SyncKind, conflicts: Option<usize>, took: Duration) {
        let mut syncs = self.syncs.lock().unwrap_or_else(PoisonError::into_inner);
        let syncs = syncs.entry(kind).or_default();
        syncs.seconds += took.as_secs_f64();
        match conflicts {
            Some(conflicts) => (syncs.done, syncs.conflicts) = (syncs.done + 1, conflicts),
            None => syncs.failed += 1,
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut out = String::from("# HELP soul_http_requests_total Requests that were answered.\n");
        out.push_str("# TYPE soul_http_requests_total counter\n");
        for (route, counts) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            for ((method, status), count) in counts {
                let _ = writeln!(
                    out,
                    "soul_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
        self.write_syncs(&mut out);
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        out.push_str("# HELP soul_http_request_seconds How long answers took.\n");
        out.push_str("# TYPE soul_http_request_seconds histogram\n");
        for (bucket, bound) in times.buckets.iter().zip(BOUNDS) {
            let _ = writeln!(out, "soul_http_request_seconds_bucket{{le=\"{bound}\"}} {bucket}");
        }
        let Times { count, sum, .. } = &*times;
        let _ = writeln!(out, "soul_http_request_seconds_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "soul_http_request_seconds_sum {sum}\nsoul_http_request_seconds_count {count}");
        out
    }

    fn write_syncs(&self, out: &mut String) {
        let syncs = self.syncs.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |kind| syncs.get(&kind).copied().unwrap_or_default();
        out.push_str("# HELP soul_sync_runs_total Syncs that the service made by itself.\n");
        out.push_str("# TYPE soul_sync_runs_total counter\n");
        for kind in SyncKind::ALL {
            let (Syncs { done, failed, .. }, kind) = (of(kind), kind.as_str());
            let _ = writeln!(out, "soul_sync_runs_total{{kind=\"{kind}\",result=\"done\"}} {done}");
            let _ = writeln!(out, "soul_sync_runs_total{{kind=\"{kind}\",result=\"failed\"}} {failed}");
        }
        out.push_str("# HELP soul_sync_conflicts Souls in conflict after the last sync.\n");
        let conflicts = of(SyncKind::Soul).conflicts;
        let _ = writeln!(out, "# TYPE soul_sync_conflicts gauge\nsoul_sync_conflicts {conflicts}");
        out.push_str("# HELP soul_sync_seconds_total How long these syncs took.\n");
        out.push_str("# TYPE soul_sync_seconds_total counter\n");
        for kind in SyncKind::ALL {
            let (seconds, kind) = (of(kind).seconds, kind.as_str());
            let _ = writeln!(out, "soul_sync_seconds_total{{kind=\"{kind}\"}} {seconds}");
        }
    }
}
