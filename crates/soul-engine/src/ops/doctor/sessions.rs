//! Live sessions that are bound to an older soul.

use soul_core::text::visible;

use super::{Check, Group, many};
use crate::Keeper;
use crate::standing::live_sessions;

const SESSIONS: Group = Group::Sessions;

/// How many sessions are named.
const NAMED: usize = 10;

pub(super) fn check(keeper: &Keeper) -> Vec<Check> {
    let live = match live_sessions(keeper, None) {
        Ok(live) => live,
        // The store has a check of its own.
        Err(_) => return Vec::new(),
    };
    let all: usize = live.values().map(|sessions| sessions.count).sum();
    let mut stale: Vec<_> = live
        .iter()
        .flat_map(|(key, sessions)| sessions.behind.iter().map(|id| (visible(&key.name), id.as_str())))
        .collect();
    stale.sort();
    let mut found: Vec<Check> = Vec::new();
    for (agent, id) in stale.iter().take(NAMED) {
        let message = format!("`{id}` of `{agent}` runs on an older soul");
        found.push(SESSIONS.warning("sessions", message, format!("run `soul session refresh {id}`")).about(agent));
    }
    if stale.len() > NAMED {
        let message = format!("{} more run on older souls", many(stale.len() - NAMED, "session"));
        found.push(SESSIONS.warning("sessions", message, "`soul session list --state active` shows them"));
    }
    if stale.is_empty() && all > 0 {
        found.push(SESSIONS.ok("sessions", format!("{} up to date", many(all, "live session"))));
    }
    found
}
