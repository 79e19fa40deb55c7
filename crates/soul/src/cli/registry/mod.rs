//! `soul registry`: one file a command.

mod browse;
mod check;
mod index;
mod init;
mod search;
mod show;
mod submit;

use super::Row;

pub(super) const ABOUT: &str = "Search registries of packages, and run one of your own

A registry is a git repository with packages in `souls/OWNER/NAME`. `[registry] sources` in
config.toml lists those that are searched; `starter` comes with this program.";

pub(super) const EXAMPLES: &str = "Examples:
  soul registry search review                          find packages
  soul registry show soulkeeper/code-reviewer          look at one
  soul registry init ourselves                         begin a registry
  soul registry submit pilot --to ourselves            submit a package to it";

pub(super) const COMMANDS: &[Row] = &[
    command!(search),
    command!(browse),
    command!(show),
    command!(init),
    command!(submit),
    command!(check),
    command!(index),
];
