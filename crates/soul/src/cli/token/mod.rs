//! `soul token`: one file a command.

mod create;
mod list;
mod revoke;

use super::Row;

pub(super) const ABOUT: &str = "Manage access tokens for the service

On this machine nobody needs a token. The service listens on no other address before a token exists.";

pub(super) const COMMANDS: &[Row] = &[command!(create), command!(list), command!(revoke)];
