//! `soul task`: one file a command.

mod add;
mod claim;
mod finish;
mod list;
mod renew;
mod runs;

use soul_engine::fields::Lease;

use super::{Row, input};

pub(super) const ABOUT: &str = "Manage tasks, each claimed by one session at a time";

pub(super) const EXAMPLES: &str = "Examples:
  soul task add --agent ada --payload '{\"issue\": 7}'    add a task for ada
  soul task claim --session sess_01M7HE                  take the oldest one
  soul task finish run_01M7HE                            the task is done";

pub(super) const COMMANDS: &[Row] =
    &[command!(add), command!(claim), command!(renew), command!(finish), command!(list), command!(runs)];

fn lease(typed: &str) -> Result<Lease, String> {
    let lease = input::seconds(typed).and_then(Lease::from_seconds);
    lease.ok_or_else(|| "give a time such as `90s`, `5m` or `2h`, up to a day".to_owned())
}
