//! `soul session`: one file a command.

mod list;
mod refresh;
mod resume;
mod show;
mod spawn;
mod start;
mod stop;

use super::Row;

pub(super) const ABOUT: &str = "Manage sessions: running agents, each bound to the soul that it started with";

pub(super) const EXAMPLES: &str = "Examples:
  soul session start ada               bind a session to the current soul of ada
  soul session list --state active     running sessions, and which are behind
  soul session refresh sess_01M7HE     take up the soul as it is now";

pub(super) const COMMANDS: &[Row] = &[
    command!(start),
    command!(spawn),
    command!(refresh),
    command!(resume),
    command!(stop),
    command!(show),
    command!(list),
];
