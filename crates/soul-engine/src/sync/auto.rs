//! What the service does by itself: when it synced last, and when it will again. The service writes it, and
//! the status shows it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory;
use super::state::Home;
use super::status::{Item, status};
use crate::Keeper;
use crate::clock::Time;
use crate::workspace::AgentName;

/// Auto-sync of the service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoSync {
    /// Whether `[sync]` asks for it.
    pub enabled: bool,
    /// Seconds between two syncs; absent if it is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<u64>,
    /// Whether the service syncs when it starts.
    #[serde(default)]
    pub on_start: bool,
    /// Seconds after a change until it is published; absent if changes are not published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_change: Option<u64>,
    /// When the service synced last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<Time>,
    /// When it will again, unless something changes before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_run_at: Option<Time>,
    /// How often in a row it has failed; it waits longer after each failure.
    #[serde(default)]
    pub failures: u32,
    /// Why it failed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

/// What the service syncs by itself, each on its own schedule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The souls.
    Souls,
    /// The memory of an agent.
    Memory(AgentName),
}

impl Target {
    fn home(&self, keeper: &Keeper) -> Option<Home> {
        match self {
            Self::Souls => Home::souls(keeper).ok(),
            Self::Memory(name) => memory::auto_home(keeper, name),
        }
    }
}

/// What is connected with a remote.
#[must_use]
pub fn targets(keeper: &Keeper) -> Vec<Target> {
    let souls = Home::souls(keeper).ok().filter(Home::is_connected).map(|_| Target::Souls);
    souls.into_iter().chain(memory::connected(keeper).into_iter().map(Target::Memory)).collect()
}

/// What is to be sent, in one number that changes when it does; none if nothing is. Nothing is fetched.
#[must_use]
pub fn pending(keeper: &Keeper, target: &Target) -> Option<u64> {
    match target {
        Target::Souls => {
            let status = status(keeper).ok()?;
            let is_pending = |item: &&Item| item.status.is_pending() && item.local_hash.is_some();
            let texts: Vec<_> =
                status.items.iter().filter(is_pending).map(|item| (&item.item_id, &item.local_hash)).collect();
            (!texts.is_empty()).then(|| fingerprint(&texts))
        }
        Target::Memory(name) => memory::pending(keeper, name),
    }
}

/// Values in one number.
pub(super) fn fingerprint(values: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}

/// The longest pause after failures.
const LONGEST: Duration = Duration::from_secs(3600);

/// How long to wait after so many failures in a row.
#[must_use]
pub fn pause_after(failures: u32, interval: Duration) -> Duration {
    let shortest = interval.clamp(Duration::from_secs(1), LONGEST);
    shortest.saturating_mul(1 << failures.min(12)).min(LONGEST)
}

/// What is configured, and what the service did last.
pub(super) fn read(keeper: &Keeper, home: &Home) -> AutoSync {
    let stored: Option<AutoSync> =
        std::fs::read(home.auto()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let settings = &keeper.settings.sync;
    let stored = stored.unwrap_or_default();
    AutoSync {
        enabled: settings.is_automatic(),
        interval: settings.interval.map(|interval| interval.as_secs()),
        on_start: settings.on_start,
        on_change: settings.on_change.map(|delay| delay.as_secs()),
        next_run_at: stored.next_run_at.filter(|_| settings.is_automatic()),
        ..stored
    }
}

/// Notes what the service did and when it will do it again.
pub fn note(keeper: &Keeper, target: &Target, failures: u32, error: Option<String>, next: Option<Duration>) {
    let now = keeper.now();
    let noted = AutoSync {
        failures,
        last_error: error,
        last_run_at: Some(now),
        next_run_at: next.map(|next| now.after(next)),
        ..AutoSync::default()
    };
    if let Some(home) = target.home(keeper) {
        // What cannot be noted is only not shown.
        let _ = home.write(&home.auto(), &serde_json::to_vec(&noted).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_pause_up_to_an_hour() {
        let minute = Duration::from_secs(60);
        assert_eq!(pause_after(0, minute), minute);
        assert_eq!(pause_after(1, minute), 2 * minute);
        assert_eq!(pause_after(3, minute), 8 * minute);
        assert_eq!(pause_after(40, minute), LONGEST);
        assert_eq!(pause_after(0, Duration::ZERO), Duration::from_secs(1));
    }
}
