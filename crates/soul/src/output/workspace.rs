//! Workspaces and their records, for people.

use std::fmt::Write;

use soul_engine::ops::workspace::{adopt, fork, list, share};

use super::style::{FAINT, GOOD, HINT, STRONG, WARNING, count, row, short};

pub(crate) fn list(response: &list::Response) -> String {
    if response.workspaces.is_empty() {
        return "no workspace has a record yet\n".to_owned();
    }
    let mut out = String::new();
    for list::Entry { scope, here, places, last_place, agents, revisions, last_change } in &response.workspaces {
        let (style, state) = match (here, places.len()) {
            (_, 0) => (WARNING, "lost"),
            (_, 2..) => (GOOD, "shared"),
            (true, _) => (GOOD, "here"),
            (false, _) => (FAINT, "in use"),
        };
        let changed = last_change.as_ref().map(short).unwrap_or_default();
        let revisions = count(*revisions, "revision");
        let _ = writeln!(
            out,
            "{STRONG}{scope}{STRONG:#}  {style}{state:<6}{style:#}  {revisions}  {FAINT}{changed}{FAINT:#}"
        );
        row(&mut out, 8, "agents", &agents.join(", "));
        match last_place {
            Some(place) => row(&mut out, 8, "last in", place),
            None if places.is_empty() => {}
            None => row(&mut out, 8, "in", &places.join(", ")),
        }
    }
    if response.workspaces.iter().any(|entry| entry.places.is_empty()) {
        let hint = "run `soul workspace adopt SCOPE` in the workspace that a lost record belongs to";
        let _ = writeln!(out, "{HINT}hint{HINT:#}: {hint}");
    }
    out
}

pub(crate) fn forked(response: &fork::Response) -> String {
    let fork::Response { scope, parent, souls } = response;
    let souls = count(*souls, "soul");
    format!("{GOOD}forked{GOOD:#}  {STRONG}{scope}{STRONG:#} continues {parent}  {FAINT}{souls}{FAINT:#}\n")
}

pub(crate) fn shared(response: &share::Response) -> String {
    let share::Response { scope, places } = response;
    format!("{GOOD}shared{GOOD:#}  {STRONG}{scope}{STRONG:#} is used by {}\n", places.join(", "))
}

pub(crate) fn adopted(response: &adopt::Response) -> String {
    let adopt::Response { scope, souls, revisions } = response;
    let counted = format!("{} of {}", count(*revisions, "revision"), count(*souls, "soul"));
    format!("{GOOD}reconnected{GOOD:#}  {STRONG}{scope}{STRONG:#}  {FAINT}{counted}{FAINT:#}\n")
}
