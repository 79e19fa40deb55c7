//! Workspaces and their records, for people.

use soul_engine::ops::workspace::{adopt, fork, list, share};

use super::style::{FAINT, GOOD, STRONG, WARNING, ago, count, hint};
use super::table::{Table, cell};

pub(crate) fn list(response: &list::Response) -> String {
    if response.workspaces.is_empty() {
        return "no workspace has a record yet\n".to_owned();
    }
    let mut table = Table::new(["RECORD", "STATE", ">REVISIONS", "CHANGED", "AGENTS…", "USED IN…"]);
    for list::Entry { scope, here, places, last_place, agents, revisions, last_change } in &response.workspaces {
        let (style, state) = match (here, places.len()) {
            (_, 0) => (WARNING, "lost"),
            (_, 2..) => (GOOD, "shared"),
            (true, _) => (GOOD, "here"),
            (false, _) => (FAINT, "in use"),
        };
        let place = match last_place {
            Some(place) => format!("last in {place}"),
            None => places.join(", "),
        };
        table.row([
            cell(scope.as_str(), STRONG),
            cell(state, style),
            revisions.to_string().into(),
            last_change.as_ref().map(ago).unwrap_or_default().into(),
            agents.join(", ").into(),
            place.into(),
        ]);
    }
    let mut out = table.render();
    if response.workspaces.iter().any(|entry| entry.places.is_empty()) {
        out.push_str(&hint("run `soul workspace adopt RECORD` in the workspace that a lost record belongs to"));
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
