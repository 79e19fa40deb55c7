//! `soul token`: one file a command.

mod create;
mod list;
mod revoke;

use super::Row;

pub(super) const ABOUT: &str = "Manage access tokens for the service

On this machine nobody needs a token. The service listens on no other address before a token exists.";

pub(super) const EXAMPLES: &str = "Examples:
  soul token create --role viewer --name dashboard    may read
  soul token list                                     who has access
  soul token revoke tok_01M7HE                        takes effect at once";

pub(super) const COMMANDS: &[Row] = &[command!(create), command!(list), command!(revoke)];
