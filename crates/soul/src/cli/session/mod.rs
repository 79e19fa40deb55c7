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

pub(super) const COMMANDS: &[Row] = &[
    command!(start),
    command!(spawn),
    command!(refresh),
    command!(resume),
    command!(stop),
    command!(show),
    command!(list),
];
