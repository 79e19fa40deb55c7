//! `soul sync`: one file a command.

mod delete;
mod diff;
mod discard;
mod forget;
mod init;
mod r#move;
mod publish;
mod pull;
mod resolve;
mod status;

use super::Row;

pub(super) const ABOUT: &str = "Sync souls with a git remote

Souls of the library, and on request of the home's agents. Local text that was not synced is never overwritten: what
cannot be merged is a conflict until you resolve it. An ID is that of a library soul, or `agents/NAME`.";

pub(super) const EXAMPLES: &str = "Examples:
  soul sync init --remote git@example.com:team/souls.git    connect the library
  soul sync pull                                            bring changes of others here
  soul sync publish --all -m 'New tone'                     send your changes
  soul sync resolve reviewer --theirs                       decide a conflict";

pub(super) const COMMANDS: &[Row] = &[
    command!(init),
    command!(status),
    command!(pull),
    command!(publish),
    command!(diff),
    command!(resolve),
    command!(discard),
    command!(forget),
    command!(delete),
    command!(r#move as "move"),
];

/// An item, as it is typed.
fn item(typed: &str) -> Result<soul_engine::sync::ItemId, String> {
    typed.parse().map_err(|error: soul_engine::sync::Error| error.to_string())
}
