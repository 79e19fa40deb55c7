//! Live sessions that are bound to an older soul.

use soul_core::text::visible;

use super::{Check, Group, many};
use crate::Keeper;
use crate::sessions::Behind;
use crate::store::{self, SessionState, Store};

const SESSIONS: Group = Group::Sessions;

/// How many sessions are named.
const NAMED: usize = 10;

/// How many are read at once.
const PAGE: usize = 500;

pub(super) fn check(keeper: &Keeper, store: Option<&dyn Store>) -> Vec<Check> {
    let Some(store) = store else { return Vec::new() };
    stale(keeper, store).unwrap_or_else(|error| vec![SESSIONS.unusable("sessions", &error)])
}

fn stale(keeper: &Keeper, store: &dyn Store) -> Result<Vec<Check>, store::Error> {
    let (mut found, mut all, mut stale) = (Vec::new(), 0, 0);
    let mut behind = Behind::new(keeper);
    let mut last = None;
    loop {
        let page = store.sessions(None, Some(SessionState::Active), last.as_ref(), PAGE)?;
        for session in &page {
            all += 1;
            if behind.of(session)? != Some(true) {
                continue;
            }
            stale += 1;
            if stale <= NAMED {
                let agent = session.agent.as_deref().map(visible).unwrap_or_default();
                let message = format!("`{}` of `{agent}` runs on an older soul", session.id);
                let help = format!("run `soul session refresh {}`", session.id);
                found.push(SESSIONS.warning("sessions", message, help).about(&agent));
            }
        }
        match page.into_iter().next_back() {
            Some(session) => last = Some(session.id),
            None => break,
        }
    }
    if stale > NAMED {
        let message = format!("{} more run on older souls", many(stale - NAMED, "session"));
        found.push(SESSIONS.warning("sessions", message, "`soul session list --state active` shows them"));
    }
    if stale == 0 && all > 0 {
        found.push(SESSIONS.ok("sessions", format!("{} up to date", many(all, "live session"))));
    }
    Ok(found)
}
